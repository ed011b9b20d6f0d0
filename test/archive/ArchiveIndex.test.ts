import { describe, expect, it } from "vitest"
import { race } from "../support/Billing.ts"
import { sha256 } from "../support/files/Digest.ts"
import { useArchive } from "./DocumentArchiver.ts"

const { actions, app, archiveAll, documents, filesOf, open, query, state } = useArchive()

const bytesOf = async (path: string, token: string, organization: number) => {
  const response = await fetch(`${app.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, "x-organization-id": String(organization) },
    signal: AbortSignal.timeout(20_000)
  })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe("an issued invoice", () => {
  it("is archived as it was printed when it was issued, whatever happens to it afterwards", async () => {
    const ours = await open()
    const invoice = await ours.issued()
    const printed = await bytesOf(`/invoices/${invoice.id}/pdf`, ours.owner.token, ours.id)
    await ours.pay(invoice)
    await ours.made("PUT", `/customers/${invoice.customer_id}`, { name: "Gamma" })
    expect(await documents(ours)).toEqual([])
    expect(await state(ours)).toMatchObject({ state: "vault", entitled: true, vault_status: "provisioning" })

    expect(await archiveAll(ours)).toBe(1)
    const [row, ...others] = await documents(ours)
    expect(others).toEqual([])
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      object_kind: "pdf",
      direction: "outbound",
      number: invoice.number,
      counterparty_name: "Beta",
      issue_date: "2026-03-01",
      amount: "121.00",
      currency: "EUR",
      environment: null,
      sha256: sha256(printed.bytes),
      content_type: "application/pdf",
      size_bytes: printed.bytes.length,
      document_type: "invoice",
      document_id: invoice.id,
      archived_at: expect.any(String)
    })
    expect(await state(ours)).toEqual({
      state: "vault",
      entitled: true,
      plans_with_vault: ["business"],
      vault_status: "active",
      region: "local",
      retention_days: 0,
      locked: false,
      object_count: 1,
      last_proven_at: null,
      integrity_state: "never",
      quota_bytes: 10_737_418_240,
      used_bytes: printed.bytes.length
    })

    const download = await bytesOf(`/archive/documents/${row.id}/download`, ours.owner.token, ours.id)
    expect(download.response.status).toBe(200)
    expect(download.response.headers.get("content-type")).toBe("application/pdf")
    expect(download.response.headers.get("content-length")).toBe(String(row.size_bytes))
    expect(sha256(download.bytes)).toBe(row.sha256)
    expect((await actions(ours)).slice(-2)).toEqual(["archive.stored", "archive.downloaded"])
  })

  it("is archived once, however often its job is done", async () => {
    const ours = await open()
    await ours.issued()
    await race(4, () => archiveAll(ours))
    expect(await documents(ours)).toHaveLength(1)
    expect(filesOf(ours, "archive")).toHaveLength(1)
    expect((await actions(ours)).filter((action) => action === "archive.stored")).toHaveLength(1)
  })

  it("is archived whichever way it was issued", async () => {
    const ours = await open()
    const paid = await ours.draft()
    await ours.made("POST", `/invoices/${paid.id}/mark-paid`, {})
    const sent = await ours.draft()
    await ours.made("POST", `/invoices/${sent.id}/send`, { recipients: "ap@beta.eu" })
    expect(await archiveAll(ours)).toBe(2)
    const rows = await documents(ours)
    expect(rows.map(({ document_id }: { document_id: number }) => document_id).toSorted()).toEqual([paid.id, sent.id])
  })

  it("is not archived without a plan that has a vault, which is data and no refusal", async () => {
    const ours = await open({ plan: "standard" })
    await ours.issued()
    expect(await archiveAll(ours)).toBe(0)
    const none = { state: "none", entitled: false, vault_status: null, integrity_state: "not_applicable" }
    expect(await state(ours)).toMatchObject({ ...none, object_count: 0 })
    expect(await documents(ours)).toEqual([])
  })

  it("stays in the archive when the plan ends, and nothing more comes in", async () => {
    const ours = await open()
    await ours.issued()
    await archiveAll(ours)
    await query((sql) => sql`update organizations set plan = 'standard' where id = ${ours.id}`)
    await ours.issued()
    expect(await archiveAll(ours)).toBe(0)
    expect(await state(ours)).toMatchObject({
      state: "vault",
      entitled: false,
      vault_status: "retained",
      object_count: 1
    })
  })
})

describe("a sent credit note", () => {
  it("is archived with its own number and amount", async () => {
    const ours = await open()
    const invoice = await ours.issued()
    const note = await ours.made("POST", "/credit-notes", {
      invoice_id: invoice.id,
      reason: "Returned",
      amount: 121
    })
    await ours.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ap@beta.eu"] })
    expect(await archiveAll(ours)).toBe(2)
    const [row] = await documents(ours, "?kind=pdf&number=cn-")
    expect(row).toMatchObject({
      document_type: "credit_note",
      document_id: note.id,
      amount: "121.00",
      direction: "outbound"
    })
    const printed = await bytesOf(`/credit-notes/${note.id}/pdf`, ours.owner.token, ours.id)
    expect(row.sha256).toBe(sha256(printed.bytes))
  })
})

describe("the index", () => {
  it("lists the latest first, by page, and finds by every filter", async () => {
    const ours = await open()
    const first = await ours.issued({ issue_date: "2026-01-10" })
    const second = await ours.issued({ issue_date: "2026-02-10", items: [{ description: "A", unit_price: 1000 }] })
    const gamma = (await ours.made("POST", "/customers", { name: "Gämma 100%" })).id
    const third = await ours.issued({ issue_date: "2026-03-10", customer_id: gamma })
    await archiveAll(ours)
    const found = async (filter: string) =>
      (await documents(ours, filter)).map(({ document_id }: { document_id: number }) => document_id)
    expect(await found("")).toEqual([third.id, second.id, first.id])
    expect(await found(`?number=${first.number.toLowerCase()}`)).toEqual([first.id])
    expect(await found("?counterparty=GAMMA")).toEqual([third.id])
    expect(await found("?counterparty=100%25")).toEqual([third.id])
    expect(await found("?counterparty=a_m")).toEqual([])
    expect(await found("?issued_from=2026-02-10")).toEqual([third.id, second.id])
    expect(await found("?issued_until=2026-02-10")).toEqual([second.id, first.id])
    expect(await found("?amount_min=121.01")).toEqual([second.id])
    expect(await found("?amount_max=121")).toEqual([third.id, first.id])
    expect(await found("?direction=inbound")).toEqual([])
    expect(await found("?direction=outbound&kind=pdf&amount_min=121&amount_max=121&counterparty=beta")).toEqual([
      first.id
    ])
    const { body } = await ours.call("GET", "/archive/documents?per_page=2&page=2")
    expect(body.data).toHaveLength(1)
    expect(body.meta).toMatchObject({ current_page: 2, per_page: 2, total: 3, last_page: 2 })
  })

  it("lists by the time of archiving, which concurrent archivers may record in another order, then by id", async () => {
    const ours = await open()
    const issued = [await ours.issued(), await ours.issued(), await ours.issued()]
    await archiveAll(ours)
    // The object in the second position was archived a minute before the others, which were archived at the same time.
    await app.inDatabase("alter table archive_objects disable trigger archive_objects_append_only")
    await app.inDatabase(`
      update archive_objects set archived_at = timestamptz '2026-03-01 12:00Z'
        - make_interval(mins => case position when 2 then 1 else 0 end) where organization_id = ${ours.id}`)
    await app.inDatabase("alter table archive_objects enable trigger archive_objects_append_only")
    const pages = [1, 2, 3].map((page) => documents(ours, `?per_page=1&page=${page}`))
    const listed = (await Promise.all(pages)).flat().map(({ document_id }: { document_id: number }) => document_id)
    expect(listed).toEqual([issued[2].id, issued[0].id, issued[1].id])
  })

  it.each([
    ["per_page=0", "per_page"],
    ["per_page=201", "per_page"],
    ["per_page=x", "per_page"],
    ["page=0", "page"],
    ["kind=docx", "kind"],
    ["direction=sideways", "direction"],
    ["issued_from=2026-02-30", "issued_from"],
    ["amount_min=much", "amount_min"],
    ["issued_from=2026-02-01&issued_until=2026-01-01", "issued_until"],
    ["amount_min=2&amount_max=1", "amount_max"]
  ])("refuses %s with 422", async (filter, field) => {
    const ours = await open()
    const { body, status } = await ours.call("GET", `/archive/documents?${filter}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it("accepts 200 per page", async () => {
    const ours = await open()
    expect((await ours.call("GET", "/archive/documents?per_page=200")).body.meta.per_page).toBe(200)
  })

  it("answers 404 alike for another organization's object, a missing one and no id at all", async () => {
    const [ours, theirs] = [await open(), await open()]
    await theirs.issued()
    await archiveAll(theirs)
    const [foreign] = await documents(theirs)
    const paths = [foreign.id, "0195a2c0-7c1e-7d3b-9f10-aa0100000000", "42"]
    const answers = await Promise.all(paths.map((id) => ours.call("GET", `/archive/documents/${id}/download`)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await actions(theirs)).not.toContain("archive.downloaded")
  })
})
