import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { importer, openAccount } from "../Books.ts"
import { ended, today, useLines } from "../Lines.ts"

const { app, opened } = useLines()

type Opened = Awaited<ReturnType<typeof opened>>

const pay = ({ books }: Opened, invoice_id: number, amount: number, more: object = {}) =>
  books.made("POST", "/payments", {
    invoice_id,
    amount,
    payment_date: today,
    payment_method: "bank_transfer",
    ...more
  })
const confirm = async ({ books, lines }: Opened) =>
  (await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: lines })).results
const expense = { expense_date: today, category: "fees", amount: 100, currency: "EUR", description: "Fees" }
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const rule = {
  name: "Fees",
  direction: "debit",
  auto_add: true,
  conditions: [{ type: "amount_min", value: 1 }],
  actions: { category: "fees" }
}

describe("Money that was recorded before its bank line arrived", () => {
  it("is linked with the line by bulk-confirm, and unlinked by unmatch", async () => {
    const all = await opened()
    const { add, books, state, unmatch } = all
    const invoice = await books.issued()
    const payment = await pay(all, invoice.id, 50)
    const [line] = await add([["50,00", `Invoice ${invoice.number}`]], { iban: null })
    const { suggestion } = await state(line)
    assert.deepEqual([suggestion.type, suggestion.id, suggestion.difference], ["invoice", invoice.id, null])
    assert.include(
      suggestion.signals.map(({ signal }: { readonly signal: string }) => signal),
      "recorded"
    )
    const before = await books.invoice(invoice.id)
    const [result] = await confirm({ ...all, lines: [line ?? 0] })
    assert.deepEqual([result.status, result.via, result.invoice_id], ["confirmed", "document", invoice.id])
    const linked = await books.made("GET", "/payments")
    assert.deepEqual(
      linked.map((each: Record<string, unknown>) => [each.id, each.bank_transaction_id]),
      [[payment.id, line]]
    )
    assert.deepEqual(await books.invoice(invoice.id), before)
    assert.deepEqual(ended(await state(line)), ["matched", 50, 0, 1])
    assert.equal((await books.call("DELETE", `/payments/${payment.id}`)).status, 422)

    await unmatch(line)
    const free = await books.made("GET", `/payments/${payment.id}`)
    assert.deepEqual([free.bank_transaction_id, free.amount], [null, 50])
    assert.deepEqual(await books.invoice(invoice.id), before)
    assert.equal((await books.call("DELETE", `/payments/${payment.id}`)).status, 200)
    await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
  })

  it("is linked by a match of a paid invoice, of any day", async () => {
    const all = await opened(["121,00", "", daysAgo(30)])
    const { books, lines, match, state } = all
    const invoice = await books.issued()
    await books.made("POST", `/invoices/${invoice.id}/mark-paid`, {})
    const { body, status } = await match(lines[0], { invoice_id: invoice.id })
    assert.equal(status, 200)
    const payments = await books.made("GET", "/payments")
    assert.deepEqual(
      [payments.length, payments[0].id, payments[0].bank_transaction_id],
      [1, body.data.payment_id, lines[0]]
    )
    assert.equal((await state(lines[0])).status, "matched")
    assert.equal((await match(lines[0], { invoice_id: invoice.id })).body.code, "already_matched")
  })

  it("is another payment if it is older while the invoice is open, was cash, or has another amount", async () => {
    const all = await opened(["30,00"], ["20,00"], ["10,00"])
    const { books, lines, match } = all
    const invoice = await books.issued()
    await pay(all, invoice.id, 30, { payment_date: daysAgo(9) })
    await pay(all, invoice.id, 20, { payment_method: "cash" })
    for (const line of lines) assert.equal((await match(line, { invoice_id: invoice.id })).status, 200)
    assert.equal((await books.made("GET", "/payments")).length, 5)
  })

  it("is named in the request if several payments fit", async () => {
    const all = await opened(["50,00"], ["50,00"])
    const { books, lines, match, unmatch } = all
    const invoice = await books.issued()
    const [first, second] = [await pay(all, invoice.id, 50), await pay(all, invoice.id, 50)]
    const { body, status } = await match(lines[0], { invoice_id: invoice.id })
    assert.deepEqual([status, body.code], [422, "several_payments"])
    assert.deepEqual(body.details.payment_ids, [first.id, second.id])
    const named = await match(lines[0], { invoice_id: invoice.id, payment_id: second.id })
    assert.equal(named.body.data.payment_id, second.id)
    assert.equal((await match(lines[1], { invoice_id: invoice.id, payment_id: second.id })).status, 422)
    const made = await match(lines[1], { invoice_id: invoice.id, payment_id: null, amount: 21 })
    assert.notInclude([first.id, second.id], made.body.data.payment_id)
    await unmatch(lines[1])
    assert.equal((await books.made("GET", "/payments")).length, 2)
  })

  it("is linked by a divided match that names the payment, with the amount of the payment", async () => {
    const all = await opened(["70,00"], ["-70,00"])
    const { books, lines, match, state } = all
    const [invoice, other] = [await books.issued(), await books.issued()]
    const payment = await pay(all, invoice.id, 50, { payment_date: daysAgo(40) })
    const named = { invoice_id: invoice.id, payment_id: payment.id }
    const rest = { invoice_id: other.id, amount: 20 }
    for (const allocations of [
      [{ ...named, invoice_id: other.id }, rest],
      [{ ...named, amount: 40 }, rest],
      [{ exclude: { reason: "other" }, payment_id: payment.id, amount: 50 }, rest]
    ]) {
      const { body, status } = await match(lines[0], { allocations })
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["payment_id"]])
    }
    const deducted = await match(lines[1], {
      allocations: [
        { exclude: { reason: "other" }, amount: 120 },
        { ...named, amount: -50 }
      ]
    })
    assert.deepEqual([deducted.status, Object.keys(deducted.body.errors)], [422, ["payment_id"]])
    const { matches } = (await match(lines[0], { allocations: [named, rest] })).body.data
    assert.deepEqual(
      matches.map(({ amount, payment_id }: Record<string, number>) => [amount, payment_id === payment.id]),
      [
        [50, true],
        [20, false]
      ]
    )
    assert.deepEqual(ended(await state(lines[0])), ["matched", 70, 0, 2])
    assert.equal((await books.made("GET", "/payments")).length, 2)
  })

  it("is linked by a match of a part of the line that names the payment", async () => {
    const all = await opened(["70,00"])
    const { books, lines, match } = all
    const invoice = await books.issued()
    const payment = await pay(all, invoice.id, 50)
    const { data } = (await match(lines[0], { invoice_id: invoice.id, payment_id: payment.id })).body
    assert.deepEqual([data.payment_id, data.amount, data.transaction_status], [payment.id, 50, "partially_matched"])
  })

  it("is not linked with a line that has less than the named payment", async () => {
    const all = await opened(["100,00"])
    const { books, lines, match, state } = all
    const invoice = await books.issued()
    const payment = await pay(all, invoice.id, 121)
    const named = { invoice_id: invoice.id, payment_id: payment.id }
    for (const asked of [named, { allocations: [named] }, { ...named, amount: 121 }]) {
      const { body, status } = await match(lines[0], asked)
      assert.deepEqual([status, body.code], [422, "amount_exceeds_remaining"])
    }
    assert.deepEqual(ended(await state(lines[0])), ["unmatched", 0, 100, 0])
    assert.equal((await books.made("GET", `/payments/${payment.id}`)).bank_transaction_id, null)

    // A fee that the bank deducted makes up for the difference.
    const fee = { exclude: { reason: "fee" }, amount: -21 }
    assert.equal((await match(lines[0], { allocations: [named, fee] })).status, 200)
    assert.equal((await books.made("GET", `/payments/${payment.id}`)).bank_transaction_id, lines[0])
  })

  it("keeps a rule from booking a paid expense again, and is linked by a match", async () => {
    const all = await opened()
    const { add, books, match, state, unmatch } = all
    await books.made("POST", "/bank-rules", rule)
    const { id } = await books.made("POST", "/expenses", expense)
    await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "bank_transfer" })
    const [line, other] = await add(
      [
        ["-100,00", "Bank"],
        ["-70,00", "Bank"]
      ],
      { iban: null }
    )
    const { status, suggestion } = await state(line)
    assert.deepEqual([status, suggestion.type, suggestion.id], ["suggested", "expense", id])
    assert.equal((await state(other)).status, "matched")
    assert.equal((await match(line, { expense_id: id })).body.data.transaction_status, "matched")
    const paid = await books.made("GET", `/expenses/${id}`)
    assert.deepEqual([paid.status, paid.bank_transaction_id], ["paid", line])
    await unmatch(line)
    const free = await books.made("GET", `/expenses/${id}`)
    assert.deepEqual([free.status, free.bank_transaction_id, free.paid_at], ["paid", null, paid.paid_at])
    assert.equal((await books.made("GET", "/expenses")).length, 2)
    await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
  })

  it("keeps a rule from booking a line whose account belongs to another known party", async () => {
    const { books, match, state, unmatch } = await opened()
    await books.made("POST", "/bank-rules", rule)
    const account = await openAccount(app, books.id, { iban: null })
    const add = async (amount: string) => {
      const row = `${today};${amount};Paying Services;BE71096123456769`
      await importer(app, books)(account, `Date;Amount;Name;Counterparty IBAN\n${row}`)
      return (await books.made("GET", "/bank-transactions?per_page=1&sort=-id"))[0].id
    }
    assert.equal((await state(await add("-70,00"))).status, "matched")
    const { id } = await books.made("POST", "/expenses", { ...expense, vendor: "Alpha Cleaning" })
    await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "bank_transfer" })
    const line = await add("-100,00")
    const { status, suggestion } = await state(line)
    assert.deepEqual([status, suggestion.type, suggestion.id, suggestion.score], ["suggested", "expense", id, 10])
    const points = suggestion.signals.map((signal: { readonly points: number }) => signal.points)
    assert.equal(points.reduce((sum: number, each: number) => sum + each) * 5, suggestion.score)
    const confirmed = async () => {
      const [result] = (await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [line] }))
        .results
      return [result.status, result.reason ?? result.via]
    }
    assert.deepEqual(await confirmed(), ["skipped", "ambiguous"])
    assert.equal((await books.made("GET", "/expenses")).length, 2)
    await match(line, { expense_id: id })
    await unmatch(line)
    assert.deepEqual(await confirmed(), ["confirmed", "rule"])
  })

  it("keeps the payment method that a user gave an expense after the match", async () => {
    const { books, lines, match, unmatch } = await opened(["-100,00"], ["-100,00"])
    const { id } = await books.made("POST", "/expenses", expense)
    const method = async () => {
      const { payment_method, status } = await books.made("GET", `/expenses/${id}`)
      return [status, payment_method]
    }
    await match(lines[0], { expense_id: id })
    await unmatch(lines[0] ?? 0)
    assert.deepEqual(await method(), ["pending", null])
    await match(lines[0], { expense_id: id })
    await books.made("PUT", `/expenses/${id}`, { payment_method: "direct_debit" })
    await unmatch(lines[0] ?? 0)
    assert.deepEqual(await method(), ["pending", "direct_debit"])
    await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "direct_debit" })
    await match(lines[1], { expense_id: id })
    await books.made("PUT", `/expenses/${id}`, { payment_method: "bank_transfer" })
    await unmatch(lines[1] ?? 0)
    assert.deepEqual(await method(), ["paid", "bank_transfer"])
  })

  it("keeps an expense paid when the match before it is undone", async () => {
    const { books, lines, match, unmatch } = await opened(["-60,00"], ["-40,00"])
    const { id } = await books.made("POST", "/expenses", expense)
    await match(lines[0], { expense_id: id })
    await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "direct_debit" })
    assert.equal((await match(lines[1], { expense_id: id })).status, 200)
    for (const [line, left] of [
      [lines[0], lines[1]],
      [lines[1], null]
    ]) {
      await unmatch(line ?? 0)
      const { bank_transaction_id, payment_method, status } = await books.made("GET", `/expenses/${id}`)
      assert.deepEqual([status, payment_method, bank_transaction_id], ["paid", "direct_debit", left])
    }
  })

  it("is compared with the line by the day in the organization's time zone", async () => {
    const { add, books, state } = await opened()
    await books.made("PUT", `/organizations/${books.id}`, { timezone: "Pacific/Kiritimati" })
    for (const amount of [100, 70]) {
      const { id } = await books.made("POST", "/expenses", { ...expense, amount, expense_date: daysAgo(60) })
      await books.made("POST", `/expenses/${id}/mark-paid`, { paid_at: daysAgo(6) })
    }
    const [late, early] = await add(
      [
        ["-100,00", "", daysAgo(1)],
        ["-70,00", "", daysAgo(12)]
      ],
      { iban: null }
    )
    assert.deepEqual([(await state(late)).status, (await state(early)).status], ["suggested", "unmatched"])
  })
})

describe("POST /api/v1/bank-transactions/{id}/match", () => {
  it("explains the match of the suggested document by the signals of the suggestion", async () => {
    const { add, books, match, state } = await opened()
    const invoice = await books.issued()
    const [line, other] = await add(
      [
        ["121,00", `Invoice ${invoice.number}`],
        ["5,00", ""]
      ],
      { iban: null }
    )
    const { suggestion } = await state(line)
    const { body } = await match(line, { invoice_id: invoice.id })
    assert.isAbove(suggestion.signals.length, 0)
    assert.deepEqual(body.data.explanation, suggestion.signals)
    assert.deepEqual((await match(other, { exclude: { reason: "other" } })).body.data.explanation, [])
  })
})
