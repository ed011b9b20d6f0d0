import { beforeAll, describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { type ExpenseBooks, useExpenses } from "../../support/Expenses.ts"
import { type Kind, kinds, kindsOf } from "../../support/Kinds.ts"
import { idsOf } from "./SyncedLists.ts"

const { app, open } = useExpenses()
let books: ExpenseBooks
let known: ReadonlyArray<Kind>
let others: ExpenseBooks
let theirs: ReadonlyArray<Kind>
beforeAll(async () => {
  books = await open()
  others = await open()
  known = await kindsOf(books)
  theirs = await kindsOf(others)
})

const kind = (object: string): Kind => {
  const found = known.find((one) => one.object === object)
  if (found === undefined) throw new Error(object)
  return found
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]))

let drawn = 0
const fresh = () => `ERP / ${++drawn} ü`

const kept = (record: { readonly external_id: unknown; readonly metadata: unknown }) => ({
  external_id: record.external_id,
  metadata: record.metadata
})

const pairs = JSON.parse('{"project":"Alpha","cost center":"ü 7","__proto__":"kept","1":""}')

describe.each(kinds)("external_id and metadata of a %s", (object) => {
  const create = async (changes: object) => {
    const { body, path } = kind(object)
    return books.call("POST", path, { ...(await body()), ...changes })
  }
  const list = async (query: string) => (await books.call("GET", `${kind(object).path}?${query}`)).body

  it("are answered as they were written, wherever the record is", async () => {
    const external_id = fresh()
    const { body, status } = await create({ external_id, metadata: pairs })
    expect([status, kept(body.data)]).toEqual([201, { external_id, metadata: pairs }])
    expect(kept(await books.made("GET", `${kind(object).path}/${body.data.id}`))).toEqual(kept(body.data))
    const { data, meta } = await list(`external_id=${encodeURIComponent(external_id)}`)
    expect([idsOf(data), kept(data[0]), meta.total]).toEqual([[body.data.id], kept(body.data), 1])
    expect(idsOf((await list(`external_id=${encodeURIComponent(external_id)}&cursor=`)).data)).toEqual([body.data.id])
    expect((await list("external_id=nothing")).data).toEqual([])
    expect(kept((await create({})).body.data)).toEqual({ external_id: null, metadata: {} })
    const [event] = await eventsOf(object, body.data.id)
    if (event !== undefined) expect(kept(event.attributes)).toEqual(kept(body.data))
  })

  it("are kept when a change does not name them, and removed with null", async () => {
    const { change, path } = kind(object)
    if (change === null) return
    const external_id = fresh()
    const { body } = await create({ external_id, metadata: pairs })
    const put = async (changes: object) => kept(await books.made("PUT", `${path}/${body.data.id}`, changes))
    expect(await put(change("x"))).toEqual({ external_id, metadata: pairs })
    const renamed = fresh()
    expect(await put({ external_id: renamed })).toEqual({ external_id: renamed, metadata: pairs })
    expect(await put({ metadata: { a: "b" } })).toEqual({ external_id: renamed, metadata: { a: "b" } })
    expect(await put({ external_id: null, metadata: null })).toEqual({ external_id: null, metadata: {} })
    expect(kept(await books.made("GET", `${path}/${body.data.id}`))).toEqual({ external_id: null, metadata: {} })
  })

  it("refuse with 422 on the field an id of another record, and input that is too long", async () => {
    const external_id = fresh()
    const { body } = await create({ external_id })
    const second = (await create({})).body.data
    const answers = [await create({ external_id })]
    if (kind(object).change !== null) {
      answers.push(await books.call("PUT", `${kind(object).path}/${second.id}`, { external_id }))
      // An update may set the external id that the record already has.
      await books.made("PUT", `${kind(object).path}/${body.data.id}`, { external_id })
    }
    for (const answer of answers) {
      expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
        422,
        "validation_failed",
        ["external_id"]
      ])
    }
    expect(idsOf((await list(`external_id=${encodeURIComponent(external_id)}`)).data)).toEqual([body.data.id])

    const refused: ReadonlyArray<readonly [string, object]> = [
      ["external_id", { external_id: "x".repeat(201) }],
      ["external_id", { external_id: " " }],
      ["external_id", { external_id: 7 }],
      ["metadata", { metadata: many(51) }],
      ["metadata", { metadata: { ["k".repeat(41)]: "v" } }],
      ["metadata", { metadata: { "": "v" } }],
      ["metadata", { metadata: { "a\u0000": "v" } }],
      ["metadata.k", { metadata: { k: "v".repeat(501) } }],
      ["metadata.k", { metadata: { k: 1 } }],
      ["metadata.k", { metadata: { k: "\u0000" } }],
      ["metadata", { metadata: [] }]
    ]
    for (const [field, changes] of refused) {
      const answer = await create(changes)
      expect([field, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([field, 422, [field]])
    }
    const most = { ...many(49), ["k".repeat(40)]: "v".repeat(500) }
    const full = await create({ external_id: `${fresh()}${"x".repeat(190)}`, metadata: most })
    expect([full.status, full.body.data.metadata]).toEqual([201, most])
  })

  it("give the id to one of many simultaneous requests, with and without an Idempotency-Key", async () => {
    for (const headers of [
      (): Record<string, string> => ({}),
      (index: number) => ({ "idempotency-key": `${object}-${drawn}-${index}` })
    ]) {
      const { body, path } = kind(object)
      const given = { ...(await body()), external_id: fresh() }
      const answers = await race(8, (index) => books.call("POST", path, given, { headers: headers(index) }))
      expect(statuses(answers)).toEqual({ 201: 1, 422: 7 })
      for (const { body, status } of answers)
        if (status === 422) expect(Object.keys(body.errors)).toEqual(["external_id"])
    }
  })

  it("give the id to one of many simultaneous changes", async () => {
    const { body, change, path } = kind(object)
    if (change === null) return
    const given = await body()
    const records = await race(6, () => books.made("POST", path, given))
    const external_id = fresh()
    const answers = await race(6, (index) => books.call("PUT", `${path}/${records[index].id}`, { external_id }))
    expect(statuses(answers)).toEqual({ 200: 1, 422: 5 })
  })

  it("are free again after a deletion, and in other kinds and organizations", async () => {
    const external_id = fresh()
    const { body } = await create({ external_id })
    const elsewhere = theirs.find((one) => one.object === object)
    await others.made("POST", elsewhere?.path ?? "", { ...(await elsewhere?.body()), external_id })
    const next = known[(known.indexOf(kind(object)) + 1) % known.length] ?? kind(object)
    await books.made("POST", next.path, { ...(await next.body()), external_id: `${external_id} next` })
    expect((await create({ external_id: `${external_id} next` })).status).toBe(201)
    await books.made("DELETE", `${kind(object).path}/${body.data.id}`)
    expect((await create({ external_id })).status).toBe(201)
  })

  it("are columns of the export", async () => {
    const external_id = fresh()
    const { body } = await create({ external_id, metadata: { project: "Alpha" } })
    const resource = kind(object).path.slice(1).replace("-", "_")
    const rows = (await books.call("POST", "/reports/export", { resource, format: "json" })).body.data
    const row = rows.find(({ id }: { readonly id: number }) => id === body.data.id)
    expect(kept(row)).toEqual({ external_id, metadata: { project: "Alpha" } })
  })
})

/** Returns the events of a record, the oldest first. */
const eventsOf = async (object: string, id: number): Promise<ReadonlyArray<{ readonly attributes: never }>> => {
  const rows: unknown = await app.inDatabase(
    `select data from outbox where data ->> 'object' = '${object}' and data ->> 'id' = '${id}' order by sequence`
  )
  return Array.isArray(rows) ? rows.map(({ data }) => data) : []
}

describe("a duplicate", () => {
  it.each(["invoice", "quote", "expense"])("of a %s has its metadata and no external id", async (object) => {
    const { body, path } = kind(object)
    const original = await books.made("POST", path, { ...(await body()), external_id: fresh(), metadata: pairs })
    const copy = await books.made("POST", `${path}/${original.id}/duplicate`)
    expect(kept(copy)).toEqual({ external_id: null, metadata: pairs })
  })

  it("made by converting a quote has its metadata and no external id", async () => {
    const { body, path } = kind("quote")
    const quote = await books.made("POST", path, { ...(await body()), external_id: fresh(), metadata: pairs })
    const invoice = await books.made("POST", `${path}/${quote.id}/convert-to-invoice`)
    expect(kept(invoice)).toEqual({ external_id: null, metadata: pairs })
  })
})

describe("PUT of what was issued", () => {
  it("changes external_id and metadata of an invoice in every state, and nothing else", async () => {
    const { invoice, payment } = await books.paid()
    const change = { external_id: fresh(), metadata: { a: "b" } }
    const put = await books.made("PUT", `/invoices/${invoice.id}`, change)
    const { updated_at: _, version: __, ...rest } = invoice
    expect(put).toMatchObject({ ...rest, ...change })
    expect((await books.call("PUT", `/invoices/${invoice.id}`, { ...change, notes: "x" })).status).toBe(422)
    expect((await books.call("PUT", `/invoices/${invoice.id}`, { ...change, due_date: "2999-04-01" })).status).toBe(422)
    const open = await books.issued()
    const both = await books.made("PUT", `/invoices/${open.id}`, { metadata: { a: "b" }, due_date: "2999-04-01" })
    expect(both).toMatchObject({ metadata: { a: "b" }, due_date: "2999-04-01" })
    expect(kept(await books.made("GET", `/payments/${payment.id}`))).toEqual({ external_id: null, metadata: {} })
  })

  it("leaves a quote in its state", async () => {
    const { body, path } = kind("quote")
    for (const action of ["mark-accepted", "mark-rejected"]) {
      const { id } = await books.made("POST", path, await body())
      const before = await books.made("POST", `${path}/${id}/${action}`)
      const { metadata, status } = await books.made("PUT", `${path}/${id}`, { metadata: { a: "b" } })
      expect([metadata, status]).toEqual([{ a: "b" }, before.status])
    }
  })

  it("accepts only them for a locked document of any kind; together with another change it is refused and changes nothing", async () => {
    const { body, path } = kind("quote")
    const [sent, accepted] = [
      await books.made("POST", path, await body()),
      await books.made("POST", path, await body())
    ]
    await books.made("POST", `${path}/${sent.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    await books.made("POST", `${path}/${accepted.id}/mark-accepted`)
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    for (const [path, other, refusal] of [
      [`/quotes/${sent.id}`, { notes: "x" }, 409],
      [`/quotes/${accepted.id}`, { notes: "x" }, 409],
      [`/invoices/${invoice.id}`, { notes: "x" }, 422],
      [`/credit-notes/${note.id}`, { reason: "x" }, 422]
    ] as const) {
      const data = { external_id: fresh(), metadata: { a: "b" } }
      const before = await books.made("GET", path)
      expect([path, (await books.call("PUT", path, { ...data, ...other })).status]).toEqual([path, refusal])
      expect(await books.made("GET", path)).toEqual(before)
      const { updated_at: _, version, ...rest } = { ...before, ...data }
      expect(await books.made("PUT", path, data)).toMatchObject({ ...rest, version: version + 1 })
    }
  })

  it("releases the external id of a void invoice", async () => {
    const settings = [{ key: "invoice_number_on", value: "create" }]
    const numbered = await open()
    await numbered.made("PUT", `/organizations/${numbered.id}`, { settings })
    const draft = await numbered.draft({ external_id: "A-1" })
    await numbered.made("DELETE", `/invoices/${draft.id}`)
    expect(await numbered.invoice(draft.id)).toMatchObject({ status: "void", external_id: null })
    await numbered.draft({ external_id: "A-1" })
    expect((await numbered.call("PUT", `/invoices/${draft.id}`, { external_id: "A-2" })).status).toBe(422)
  })
})

describe("POST /api/v1/batch/invoices", () => {
  it("stores the external id that labels an element, and refuses the element whose id is taken", async () => {
    const [taken, free] = [fresh(), fresh()]
    await books.draft({ external_id: taken })
    const invoices = [books.body({ external_id: free }), books.body({ external_id: taken })]
    const { body, status } = await books.call("POST", "/batch/invoices/create", { invoices })
    expect(status).toBe(201)
    const [first, second] = body.data.results
    expect([first.external_id, first.data.external_id]).toEqual([free, free])
    expect([second.http_status, second.external_id, Object.keys(second.error.errors)]).toEqual([
      422,
      taken,
      ["invoices.1.external_id"]
    ])
    const renamed = fresh()
    const updates = [{ id: first.id, external_id: renamed }]
    const { body: updated } = await books.call("POST", "/batch/invoices/update", { updates })
    expect(updated.data.results[0]).toMatchObject({ external_id: renamed, data: { external_id: renamed } })
  })
})

it("keeps the archive's copy of an invoice free of them", async () => {
  const business = await open({ plan: "business" })
  const issued = await business.issued({ external_id: "A-1", metadata: { a: "b" } })
  const prints: unknown = await app.inDatabase(
    `select print from archive_deposits where organization_id = ${business.id} and document_id = ${issued.id}`
  )
  const [deposit] = Array.isArray(prints) ? prints : []
  expect(Object.keys(deposit.print)).toContain("terms")
  expect(Object.keys(deposit.print)).not.toContain("metadata")
})
