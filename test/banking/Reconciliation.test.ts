import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { seedMember } from "../support/database/Seed.ts"
import { type Books, race, statuses, useBilling } from "../support/Billing.ts"
import { importer, newLine, openAccount, table } from "./Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

type Line = readonly [amount: string, text?: string]

/** Creates an organization with these bank lines, imported in the given order. */
const opened = async (...given: ReadonlyArray<Line>) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  await importer(app, books)(account, table(...given.map(([amount, text = ""]) => [today, amount, "", text] as const)))
  const read = async (): Promise<ReadonlyArray<{ readonly id: number; readonly status: string }>> =>
    (await books.made("GET", "/bank-transactions?per_page=100")).toReversed()
  const lines = await read()
  const line = (index: number) => lines[index]?.id ?? 0
  const state = async (index: number) => books.made("GET", `/bank-transactions/${line(index)}`)
  const match = (index: number, body: object) => books.call("POST", `/bank-transactions/${line(index)}/match`, body)
  return { books, lines, line, state, match }
}

const paymentsOf = async (books: Books) => books.made("GET", "/payments")
const expenseBody = {
  expense_date: today,
  category: "rent",
  amount: 100,
  currency: "EUR",
  description: "Rent",
  vendor: "Landlord"
}

describe("POST /api/v1/bank-transactions/{id}/match", () => {
  it("pays the invoice with the line, and answers the match", async () => {
    const { books, line, match, state } = await opened(["121,00", "hello"])
    const invoice = await books.issued()
    const { body, status } = await match(0, { invoice_id: invoice.id })
    assert.equal(status, 200)
    const [payment] = await paymentsOf(books)
    const part = {
      id: body.data.id,
      bank_transaction_id: line(0),
      invoice_id: invoice.id,
      expense_id: null,
      payment_refund_id: null,
      credit_note_id: null,
      transfer_transaction_id: null,
      exclude: null,
      payment_id: payment.id,
      amount: 121,
      created_money_record: false,
      explanation: []
    }
    assert.deepEqual(body.data, { ...part, transaction_status: "matched", matches: [part] })
    assert.deepEqual([payment.bank_transaction_id, payment.payment_date, payment.amount], [line(0), today, 121])
    assert.equal((await books.invoice(invoice.id)).status, "paid")
    const { invoice_id, matched_amount, remaining_amount, status: now } = await state(0)
    assert.deepEqual([now, invoice_id, matched_amount, remaining_amount], ["matched", invoice.id, 121, 0])
    assert.equal((await books.call("DELETE", `/payments/${payment.id}`)).status, 422)
  })

  it("takes a target that is null for one that is not named", async () => {
    const { books, line, match, state } = await opened(["121,00"])
    const { id } = await books.issued()
    const others = { expense_id: null, payment_refund_id: null, credit_note_id: null, transfer_transaction_id: null }
    const nothing = { ...others, exclude: null, amount: null, allocations: null }
    assert.equal((await match(0, { ...nothing, invoice_id: null })).status, 422)
    const { body, status } = await match(0, { ...nothing, invoice_id: id })
    assert.deepEqual([status, body.data?.invoice_id, (await state(0)).status], [200, id, "matched"])
    await books.made("POST", `/bank-transactions/${line(0)}/unmatch`, { match_id: null })
    assert.equal((await match(0, { invoice_id: null, allocations: [{ ...others, invoice_id: id }] })).status, 200)
  })

  it("distributes a line over several invoices, first a part and then the rest", async () => {
    const { books, match, state } = await opened(["200,00"])
    const [first, second] = [await books.issued(), await books.issued()]
    const { body } = await match(0, { allocations: [{ invoice_id: first.id }, { invoice_id: second.id, amount: 50 }] })
    assert.deepEqual([body.data.transaction_status, body.data.matches.length], ["partially_matched", 2])
    assert.equal((await state(0)).remaining_amount, 29)
    assert.equal((await match(0, { invoice_id: second.id })).body.data.amount, 29)
    assert.equal((await state(0)).status, "matched")
    assert.equal((await books.invoice(second.id)).balance_due, 42)
  })

  it("marks an expense as paid with the last of several debits", async () => {
    const { books, match, state } = await opened(["-60,00"], ["-40,00"])
    const expense = await books.made("POST", "/expenses", expenseBody)
    assert.equal((await match(0, { expense_id: expense.id })).body.data.transaction_status, "matched")
    assert.equal((await books.made("GET", `/expenses/${expense.id}`)).status, "pending")
    assert.equal((await match(1, { expense_id: expense.id })).status, 200)
    const paid = await books.made("GET", `/expenses/${expense.id}`)
    assert.deepEqual([paid.status, paid.bank_transaction_id], ["paid", (await state(1)).id])
  })

  it("refuses unfitting documents, and changes nothing", async () => {
    const { books, lines, match } = await opened(["121,00"], ["-50,00"])
    const others = await open()
    const invoice = await books.issued()
    const dollars = await books.issued({ currency: "USD" })
    const expense = await books.made("POST", "/expenses", expenseBody)
    const several = [await books.issued(), await books.issued()].map(({ id: invoice_id }) => ({ invoice_id }))
    const spent = [expense.id, (await books.made("POST", "/expenses", expenseBody)).id]
    const refusals: ReadonlyArray<readonly [number, object, number, string]> = [
      [0, { expense_id: expense.id }, 422, "direction_mismatch"],
      [1, { invoice_id: invoice.id }, 422, "direction_mismatch"],
      [0, { invoice_id: dollars.id }, 422, "currency_mismatch"],
      [0, { invoice_id: invoice.id, amount: 121.01 }, 422, "amount_exceeds_remaining"],
      [0, { allocations: [{ invoice_id: invoice.id }, { invoice_id: invoice.id, amount: 1 }] }, 422, "already_paid"],
      [0, { allocations: several }, 422, "amount_exceeds_remaining"],
      [1, { allocations: spent.map((expense_id) => ({ expense_id })) }, 422, "amount_exceeds_remaining"],
      [0, { invoice_id: invoice.id, amount: 0.001 }, 422, "validation_failed"],
      [0, { invoice_id: (await others.issued()).id }, 404, "not_found"],
      [0, { invoice_id: invoice.id, expense_id: expense.id }, 422, "validation_failed"],
      [0, { invoice_id: invoice.id, allocations: [{ invoice_id: invoice.id }] }, 422, "validation_failed"],
      [0, { amount: 1, allocations: [{ invoice_id: invoice.id }] }, 422, "validation_failed"],
      [0, { allocations: [{ amount: 1 }] }, 422, "validation_failed"],
      [0, { allocations: [] }, 422, "validation_failed"],
      [0, {}, 422, "validation_failed"]
    ]
    for (const [index, body, status, code] of refusals) {
      const answer = await match(index, body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body))
    }
    const negative = await match(0, { invoice_id: invoice.id, amount: -1 })
    assert.deepEqual(negative.body.errors, { amount: ["The amount field must be greater than 0."] })
    assert.deepEqual(await paymentsOf(books), [])
    assert.deepEqual((await books.made("GET", "/bank-transactions")).toReversed(), lines)
  })

  it("pays once when confirmed many times concurrently in different ways", async () => {
    const { books, line, match } = await opened(["121,00", "INV"])
    const [invoice, other] = [await books.issued(), await books.issued()]
    const answers = await race(8, (index) => match(0, { invoice_id: index % 2 === 0 ? invoice.id : other.id }))
    assert.deepEqual(statuses(answers), { 200: 1, 422: 7 })
    assert.deepEqual(
      new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code)),
      new Set(["already_matched"])
    )
    assert.equal((await paymentsOf(books)).length, 1)
    assert.equal((await books.made("GET", `/bank-transactions/${line(0)}`)).matched_amount, 121)
  })

  it("lets only one of two lines pay an invoice", async () => {
    const { books, match } = await opened(["121,00"], ["121,00"])
    const invoice = await books.issued()
    const answers = await race(2, (index) => match(index, { invoice_id: invoice.id, amount: 121 }))
    assert.deepEqual(statuses(answers), { 200: 1, 422: 1 })
    assert.equal((await books.invoice(invoice.id)).amount_paid, 121)
  })

  it("hides lines of other organizations and requires the role", async () => {
    const { books, line } = await opened(["121,00"])
    const others = await open()
    const path = `/bank-transactions/${line(0)}`
    for (const [method, to] of [
      ["GET", path],
      ["POST", `${path}/unmatch`]
    ] as const) {
      assert.equal((await others.call(method, to)).status, 404)
    }
    assert.equal((await others.call("POST", `${path}/match`, { invoice_id: 1 })).status, 404)
    const { token } = await app.run(seedMember(books.id, "member"))
    assert.equal((await books.call("POST", `${path}/match`, { invoice_id: 1 }, { token })).status, 403)
  })
})

describe("POST /api/v1/bank-transactions/{id}/unmatch", () => {
  it("undoes only the named match, keeps the document and remembers the pair", async () => {
    const { books, line, match, state } = await opened(["242,00"])
    const [first, second] = [await books.issued(), await books.issued()]
    const { body } = await match(0, { allocations: [{ invoice_id: first.id }, { invoice_id: second.id }] })
    const [one] = body.data.matches
    const back = await books.made("POST", `/bank-transactions/${line(0)}/unmatch`, { match_id: one.id })
    assert.deepEqual([back.status, back.matched_amount, back.invoice_id], ["partially_matched", 121, second.id])
    assert.equal((await books.invoice(first.id)).status, "sent")
    assert.equal((await books.invoice(second.id)).status, "paid")
    const tag = (await books.call("GET", `/bank-transactions/${line(0)}`)).headers.get("etag") ?? ""
    const headers = { "if-match": tag }
    assert.equal(
      (await books.call("POST", `/bank-transactions/${line(0)}/unmatch`, undefined, { headers })).status,
      200
    )
    assert.deepEqual([(await state(0)).status, (await state(0)).invoice_id], ["unmatched", null])
    assert.deepEqual(await paymentsOf(books), [])
    const again = await books.call("POST", `/bank-transactions/${line(0)}/unmatch`)
    assert.deepEqual([again.status, again.body.code], [422, "not_matched"])
  })

  it("no longer suggests an unmatched document, but still suggests others", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const [sure, other] = [await books.issued(), await books.issued()]
    const line = await newLine(app, books, account, "121,00", sure.number)
    const taken = async (invoice_id: number) => {
      await books.made("POST", `/bank-transactions/${line}/match`, { invoice_id })
      await books.made("POST", `/bank-transactions/${line}/unmatch`)
      const { status, suggestion } = await books.made("GET", `/bank-transactions/${line}`)
      return [status, suggestion?.id]
    }
    assert.deepEqual(await taken(other.id), ["suggested", sure.id])
    assert.deepEqual(await taken(sure.id), ["unmatched", undefined])
  })

  it("records the undone matches in the audit trail", async () => {
    const { books, line, match } = await opened(["121,00"])
    const { id } = (await match(0, { invoice_id: (await books.issued()).id })).body.data
    await books.made("POST", `/bank-transactions/${line(0)}/unmatch`)
    const { entries } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    const { action, data } = entries.findLast((entry) => entry.action.startsWith("bank_transaction.")) ?? {}
    assert.deepEqual([action, data], ["bank_transaction.unmatched", { bank_transaction_id: line(0), match_ids: [id] }])
  })

  it("restores the status of an expense, and refuses while the payment is refunded", async () => {
    const { books, line, match } = await opened(["-100,00"], ["121,00"])
    const expense = await books.made("POST", "/expenses", { ...expenseBody, status: "approved" })
    await match(0, { expense_id: expense.id })
    await books.made("POST", `/bank-transactions/${line(0)}/unmatch`)
    const { bank_transaction_id, status } = await books.made("GET", `/expenses/${expense.id}`)
    assert.deepEqual([status, bank_transaction_id], ["approved", null])
    const { payment_id } = (await match(1, { invoice_id: (await books.issued()).id })).body.data
    await books.made("POST", `/payments/${payment_id}/refund`, { amount: 1 })
    const refused = await books.call("POST", `/bank-transactions/${line(1)}/unmatch`)
    assert.deepEqual([refused.status, refused.body.code], [422, "payment_locked"])
    assert.equal((await books.made("GET", `/bank-transactions/${line(1)}`)).status, "matched")
  })
})

describe("POST /api/v1/bank-transactions/bulk-confirm", () => {
  it("confirms certain suggestions, and gives the reason for skipping the others", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const [sure, twin] = [await books.issued(), await books.issued({ items: [{ description: "B", unit_price: 200 }] })]
    await books.issued({ items: [{ description: "C", unit_price: 200 }] })
    const rows = [
      [today, "121,00", "", `paid ${sure.number}`],
      [today, "121,00", "", `again ${sure.number}`],
      [today, "242,00", "Beta", ""],
      [today, "13,00", "", ""],
      [today, "200,00", "", `part of ${twin.number}`]
    ] as const
    await importer(app, books)(account, table(...rows))
    const lines: ReadonlyArray<{ readonly id: number }> = (await books.made("GET", "/bank-transactions")).toReversed()
    const ids = lines.map(({ id }) => id)
    const data = await books.made("POST", "/bank-transactions/bulk-confirm", {
      transaction_ids: [...ids, ids[0], 999_999]
    })
    const [first, ...others] = data.results
    assert.deepEqual(
      [first.status, first.via, first.invoice_id, first.created_money_record],
      ["confirmed", "document", sure.id, false]
    )
    assert.deepEqual(
      others.map(({ reason }: { readonly reason: string }) => reason),
      ["claimed", "ambiguous", "no_suggestion", "low_confidence", "not_found"]
    )
    assert.deepEqual([data.requested, data.confirmed, data.skipped, data.failed], [6, 1, 5, 0])
    assert.equal((await paymentsOf(books)).length, 1)
  })

  it("pays once when it races with itself and with a match", async () => {
    const { books, line, match } = await opened(["121,00"])
    const invoice = await books.issued()
    await importer(app, books)(
      await openAccount(app, books.id, { iban: null }),
      table([today, "121,00", "", invoice.number])
    )
    const [newest] = await books.made("GET", "/bank-transactions")
    await race(8, (index) => {
      if (index % 4 === 3) return match(0, { invoice_id: invoice.id })
      return books.call("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [newest.id, line(0)] })
    })
    assert.equal((await books.invoice(invoice.id)).amount_paid, 121)
    assert.equal((await paymentsOf(books)).length, 1)
  })

  it("refuses no ids, too many ids and invalid ids", async () => {
    const { books } = await opened(["1,00"])
    const many = Array.from({ length: 201 }, (_, index) => index + 1)
    for (const transaction_ids of [[], many, ["x"], undefined]) {
      const answer = await books.call("POST", "/bank-transactions/bulk-confirm", { transaction_ids })
      assert.equal(answer.status, 422)
    }
  })
})
