import { describe, expect, it } from "vitest"
import { importer, newLine, openAccount, table } from "../banking/Books.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { expenseBody } from "../support/Expenses.ts"
import { operations } from "./document/OpenApi.ts"

const { app, open } = useBilling()

/** A record that exists, and a body with which the request succeeds if it sends no `If-Match`. */
interface Given {
  readonly id: number
  readonly body?: object
}

const rule = { name: "Fees", conditions: [{ type: "amount_max", value: 1 }], actions: { category: "bank_fees" } }

const made = (path: string, of: (books: Books) => object, body?: object) => async (books: Books) => {
  const { id } = await books.made("POST", path, of(books))
  return { id, ...(body === undefined ? {} : { body }) }
}

const customer = (body?: object) => made("/customers", () => ({ name: "Gamma" }), body)
const contact = (body?: object) => made("/contacts", ({ customer_id }) => ({ customer_id, name: "Els" }), body)
const quote = (body?: object) => made("/quotes", (books) => ({ ...books.body(), valid_until: "2999-03-31" }), body)
const expense = (body?: object) => made("/expenses", () => expenseBody(), body)
const bankRule = (body?: object) => made("/bank-rules", () => rule, body)
const webhook = (body?: object) =>
  made("/webhooks", () => ({ url: "https://hooks.example.com/", events: ["invoice.paid"] }), body)
const invoice = (body?: object) => made("/invoices", (books) => books.body(), body)
const payment = async (books: Books) => (await books.paid()).payment
const note = async (books: Books) =>
  books.made("POST", "/credit-notes", { invoice_id: (await books.issued()).id, amount: 1, reason: "Returned" })
const imported = (body: object) => async (books: Books) => {
  const id = await newLine(app, books, await openAccount(app, books.id), "-5,00")
  return { id, body }
}
const excluded = async (books: Books) => {
  const id = await newLine(app, books, await openAccount(app, books.id), "-5,00")
  await books.made("POST", `/bank-transactions/${id}/match`, { exclude: { reason: "fee" } })
  return { id }
}

const requests: Readonly<Record<string, (books: Books) => Promise<Given>>> = {
  "bankRules.remove": bankRule(),
  "bankRules.update": bankRule(rule),
  "bankTransactions.createDocument": imported({ category: "fees" }),
  "bankTransactions.match": imported({ exclude: { reason: "fee" } }),
  "bankTransactions.unmatch": excluded,
  "contacts.remove": contact(),
  "contacts.update": contact({ name: "Late" }),
  "creditNotes.remove": note,
  "creditNotes.update": async (books) => ({ ...(await note(books)), body: { reason: "Late" } }),
  "customers.remove": customer(),
  "customers.update": customer({ name: "Late" }),
  "expenses.remove": expense(),
  "expenses.update": expense({ notes: "Late" }),
  "invoices.remove": invoice(),
  "invoices.update": invoice({ notes: "Late" }),
  "organizations.update": ({ id }) => Promise.resolve({ id, body: { city: "Late" } }),
  "payments.remove": payment,
  "payments.update": async (books) => ({ ...(await payment(books)), body: { notes: "Late" } }),
  "quotes.remove": quote(),
  "quotes.update": quote({ notes: "Late" }),
  "webhooks.remove": webhook(),
  "webhooks.rotateSecret": webhook(),
  "webhooks.update": webhook({ description: "Late" })
}

const versioned = operations.filter(({ responses }) => "412" in responses)

describe("an If-Match of another version", () => {
  it("is tested for every operation that declares 412", () => {
    expect(versioned.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(requests))
  })

  it.each(versioned)("is answered with 412 by $method $path, which changes nothing", async (operation) => {
    const books = await open()
    const given = await requests[operation.operationId]?.(books)
    if (given === undefined) throw new Error("No request is known.")
    const path = operation.path.replace("/api/v1", "").replace("{id}", String(given.id))
    const record = path.replace(/\/(?:match|unmatch|create-document|rotate-secret)$/, "")
    const before = await books.made("GET", record)
    const ask = (tag: string) => books.call(operation.method, path, given.body, { headers: { "if-match": tag } })
    expect(await ask(`"v${before.version + 1}"`)).toMatchObject({ status: 412 })
    expect(await books.made("GET", record)).toEqual(before)
    expect([200, 201]).toContain((await ask(`"v${before.version}"`)).status)
  })

  it("does not concern an import and bulk-confirm, which change several transactions", async () => {
    const books = await open()
    const { id } = await excluded(books)
    await books.made("POST", "/bank-rules", {
      ...rule,
      auto_add: true,
      conditions: [{ type: "amount_min", value: 1 }]
    })
    await books.made("POST", `/bank-transactions/${id}/unmatch`)
    const asked = { transaction_ids: [id] }
    const { body } = await books.call("POST", "/bank-transactions/bulk-confirm", asked, {
      headers: { "if-match": '"v99"' }
    })
    expect(body.data.results).toMatchObject([{ status: "confirmed", via: "rule" }])
    const account = await openAccount(app, books.id, { iban: null })
    const file = table(["2026-01-05", "-6,00"])
    const { data } = await importer(app, books)(account, file, {}, books.owner.token, { "if-match": '"v99"' })
    expect(data).toMatchObject({ imported: 1, auto_booked: 1 })
  })

  it("does not concern a batch, which changes several records", async () => {
    const books = await open()
    const { id } = await books.draft()
    const stale = { headers: { "if-match": '"v99"' } }
    const asked = { updates: [{ id, notes: "Late" }] }
    expect(await books.call("POST", "/batch/invoices/update", asked, stale)).toMatchObject({ status: 200 })
    const removal = `/batch/resources?resource=invoices&ids=${id}`
    expect(await books.call("DELETE", removal, undefined, stale)).toMatchObject({ status: 200 })
  })
})
