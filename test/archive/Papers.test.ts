import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { AttachmentArchiver } from "../../src/billing/invoices/attachments/AttachmentArchiver.ts"
import { EinvoicePapers } from "../../src/einvoicing/transmissions/EinvoicePapers.ts"
import { EinvoiceId, InvoiceId, OrganizationId } from "../../src/kernel/Ids.ts"
import { EventArchiver } from "../../src/webhooks/events/EventArchiver.ts"
import { pdf, png } from "../billing/attachments/Files.ts"
import { sellerOf } from "../einvoicing/documents/Submitting.ts"
import { type Books, race } from "../support/Billing.ts"
import { useHooks } from "../support/counterparts/Hooks.ts"
import { magic } from "../support/counterparts/Network.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { unzipped } from "../support/files/ZipReader.ts"
import { exportFolder } from "./exports/ExportFolder.ts"

const { app, arrived, hook, open, receiving, sql } = await useHooks()
const services = Layer.mergeAll(AttachmentArchiver.layer, EinvoicePapers.layer, EventArchiver.layer)

type Credentials = Pick<Books, "id" | "owner">
type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly object_kind: string }

const attach = async (books: Credentials, invoice: number, name: string, bytes: Uint8Array) => {
  const form = new FormData()
  form.set("file", new Blob([Uint8Array.from(bytes)]), name)
  const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  const url = `${app.url}/api/v1/invoices/${invoice}/attachments`
  const response = await fetch(url, { method: "POST", headers, body: form })
  expect(response.status).toBe(201)
  return Number(JSON.parse(await response.text()).data.id)
}

const bytesAt = async (books: Credentials, path: string) => {
  const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  const response = await fetch(`${app.url}/api/v1${path}`, { headers })
  expect(response.status).toBe(200)
  return { type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) }
}

const opened = async () => {
  const books = await open({ plan: "business" })
  const seller = await sellerOf(app, books)
  await seller.register()
  const listed = async (filter: string): Promise<ReadonlyArray<Row>> =>
    seller.made("GET", `/archive/documents?per_page=200${filter}`)
  const count = (invoice: number, expected: Readonly<Record<string, number>>) =>
    until(`objects of invoice ${invoice}`, async () => {
      const rows = (await listed("")).filter(({ document_id }) => document_id === invoice)
      const counted: Record<string, number> = {}
      for (const { object_kind } of rows) counted[object_kind] = (counted[object_kind] ?? 0) + 1
      const isSame = Object.entries(expected).every(([kind, number]) => counted[kind] === number)
      return isSame && rows.length === Object.values(expected).reduce((sum, number) => sum + number, 0)
        ? rows
        : undefined
    })
  const bytesOf = async ({ content_type, id }: Row) => {
    const { bytes, type } = await bytesAt(seller, `/archive/documents/${id}/download`)
    expect(type).toBe(content_type)
    return bytes
  }
  return { ...seller, books, listed, count, bytesOf }
}

const once = { pdf: 1, ubl_xml: 1, request_body: 1, response_body: 1 }

describe("what becomes of a submitted invoice", () => {
  let ours: Awaited<ReturnType<typeof opened>>
  let rows: ReadonlyArray<Row> = []
  let invoice: { id: number; number: string }
  let einvoice: number
  const of = (kind: string) => rows.filter(({ object_kind }) => object_kind === kind)
  const folder = exportFolder()
  afterEach(folder.remove)

  beforeAll(async () => {
    ours = await opened()
    await hook(ours.books, "/ok/papers", { events: ["einvoice.sent", "einvoice.delivered"] })
    const draft = await ours.draft()
    await attach(ours, draft.id, "order.pdf", pdf)
    einvoice = (await ours.submitted(draft)).id
    invoice = await ours.invoice(draft.id)
    await arrived("/ok/papers", 2)
    const kept = { ...once, attachment: 1, evidence: 4, status_snapshot: 4, webhook_event: 2 }
    rows = await ours.count(invoice.id, kept)
  })

  it("is archived under the facts of the invoice, and says that the network is simulated", () => {
    for (const row of rows) {
      const { number } = invoice
      expect(row).toMatchObject({ number, issue_date: "2026-03-01", amount: "121.00", currency: "EUR" })
      const isOurs = ["pdf", "attachment"].includes(row.object_kind)
      expect(row["environment"]).toBe(isOurs ? null : "sandbox")
    }
  })

  it("has the bodies of the requests that submitted it", async () => {
    const [request, response] = [of("request_body"), of("response_body")]
    expect([request[0]?.["direction"], response[0]?.["direction"]]).toEqual(["outbound", "inbound"])
    const read = async (found: ReadonlyArray<Row>) =>
      Promise.all(found.map(async (row) => JSON.parse((await ours.bytesOf(row)).toString())))
    const { xml_sha256, network_reference } = (await ours.at(einvoice)).body.data
    expect(await read(request)).toMatchObject([
      { number: invoice.number, document_sha256: xml_sha256, environment: "sandbox", network: "peppol" }
    ])
    expect(await read(response)).toMatchObject([{ accepted: true, reference: network_reference }])
  })

  it("has a snapshot of each status with the history that led to it", async () => {
    const snapshots = await Promise.all(
      of("status_snapshot").map(async (row) => JSON.parse(String(await ours.bytesOf(row))))
    )
    const told = snapshots.map(({ history, status }) => [status, history.length]).toSorted((a, b) => a[1] - b[1])
    expect(told).toEqual([
      ["submitted", 2],
      ["sent", 3],
      ["delivered", 4],
      ["accepted", 6]
    ])
  })

  it("has exactly the events that the webhook received, byte for byte", async () => {
    const got = receiving.at("/ok/papers").map(({ body }) => body)
    const bodies = await Promise.all(of("webhook_event").map(async (row) => String(await ours.bytesOf(row))))
    expect(bodies.toSorted()).toEqual(got.toSorted())
    expect(bodies.map((body) => JSON.parse(body).livemode)).toEqual([false, false])
  })

  it("is in the export with its environment, and the verifier approves of it", async () => {
    const { id } = await ours.made("POST", "/archive/exports", { issued_from: "2026-03-01" })
    await until("the export", async () =>
      (await ours.made("GET", `/archive/exports/${id}`)).status === "completed" ? true : undefined
    )
    const { bytes } = await bytesAt(ours, `/archive/exports/${id}/download`)
    const entries = await unzipped(bytes)
    const { objects } = JSON.parse(String(entries.get("manifest.json")))
    expect(objects).toHaveLength(rows.length)
    const simulated = objects.filter(({ environment }: Row) => environment === "sandbox")
    expect(simulated).toHaveLength(rows.length - 2)
    const { transmissions } = JSON.parse(String(entries.get("transmissions.json")))
    expect(new Set(transmissions.map(({ environment }: Row) => environment))).toEqual(new Set(["sandbox"]))
    folder.unpack(entries)
    expect((await folder.verified()).output).toMatch(new RegExp(`^VALID: ${rows.length} objects`))
  })

  it("is one object each, however often the work is repeated", async () => {
    const organization_id = OrganizationId.make(ours.id)
    const key = { organization_id, id: EinvoiceId.make(einvoice) }
    const messages = await sql(
      (sql) => sql<{ message_id: string }>`
        select distinct on (status) message_id from einvoice_messages
        where einvoice_id = ${einvoice} and status <> 'pending' order by status, position`
    )
    const told = await sql(
      (sql) => sql<{ sequence: number }>`
        select sequence::integer from outbox
        where organization_id = ${ours.id} and type in ('einvoice.sent', 'einvoice.delivered')`
    )
    const again = Effect.gen(function* () {
      const papers = yield* EinvoicePapers
      const events = yield* EventArchiver
      const attachments = yield* AttachmentArchiver
      for (const { message_id } of messages) yield* papers.keepSnapshot({ ...key, message_id })
      for (const { sequence } of told) yield* events.archive({ organization_id, sequence })
      yield* attachments.archive({ organization_id, invoice_id: InvoiceId.make(invoice.id) })
    })
    await race(3, () => app.run(again.pipe(Effect.provide(services))))
    expect([messages.length, told.length]).toEqual([4, 2])
    const now = (await ours.listed("")).filter(({ document_id }) => document_id === invoice.id)
    expect(now.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })

  it("keeps a file that is attached later, with its own type, also when the attachment is removed", async () => {
    const attachment = await attach(ours, invoice.id, "scan.png", png)
    const [image] = await until("the file", async () => {
      const found = (await ours.listed("&kind=attachment")).filter(({ content_type }) => content_type === "image/png")
      return found.length > 0 ? found : undefined
    })
    await ours.made("DELETE", `/invoices/${invoice.id}/attachments/${attachment}`)
    const { bytes, type } = await bytesAt(ours, `/archive/documents/${image?.id}/download`)
    expect([bytes.equals(png), type]).toEqual([true, "image/png"])
    expect(image?.["sha256"]).toBe(createHash("sha256").update(png).digest("hex"))
  })
})

describe("what is not archived", () => {
  it("is an event that no webhook received; a refusal is kept with its answer", async () => {
    const ours = await opened()
    const draft = await ours.draft()
    await ours.submitted(draft, { recipient_identifier_value: magic.refused })
    const rows = await ours.count(draft.id, { ...once, status_snapshot: 1 })
    const [answer] = rows.filter(({ object_kind }) => object_kind === "response_body")
    expect(answer && JSON.parse(String(await ours.bytesOf(answer)))).toMatchObject({ accepted: false, code: "refused" })
  })

  it("are files of drafts, and files of an organization whose plan has no archive", async () => {
    const [ours, theirs] = [await open({ plan: "business" }), await open({ plan: "standard" })]
    const [draft, issued] = [await ours.draft(), await theirs.issued()]
    await attach(ours, draft.id, "order.pdf", pdf)
    await attach(theirs, issued.id, "order.pdf", pdf)
    const all = [
      [ours, draft],
      [theirs, issued]
    ] as const
    for (const [{ id, made }, invoice] of all) {
      const key = { organization_id: OrganizationId.make(id), invoice_id: InvoiceId.make(invoice.id) }
      await app.run(AttachmentArchiver.use(({ archive }) => archive(key)).pipe(Effect.provide(services)))
      expect(await made("GET", "/archive/documents")).toEqual([])
    }
  })
})
