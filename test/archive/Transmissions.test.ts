import { BigDecimal, Effect } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { NewTransmission, Paper } from "../../src/archive/objects/Transmission.ts"
import { Day, Timestamp } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { type ArchiveObjectId, OrganizationId } from "../../src/kernel/Ids.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { type Books, race } from "../support/Billing.ts"
import { unzipped } from "../support/files/ZipReader.ts"
import { useExports } from "./exports/Exporting.ts"
import { damaged } from "./integrity/Damage.ts"

const exporting = useExports()
const { actions, build, collect, documents, filesOf, journal } = exporting
const { open, ordered, query, state, transmissions } = exporting

const xml = new TextEncoder().encode("<Invoice>é</Invoice>")
const at = Timestamp.make("2026-03-01T10:00:00.000Z")

const paperOf = ({ id }: Books): Paper => ({
  organization_id: OrganizationId.make(id),
  object_kind: "ubl_xml",
  direction: "outbound",
  content_type: "application/xml",
  document_type: "invoice",
  document_id: 42,
  number: "INV-2026-0042",
  counterparty_name: "Beta",
  issue_date: Day.make("2026-03-01"),
  amount: BigDecimal.fromStringUnsafe("271.36"),
  currency: CurrencyCode.make("EUR"),
  environment: "sandbox"
})

const noDocument = {
  document_type: null,
  document_id: null,
  number: null,
  counterparty_name: null,
  issue_date: null,
  amount: null,
  currency: null
} as const

const keep = (paper: Paper, bytes = xml) => transmissions((archive) => archive.keep(paper, bytes))

const submissionOf = ({ id }: Books, object_id: ArchiveObjectId | null): NewTransmission => ({
  organization_id: OrganizationId.make(id),
  id: "3f1c:submission",
  at,
  direction: "outbound",
  network: "peppol",
  environment: "sandbox",
  type: "submission",
  code: null,
  reference: "=cmd()",
  document_type: "invoice",
  document_id: 42,
  number: "INV-2026-0042",
  object_id
})

const record = (transmission: NewTransmission) => transmissions((archive) => archive.record(transmission))

describe("what is exchanged with a network", () => {
  it("is kept whatever the plan, as an object like any other", async () => {
    const ours = await open({ plan: "standard" })
    expect(await state(ours)).toMatchObject({ state: "none", object_count: 0 })
    const kept = await keep(paperOf(ours))
    const [row, ...others] = await documents(ours, "?kind=ubl_xml&number=0042")
    expect(others).toEqual([])
    expect(row).toEqual({
      id: kept.object_id,
      object_kind: "ubl_xml",
      direction: "outbound",
      number: "INV-2026-0042",
      counterparty_name: "Beta",
      issue_date: "2026-03-01",
      amount: "271.36",
      currency: "EUR",
      sha256: kept.sha256,
      content_type: "application/xml",
      size_bytes: xml.length,
      document_type: "invoice",
      document_id: 42,
      environment: "sandbox",
      archived_at: expect.any(String)
    })
    expect((await actions(ours)).at(-1)).toBe("archive.stored")
    const bytes = await transmissions((archive) =>
      archive.read({ organization_id: OrganizationId.make(ours.id), id: kept.object_id })
    )
    expect(bytes).toEqual(xml)
    const vault = { state: "vault", entitled: false, vault_status: "retained", integrity_state: "never" }
    expect(await state(ours)).toMatchObject({ ...vault, object_count: 1 })
  })

  it("is captured in France, where the plan has no vault", async () => {
    const ours = await open({ plan: "standard", country: "FR" })
    const nothing = { state: "france_capture", vault_status: null, object_count: 0 }
    expect(await state(ours)).toMatchObject({ ...nothing, integrity_state: "not_applicable" })
    await keep(paperOf(ours))
    expect(await state(ours)).toMatchObject({ ...nothing, object_count: 1, integrity_state: "never" })
  })

  it("is one object however often it is kept, also at once; of another kind, document or content it is another", async () => {
    const ours = await open()
    const paper = paperOf(ours)
    const kept = await race(6, () => keep(paper))
    expect(new Set(kept.map(({ object_id }) => object_id)).size).toBe(1)
    await keep({ ...paper, object_kind: "request_body" })
    await keep({ ...paper, document_id: 43 })
    await keep({ ...paper, ...noDocument })
    await keep({ ...paper, ...noDocument })
    await keep(paper, new TextEncoder().encode("<Other/>"))
    expect(await documents(ours)).toHaveLength(5)
    expect(filesOf(ours, "archive")).toHaveLength(2)
    expect(
      await query((sql) => sql`select position from archive_objects where organization_id = ${ours.id} order by 1`)
    ).toEqual([1, 2, 3, 4, 5].map((position) => ({ position })))
  })

  it("is downloaded as plain bytes when its type is none that we know", async () => {
    const ours = await open()
    await keep({ ...paperOf(ours), content_type: "text/html; charset=utf-8", object_kind: "evidence" })
    expect(await documents(ours)).toMatchObject([{ content_type: "application/octet-stream" }])
  })

  it("is not read when it differs from what was stored, which is an incident", async () => {
    const ours = await open()
    const { object_id: id } = await keep(paperOf(ours))
    const [file = ""] = filesOf(ours, "archive")
    damaged(file, () => Buffer.from("<Invoice>e</Invoice>!"))
    expect(readFileSync(file)).toHaveLength(xml.length)
    await expect(
      transmissions((archive) => archive.read({ organization_id: OrganizationId.make(ours.id), id }))
    ).rejects.toThrow(/archive/)
    expect((await actions(ours)).at(-1)).toBe("archive.integrity_failed")
  })
})

describe("an exchange", () => {
  it("is recorded once, also at once, with all there is about it in the audit chain", async () => {
    const ours = await open()
    const { object_id } = await keep(paperOf(ours))
    const submission = submissionOf(ours, object_id)
    const recorded = await race(4, () => record(submission))
    expect(recorded.filter(Boolean)).toHaveLength(1)
    const { entries } = await journal(ours)
    const told = entries.filter(({ action }) => action === "archive.transmission_recorded")
    const { id, organization_id: _, ...facts } = submission
    expect(told).toMatchObject([{ actor: "system", data: { transmission_id: id, ...facts } }])
  })

  it("is not recorded when the transaction that it belongs to fails", async () => {
    const ours = await open()
    const before = await actions(ours)
    const failing = transmissions((archive) =>
      Effect.flatMap(Database, ({ transaction }) =>
        transaction(Effect.andThen(archive.record(submissionOf(ours, null)), Effect.fail("refused")))
      )
    )
    await expect(failing).rejects.toThrow("refused")
    expect(await actions(ours)).toEqual(before)
    expect(await query((sql) => sql`select id from archive_transmissions where organization_id = ${ours.id}`)).toEqual(
      []
    )
  })

  it("cannot name another organization's object", async () => {
    const [ours, theirs] = [await open(), await open()]
    const { object_id } = await keep(paperOf(theirs))
    await expect(record(submissionOf(ours, object_id))).rejects.toThrow()
  })
})

describe("an export", () => {
  it("contains every exchange, linked to the chain by its document, including those without a document", async () => {
    const ours = await open()
    const invoice = await ours.issued()
    await exporting.archiveAll(ours)
    const document = { document_id: invoice.id, number: invoice.number }
    const { object_id, sha256 } = await keep({ ...paperOf(ours), ...document })
    await record({ ...submissionOf(ours, object_id), ...document })
    await record({
      ...submissionOf(ours, null),
      id: "msg-1",
      direction: "inbound",
      type: "invoice_response",
      code: "AB",
      ...document
    })
    const reported = await keep({ ...paperOf(ours), ...noDocument, object_kind: "request_body" })
    await record({
      ...submissionOf(ours, reported.object_id),
      id: "report-2026-03-1",
      network: "fr_ctc",
      type: "e_reporting",
      document_type: null,
      document_id: null,
      number: null
    })
    const id = await ordered(ours, { kind: "pdf" })
    await build(ours, id)
    const entries = await unzipped((await collect(ours, id)).bytes)
    const text = (name: string) => entries.get(name)?.toString("utf8") ?? ""
    const told = JSON.parse(text("transmissions.json")).transmissions
    expect(told).toMatchObject([
      {
        id: "3f1c:submission",
        at,
        network: "peppol",
        environment: "sandbox",
        object_id,
        object_kind: "ubl_xml",
        sha256,
        ...document
      },
      { id: "msg-1", direction: "inbound", code: "AB", object_id: null, sha256: null, ...document },
      { id: "report-2026-03-1", network: "fr_ctc", document_type: null, document_id: null, number: null }
    ])
    const { trail } = JSON.parse(text("audit-trail.json"))
    const about = (trail as ReadonlyArray<Record<string, unknown>>).filter(
      ({ document_id, document_type }) => document_type === "invoice" && document_id === told[0].document_id
    )
    expect(about.map(({ action }) => action)).toEqual([
      "invoice.created",
      "invoice.issued",
      "archive.stored",
      "archive.stored",
      "archive.transmission_recorded",
      "archive.transmission_recorded"
    ])
    const [header, first, ...others] = text("transmissions.csv").split("\r\n")
    expect(header).toContain("id,at,direction,network,environment,type,code,reference,document_type,document_id,number")
    expect(first).toContain(`,submission,,'=cmd(),invoice,${invoice.id},${invoice.number},`)
    expect(others).toHaveLength(3)
  })
})
