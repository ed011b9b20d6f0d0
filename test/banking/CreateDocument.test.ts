import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { pdfText } from "../support/files/PdfText.ts"
import { type Books, race, statuses, useBilling } from "../support/Billing.ts"
import { importer, openAccount } from "./Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)
const iban = "BE71096123456769"

type Line = readonly [amount: string, name?: string, text?: string, iban?: string]

/** Creates an organization with these bank lines, imported in the given order. */
const opened = async (...given: ReadonlyArray<Line>) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const rows = given.map(([amount, name = "", text = "", account = ""]) =>
    [today, amount, name, text, account].join(";")
  )
  await importer(app, books)(account, ["Date;Amount;Name;Description;Counterparty IBAN", ...rows].join("\n"))
  const lines: ReadonlyArray<{ readonly id: number }> = (
    await books.made("GET", "/bank-transactions?per_page=100")
  ).toReversed()
  const path = (index: number) => `/bank-transactions/${lines[index]?.id}`
  const create = (index: number, body?: object) => books.call("POST", `${path(index)}/create-document`, body)
  const prefill = (index: number) => books.made("GET", `${path(index)}/document-prefill`)
  const state = (index: number) => books.made("GET", path(index))
  return { books, account, path, create, prefill, state }
}

const printed = async ({ id, owner }: Books, invoice_id: number) => {
  const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
  const response = await fetch(`${app.url}/api/v1/invoices/${invoice_id}/pdf`, { headers })
  return Effect.runPromise(pdfText(new Uint8Array(await response.arrayBuffer())))
}

/** Returns all records that a refused request could have changed. */
const recordsOf = async ({ made }: Books) =>
  Promise.all(
    ["/invoices", "/expenses", "/payments", "/customers", "/bank-transactions"].map((path) => made("GET", path))
  )

describe("POST /api/v1/bank-transactions/{id}/create-document", () => {
  it("creates an expense from a debit, paid by the line, with the line's own details", async () => {
    const { books, create, state } = await opened(["-25,00", "KBC", "Frais de gestion", iban])
    const { body, status } = await create(0)
    assert.equal(status, 201)
    const { amount, created_money_record, expense_id, invoice_id, transaction_status } = body.data
    assert.deepEqual([amount, created_money_record, invoice_id, transaction_status], [25, true, null, "matched"])
    const expense = await books.made("GET", `/expenses/${expense_id}`)
    const line = await state(0)
    assert.deepEqual([line.status, line.expense_id, line.remaining_amount], ["matched", expense_id, 0])
    const { bank_transaction_id, category, description, expense_date, status: state_, vendor } = expense
    assert.deepEqual(
      [expense.amount, bank_transaction_id, category, description, expense_date, state_, vendor],
      [25, line.id, "other", "Frais de gestion", today, "paid", "KBC"]
    )
  })

  it("creates a negative expense from a supplier's refund on request, and no invoice from a debit", async () => {
    const { books, create, path, state } = await opened(["30,00", "Paper Ltd", "Refund", iban], ["-5,00", "Paper Ltd"])
    const refused = await create(1, { document_type: "invoice" })
    assert.deepEqual([refused.status, refused.body.code], [422, "validation_failed"])
    assert.property(refused.body.errors, "document_type")
    const first = await create(0, { document_type: "expense", amount: 10, category: "paper" })
    const rest = await create(0, { document_type: "expense" })
    assert.deepEqual([first.status, rest.status, (await state(0)).status], [201, 201, "matched"])
    assert.deepEqual([rest.body.data.amount, rest.body.data.invoice_id], [20, null])
    const expenses = await Promise.all(
      [first, rest].map(({ body }) => books.made("GET", `/expenses/${body.data.expense_id}`))
    )
    assert.deepEqual(
      expenses.map(({ amount, category, status, vendor }) => [amount, category, status, vendor]),
      [
        [-10, "paper", "paid", "Paper Ltd"],
        [-20, "paper", "paid", "Paper Ltd"]
      ]
    )
    assert.deepEqual(await books.made("GET", "/invoices"), [])
    await books.made("POST", `${path(0)}/unmatch`)
    const open = await books.made("GET", `/expenses/${rest.body.data.expense_id}`)
    assert.deepEqual([open.amount, open.status, open.bank_transaction_id], [-20, "pending", null])
  })

  it("prefers the details that the client sends", async () => {
    const { books, create } = await opened(["-25,00", "KBC", "Frais"], ["121,00", "Somebody"])
    const said = { counterparty_name: "Landlord", description: "Rent", date: "2026-02-01", category: "rent" }
    const expense = await books.made("GET", `/expenses/${(await create(0, said)).body.data.expense_id}`)
    assert.deepEqual(
      [expense.vendor, expense.description, expense.expense_date, expense.category],
      ["Landlord", "Rent", "2026-02-01", "rent"]
    )
    const { body } = await create(1, { ...said, counterparty_id: books.customer_id })
    const invoice = await books.invoice(body.data.invoice_id)
    assert.deepEqual(
      [invoice.customer_id, invoice.issue_date, invoice.due_date, invoice.items[0].description],
      [books.customer_id, "2026-02-01", "2026-02-01", "Rent"]
    )
  })

  it("creates an issued and paid invoice from a credit, whose total is exactly the amount", async () => {
    const { books, create } = await opened(["100,00", "Gamma", "Order 7", iban])
    const { body } = await create(0)
    const invoice = await books.invoice(body.data.invoice_id)
    const { balance_due, items, number, rounding_adjustment, sent_method, status, subtotal, tax_total, total } = invoice
    assert.deepEqual(
      [status, sent_method, total, balance_due, subtotal, tax_total, rounding_adjustment, items.length],
      ["paid", "manual", 100, 0, 82.64, 17.35, 0.01, 1]
    )
    assert.match(number, /^INV-/)
    const [payment] = await books.made("GET", "/payments")
    assert.deepEqual([payment.id, payment.amount, payment.payment_date], [body.data.payment_id, 100, today])
    const customer = await books.made("GET", `/customers/${invoice.customer_id}`)
    assert.equal(customer.name, "Gamma")
    assert.match(await printed(books, invoice.id), /Rounding\s+€0[.,]01/)
    const copy = await books.made("POST", `/invoices/${invoice.id}/duplicate`)
    assert.deepEqual([copy.total, copy.rounding_adjustment], [99.99, 0])
  })

  it("recognizes the customer it created by IBAN the next time", async () => {
    const { books, create, prefill } = await opened(
      ["100,00", "Gamma Ltd", "1", iban],
      ["50,00", "GAMMA HOLDING", "2", iban]
    )
    const first = await books.invoice((await create(0)).body.data.invoice_id)
    const { counterparty, document_type } = await prefill(1)
    assert.deepEqual(
      [document_type, counterparty],
      ["invoice", { id: first.customer_id, type: "customer", name: "Gamma Ltd", match: "iban", confidence: 1 }]
    )
    const second = await books.invoice((await create(1)).body.data.invoice_id)
    assert.equal(second.customer_id, first.customer_id)
  })

  it("creates a customer with the given name and stores the IBAN with it", async () => {
    const { books, create, prefill } = await opened(["10,00", "x", "", iban], ["20,00", "y", "", iban])
    const { body } = await create(0, { counterparty_name: "Beta" })
    const { customer_id } = await books.invoice(body.data.invoice_id)
    assert.notEqual(customer_id, books.customer_id)
    assert.equal((await prefill(1)).counterparty.id, customer_id)
  })

  it("refuses matched lines, foreign counterparties and invoices without customer, and changes nothing", async () => {
    const { books, create } = await opened(["100,00"], ["50,00", "Delta"], ["-5,00", "Epsilon"])
    const others = await open()
    assert.equal((await create(1)).status, 201)
    assert.equal((await create(2)).status, 201)
    const [vendor] = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ id: number }>`select id from counterparties where organization_id = ${books.id} and is_vendor`
      ).pipe(Effect.orDie)
    )
    const before = await recordsOf(books)
    const refusals: ReadonlyArray<readonly [number, object, string]> = [
      [0, {}, "customer_required"],
      [0, { counterparty_id: vendor?.id }, "customer_required"],
      [0, { counterparty_id: others.customer_id }, "validation_failed"],
      [0, { counterparty_name: "New", date: "soon" }, "validation_failed"],
      [1, { counterparty_name: "New" }, "already_matched"],
      [2, { counterparty_name: "New" }, "already_matched"]
    ]
    for (const [index, body, code] of refusals) {
      const answer = await create(index, body)
      assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(body))
    }
    assert.include((await create(0, { counterparty_id: vendor?.id })).body.message, "counterparty_id names a vendor")
    assert.deepEqual(await recordsOf(books), before)
  })

  it("hides lines of other organizations", async () => {
    const { path } = await opened(["100,00", "Gamma"])
    const others = await open()
    assert.equal((await others.call("POST", `${path(0)}/create-document`, {})).status, 404)
    assert.equal((await others.call("GET", `${path(0)}/document-prefill`)).status, 404)
  })

  it("creates one document when requested many times concurrently, or in a race with match", async () => {
    const { books, create, path } = await opened(["100,00", "Gamma"], ["-40,00", "Gamma"])
    const invoice = await books.issued()
    const answers = await race(6, (index) =>
      index % 3 === 2 ? books.call("POST", `${path(0)}/match`, { invoice_id: invoice.id, amount: 100 }) : create(0)
    )
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    assert.deepEqual(new Set(answers.flatMap(({ body }) => body.code ?? [])), new Set(["already_matched"]))
    assert.deepEqual(statuses(await race(4, () => create(1))), { 201: 1, 422: 3 })
    assert.equal((await books.made("GET", "/payments")).length, 1)
    assert.equal((await books.made("GET", "/expenses")).length, 1)
  })

  it("creates documents from many lines concurrently, with new customers and other invoices being issued", async () => {
    const lines = Array.from({ length: 6 }, (_, index): Line => [`${index + 1}0,00`, `Customer ${index}`])
    const { books, create } = await opened(...lines)
    const drafts = [await books.draft(), await books.draft(), await books.draft()]
    const answers = await Promise.all([
      ...lines.map((_, index) => create(index)),
      ...drafts.map(({ id }) => books.call("POST", `/invoices/${id}/mark-sent`))
    ])
    assert.deepEqual(statuses(answers), { 200: 3, 201: 6 })
  })

  it("creates a document over the remaining amount of a partially matched line", async () => {
    const { books, create, path, prefill, state } = await opened(["150,00", "Gamma"])
    const invoice = await books.issued()
    await books.made("POST", `${path(0)}/match`, { invoice_id: invoice.id })
    assert.equal((await prefill(0)).amount, 29)
    const { body } = await create(0)
    assert.equal((await books.invoice(body.data.invoice_id)).total, 29)
    assert.equal((await state(0)).status, "matched")
  })

  it("keeps the document when the match is undone, but deletes its payment", async () => {
    const { books, create, path } = await opened(["100,00", "Gamma"], ["-40,00", "KBC"])
    const { invoice_id } = (await create(0)).body.data
    const { expense_id } = (await create(1)).body.data
    await books.made("POST", `${path(0)}/unmatch`)
    await books.made("POST", `${path(1)}/unmatch`)
    const invoice = await books.invoice(invoice_id)
    assert.deepEqual([invoice.total, invoice.balance_due, invoice.payment_status], [100, 100, "unpaid"])
    const expense = await books.made("GET", `/expenses/${expense_id}`)
    assert.deepEqual([expense.status, expense.bank_transaction_id], ["pending", null])
    assert.equal((await create(0)).status, 201)
  })
})

describe("GET /api/v1/bank-transactions/{id}/document-prefill", () => {
  it("answers the document that a debit would create", async () => {
    const { path, prefill } = await opened(["-25,00", "KBC", "Frais de gestion", iban])
    assert.deepEqual(await prefill(0), {
      transaction_id: Number(path(0).split("/").at(-1)),
      document_type: "expense",
      amount: 25,
      currency: "EUR",
      date: today,
      description: "Frais de gestion",
      counterparty: { id: null, type: "vendor", name: "KBC", match: "none", confidence: 0 },
      counterparty_name: "KBC",
      category: "other"
    })
  })

  it("answers the description that a line without a text would give to its document", async () => {
    const { create, prefill, books } = await opened(["-25,00", "KBC"])
    assert.equal((await prefill(0)).description, "KBC")
    const { expense_id } = (await create(0)).body.data
    assert.equal((await books.made("GET", `/expenses/${expense_id}`)).description, "KBC")
  })

  it("answers and uses the category of a rule only for a whole line", async () => {
    const { books, create, path, prefill } = await opened(["-25,00", "KBC", "frais"])
    const conditions = [{ type: "remittance_contains", value: "frais" }]
    await books.made("POST", "/bank-rules", { name: "Fees", conditions, actions: { category: "bank_fees" } })
    assert.equal((await prefill(0)).category, "bank_fees")
    const expense = { expense_date: today, category: "rent", amount: 20, currency: "EUR", description: "Rent" }
    const { id } = await books.made("POST", "/expenses", expense)
    await books.made("POST", `${path(0)}/match`, { expense_id: id })
    assert.equal((await prefill(0)).category, "other")
    const { expense_id } = (await create(0)).body.data
    assert.equal((await books.made("GET", `/expenses/${expense_id}`)).category, "other")
  })

  it("finds customers and vendors by similar names, and the vendor's usual category", async () => {
    const { books, prefill } = await opened(
      ["-25,00", "VERRERIE DE BIOT SARL"],
      ["10,00", "BETA BV"],
      ["5,00", "Omega"]
    )
    const expense = { expense_date: today, category: "glass", amount: 1, currency: "EUR", description: "Globes" }
    await books.made("POST", "/expenses", { ...expense, vendor: "Verrerie de Biot" })
    const debit = await prefill(0)
    assert.deepEqual(
      [debit.counterparty, debit.category],
      [{ id: null, type: "vendor", name: "Verrerie de Biot", match: "fuzzy", confidence: 1 }, "glass"]
    )
    assert.deepEqual((await prefill(1)).counterparty, {
      id: books.customer_id,
      type: "customer",
      name: "Beta",
      match: "fuzzy",
      confidence: 1
    })
    assert.equal((await prefill(2)).counterparty.match, "none")
    assert.equal((await prefill(2)).category, null)
  })
})
