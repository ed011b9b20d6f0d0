import { assert, describe, it } from "vitest"
import { importer, openAccount, table } from "../banking/Books.ts"
import { camt, entry } from "../banking/statements/Camt.ts"
import { line, paymentBody } from "../support/Billing.ts"
import { useExpenses } from "../support/Expenses.ts"

const { app, open } = useExpenses()
type Books = Awaited<ReturnType<typeof open>>

const month = { from: "2026-01-01", to: "2026-01-31" }
const dated = { issue_date: "2026-01-02", due_date: "2026-01-31" }

/** Records what the firm sold and bought, before its bank statements arrive. */
const keepBooks = async (books: Books) => {
  const { issued, made, spent } = books
  const [whole, inParts, credited] = [
    await issued(dated),
    await issued({ ...dated, items: [line(200)] }),
    await issued(dated)
  ]
  const dollars = await issued({ ...dated, currency: "USD", exchange_rate: 0.9 })
  const cash = await issued(dated)
  const payment = await made("POST", "/payments", { ...paymentBody(cash.id, 121), payment_date: "2026-01-02" })
  const { refunds } = await made("POST", `/payments/${payment.id}/refund`, { amount: 21, reason: "Discount" })
  const bought = { expense_date: "2026-01-03", is_vat_deductible: true }
  const supplies = await spent({ ...bought, amount: 118.4, tax_amount: 20.55 })
  const rent = await spent({ ...bought, category: "rent", amount: 100, tax_amount: 17.36 })
  const returned = await spent({ ...bought, amount: -60.5, tax_amount: -10.5, description: "Returned goods" })
  await made("POST", "/payments", { ...paymentBody(credited.id, 121), payment_date: "2026-01-02" })
  const note = await made("POST", "/credit-notes", { invoice_id: credited.id, amount: 50, reason: "Broken" })
  await made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
  const netted = await keepNetted(books)
  return { whole, inParts, credited, dollars, refund: refunds[0], supplies, rent, returned, note, netted }
}

/**
 * Records three pairs of documents: an expense with returned goods, an invoice with a credit note, and an invoice with a
 * fee. A single bank line will settle both documents of a pair.
 */
const keepNetted = async ({ issued, made, spent }: Books) => {
  const untaxed = { expense_date: "2026-01-03", is_vat_deductible: false, tax_amount: 0 }
  const [bought, returned, fee] = [
    await spent({ ...untaxed, amount: 70 }),
    await spent({ ...untaxed, amount: -20, description: "Returned goods" }),
    await spent({ ...untaxed, amount: 30, category: "bank_fees" })
  ]
  const [sold, paidOut, credited] = [await issued(dated), await issued(dated), await issued(dated)]
  await made("POST", "/payments", { ...paymentBody(credited.id, 121), payment_date: "2026-01-02" })
  const note = await made("POST", "/credit-notes", { invoice_id: credited.id, amount: 20, reason: "Broken" })
  await made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
  return [
    [{ expense_id: bought.id }, { expense_id: returned.id }],
    [{ credit_note_id: note.id }, { invoice_id: sold.id }],
    [{ invoice_id: paidOut.id }, { expense_id: fee.id }]
  ]
}

const stored = { version: 0, updated_at: "", created_at: "" }

/** All records and reports, without versions and times, which are the only trace of changes that were undone. */
const booksOf = async (books: Books, accounts: ReadonlyArray<number>): Promise<unknown> => {
  const records = await Promise.all(
    ["invoices", "payments", "expenses", "credit-notes", "bank-transactions"].map(async (path) =>
      (await books.made("GET", `/${path}?per_page=100&sort=id`)).map((record: object) => ({ ...record, ...stored }))
    )
  )
  const year = "start_date=2026-01-01&end_date=2026-12-31"
  const paths = [
    `/reports/vat?${year}`,
    `/reports/profit-loss?${year}`,
    "/reports/aged-receivables",
    ...accounts.map((id) => `/bank-accounts/${id}/reconciliation-report?from=${month.from}&to=${month.to}`)
  ]
  return [...records, ...(await Promise.all(paths.map((path) => books.made("GET", path))))]
}

describe("A month of a small firm", () => {
  it("ends with every line closed and the balances proved, and is undone to the byte", async () => {
    const books = await open()
    const { call, made } = books
    const records = await keepBooks(books)
    const current = await openAccount(app, books.id)
    const savings = await openAccount(app, books.id, { name: "Savings", iban: null, provider_balance: "500.00" })
    const dollars = await openAccount(app, books.id, {
      name: "Dollars",
      iban: null,
      currency: "USD",
      provider_balance: "335.50"
    })
    const accounts = [current, savings, dollars]
    const before = await booksOf(books, accounts)

    const amounts = ["+121.00", "+100.00", "+142.00", "-118.40", "-60.00", "-40.00", "+60.50"].concat([
      "-21.00",
      "-50.00",
      "-500.00",
      "-5.00",
      "-30.00",
      "-200.00",
      "-201.00",
      "-50.00",
      "+101.00",
      "+91.00"
    ])
    const entries = amounts.map((amount) => entry(amount.slice(1), amount.startsWith("-") ? "DBIT" : "CRDT"))
    const files: ReadonlyArray<readonly [number, string]> = [
      [current, camt(entries, { opening: "1000.00", closing: "340.10" })],
      [savings, table(["2026-01-07", "500,00", "", "from current"])],
      [
        dollars,
        table(
          ["2026-01-08", "216,00", "", "from current"],
          ["2026-01-09", "121,00"],
          ["2026-01-31", "-1,50", "", "fee"]
        )
      ]
    ]
    for (const [account, file] of files) assert.equal((await importer(app, books)(account, file)).status, 201)
    const linesOf = async (account: number): Promise<ReadonlyArray<{ readonly id: number }>> =>
      made("GET", `/bank-transactions?per_page=100&sort=id&bank_account_id=${account}`)
    const own = await linesOf(current)
    const [saved] = await linesOf(savings)
    const [exchanged, sold, fee] = await linesOf(dollars)

    const suggested = await Promise.all(
      [own[9], saved, fee].map(async (one) => (await made("GET", `/bank-transactions/${one?.id}`)).suggestion)
    )
    assert.deepEqual(
      suggested.map(({ id, type }) => [type, id]),
      [
        ["transfer", saved?.id],
        ["transfer", own[9]?.id],
        ["fee", dollars]
      ]
    )

    const matched: Array<number | undefined> = []
    const match = async (id: number | undefined, body: object) => {
      const answer = await call("POST", `/bank-transactions/${id}/match`, body)
      assert.equal(answer.status, 200, `${JSON.stringify(body)} ${answer.text}`)
      matched.push(id)
    }
    const bodies = [
      { invoice_id: records.whole.id },
      { invoice_id: records.inParts.id },
      { invoice_id: records.inParts.id },
      { expense_id: records.supplies.id },
      { expense_id: records.rent.id },
      { expense_id: records.rent.id },
      { expense_id: records.returned.id },
      { payment_refund_id: records.refund.id },
      { credit_note_id: records.note.id }
    ]
    for (const [index, body] of bodies.entries()) await match(own[index]?.id, body)
    await match(own[9]?.id, { transfer_transaction_id: saved?.id })
    await match(own[10]?.id, { exclude: { reason: "fee" } })
    await match(own[11]?.id, { exclude: { reason: "private", note: "Groceries" } })
    const made_ids: Array<number> = []
    for (const [amount, category] of [
      [120, "meals"],
      [60, "travel"]
    ] as const) {
      const part = await made("POST", `/bank-transactions/${own[12]?.id}/create-document`, { amount, category })
      made_ids.push(part.expense_id)
    }
    await match(own[12]?.id, { exclude: { reason: "private" } })
    await match(exchanged?.id, { transfer_transaction_id: own[13]?.id })
    await match(sold?.id, { invoice_id: records.dollars.id })
    await match(fee?.id, { exclude: { reason: "fee" } })
    for (const [index, allocations] of records.netted.entries()) await match(own[14 + index]?.id, { allocations })

    const lines = await made("GET", "/bank-transactions?per_page=100")
    assert.deepEqual(
      lines.filter((one: { status: string; remaining_amount: number }) => one.remaining_amount !== 0),
      []
    )
    for (const account of accounts) {
      const { balance_check, reconciliation_rate, unmatched } = await made(
        "GET",
        `/bank-accounts/${account}/reconciliation-report?from=${month.from}&to=${month.to}`
      )
      assert.deepEqual(
        [balance_check.status, balance_check.difference, reconciliation_rate, unmatched.count],
        ["passed", "0.00", "100.00", 0]
      )
    }
    const settled = await Promise.all(
      [records.whole, records.inParts, records.credited, records.dollars].map(({ id }) => books.invoice(id))
    )
    assert.deepEqual(
      settled.map(({ balance_due, refundable_amount, status }) => [status, balance_due, refundable_amount]),
      Array.from({ length: 4 }, () => ["paid", 0, 0])
    )
    const vat = await made("GET", "/reports/vat?start_date=2026-01-01&end_date=2026-12-31")
    // Output: 21 + 42 + 21 + 21 + 21 USD at 0.9 + 3 x 21 - 8.68 - 3.47 (credits). Input: 20.55 + 17.36 - 10.50.
    assert.deepEqual(vat.totals, { output: "174.75", input: "27.41", net: "147.34" })
    const profit = await made("GET", "/reports/profit-loss?start_date=2026-01-01&end_date=2026-12-31")
    // The net costs are the sum of
    // - 97.85 + 82.64 - 50.00, from expenses with tax;
    // - 120 + 60, from a line that pays two expenses without tax;
    // - 70 - 20 + 30, from lines that each settle two documents.
    assert.equal(profit.expenses.total, "390.49")

    for (const id of matched.toReversed()) await made("POST", `/bank-transactions/${id}/unmatch`)
    for (const id of made_ids) await made("DELETE", `/expenses/${id}`)
    for (const [account] of files) {
      const [{ id }] = await made("GET", `/bank-accounts/${account}/imports`)
      await made("DELETE", `/bank-accounts/${account}/imports/${id}`)
    }
    assert.deepEqual(await booksOf(books, accounts), before)
  })
})
