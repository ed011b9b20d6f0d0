import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../support/Billing.ts"
import { expenseBody } from "../support/Expenses.ts"
import { bodyOf, business, type Endpoint, pathOf } from "./Endpoints.ts"
import { upload } from "./Upload.ts"

const not_found = '{"success":false,"message":"Not found.","code":"not_found"}'

/** The largest id there can be; nobody has it. */
const missing = 2_147_483_647
const noIds = ["abc", "0", "01", "1e0", "-1", "+1", "1.5", "0x1", "1%20", "2147483648", "99999999999"]

const { app, open } = useBilling()
let ours: Books
let theirs: Books
let own: Readonly<Record<string, number | string>>
let foreign: Readonly<Record<string, number | string>>

/** One record of each collection that a path can name. */
const records = async (books: Books) => {
  const contact = await books.made("POST", "/contacts", { customer_id: books.customer_id, name: "Els" })
  const { invoice, payment } = await books.paid()
  const uploaded = await books.call("POST", "/expenses/upload-receipt", undefined, await upload())
  const attached = await books.call("POST", `/invoices/${invoice.id}/attachments`, undefined, await upload())
  return {
    organizations: books.id,
    users: books.owner.id,
    customers: books.customer_id,
    contacts: contact.id,
    invoices: invoice.id,
    attachments: attached.body.data.id,
    "credit-notes": (
      await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "Returned" })
    ).id,
    quotes: (await books.made("POST", "/quotes", { ...books.body(), valid_until: "2999-03-31" })).id,
    payments: payment.id,
    webhooks: (await books.made("POST", "/webhooks", { url: "https://hooks.example.com", events: ["*"] })).id,
    expenses: (await books.made("POST", "/expenses", expenseBody())).id,
    ocr: uploaded.body.data.receipt_ref
  }
}

beforeAll(async () => {
  ours = await open()
  theirs = await open({ name: "Theirs" })
  own = await records(ours)
  foreign = await records(theirs)
})

/** All that an organization has, to the byte. */
const everythingOf = (id: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`
        select table_name as name from information_schema.columns
        where column_name = 'organization_id' and table_schema = 'public' order by table_name`
      return yield* Effect.forEach(
        tables,
        ({ name }) => sql`select t::text as row from ${sql(name)} t where organization_id = ${id} order by t::text`
      )
    })
  )

const ask = (endpoint: Endpoint, collection: string, id: number | string) =>
  ours.call(
    endpoint.method,
    pathOf(endpoint, (named) => (named === collection ? id : (own[named] ?? 0))).replace("/api/v1", ""),
    bodyOf(endpoint)
  )

const addressed = business.flatMap((endpoint) =>
  endpoint.ids.map(({ collection, param }) => ({ ...endpoint, collection, param }))
)

describe("an id of another organization", () => {
  it.each(addressed)("in $method $path is 404 for $param, as a missing one is, and nothing changes", async (row) => {
    const { collection } = row
    const id = foreign[collection]
    expect(id, `a record of ${collection} of another organization`).toBeTruthy()
    const before = await everythingOf(theirs.id)
    const answer = await ask(row, collection, id ?? 0)
    expect(answer).toMatchObject({ status: 404, text: not_found })
    const absent = await ask(row, collection, missing)
    expect([absent.status, absent.text]).toEqual([answer.status, answer.text])
    const names = ({ headers }: typeof answer) => [...headers.keys()].toSorted()
    expect(names(absent)).toEqual(names(answer))
    expect(await everythingOf(theirs.id)).toEqual(before)
  })
})

describe("an id that is no number", () => {
  it.each(addressed)("in $method $path is the same 404 for $param", async (row) => {
    for (const id of noIds) {
      const { status, text } = await ask(row, row.collection, id)
      expect([id, status, text]).toEqual([id, 404, not_found])
    }
  })
})

describe("the path of a record that exists", () => {
  it.each(addressed.filter(({ method }) => method === "GET"))("$method $path is not 404", async (row) => {
    // A receipt that is still being read is 202.
    expect([200, 202]).toContain((await ask(row, row.collection, own[row.collection] ?? 0)).status)
  })
})
