import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { race, statuses } from "../support/Billing.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { ended, today, useLines } from "./Lines.ts"

const { app, opened } = useLines()

const code = (answer: { readonly status: number; readonly body: { readonly code?: string } }) => [
  answer.status,
  answer.body.code
]

const negative = { expense_date: today, category: "rent", currency: "EUR", description: "Credit", vendor: "Landlord" }

describe("POST /api/v1/bank-transactions/{id}/match with a refund", () => {
  it("matches a debit with a recorded refund, once, and undoes it", async () => {
    const { books, lines, match, state, unmatch } = await opened(["-21,00"], ["-100,00"])
    const { payment } = await books.paid()
    const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
    const body = { payment_refund_id: refunds[0].id }
    assert.deepEqual(code(await match(lines[0], { ...body, amount: 21.01 })), [422, "amount_exceeds_remaining"])
    const { data } = (await match(lines[0], body)).body
    assert.deepEqual([data.payment_refund_id, data.amount, data.payment_id], [refunds[0].id, 21, null])
    assert.deepEqual(ended(await state(lines[0])), ["matched", 21, 0, 1])
    assert.deepEqual(code(await match(lines[1], body)), [422, "amount_exceeds_remaining"])
    assert.deepEqual(ended(await unmatch(lines[0])), ["unmatched", 0, 21, 0])
    assert.equal((await books.made("GET", `/payments/${payment.id}`)).refunded_amount, 21)
    assert.equal((await match(lines[1], body)).body.data.amount, 21)
  })

  it("refuses a credit, another currency and other organizations' refunds", async () => {
    const { add, books, lines, match } = await opened(["21,00"])
    const { payment } = await books.paid()
    const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
    const body = { payment_refund_id: refunds[0].id }
    const [dollars] = await add([["-21,00"]], { currency: "USD", iban: null })
    assert.deepEqual(code(await match(lines[0], body)), [422, "direction_mismatch"])
    assert.deepEqual(code(await match(dollars, body)), [422, "currency_mismatch"])
    const others = await opened(["-21,00"])
    assert.equal((await others.match(others.lines[0], body)).status, 404)
  })
})

describe("POST /api/v1/bank-transactions/{id}/match with a credit note", () => {
  it("refunds the credited customer, and reverses the refund", async () => {
    const { books, lines, match, state, unmatch } = await opened(["121,00"], ["-50,00"], ["-50,00"])
    const invoice = await books.issued()
    await match(lines[0], { invoice_id: invoice.id })
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 50, reason: "Broken" })
    assert.deepEqual(code(await match(lines[1], { credit_note_id: note.id })), [422, "amount_exceeds_remaining"])
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    assert.equal((await books.invoice(invoice.id)).refundable_amount, 50)
    const answers = await race(2, (index) => match(lines[1 + index], { credit_note_id: note.id }))
    assert.deepEqual(statuses(answers), { 200: 1, 422: 1 })
    const after = await books.invoice(invoice.id)
    assert.deepEqual([after.refundable_amount, after.amount_refunded, after.status], [0, 50, "paid"])
    const [line] = (await Promise.all([state(lines[1]), state(lines[2])])).filter(({ status }) => status === "matched")
    assert.deepEqual(ended(line), ["matched", 50, 0, 1])
    const locked = await books.call("POST", `/bank-transactions/${lines[0]}/unmatch`)
    assert.deepEqual(code(locked), [422, "payment_locked"])
    await unmatch(line.id)
    const back = await books.invoice(invoice.id)
    assert.deepEqual([back.refundable_amount, back.amount_refunded], [50, 0])
    await unmatch(lines[0])
    assert.deepEqual(await books.made("GET", "/payments"), [])
    const { entries } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith("payment."))
    assert.deepEqual(actions, ["payment.created", "payment.refunded", "payment.refund_reversed", "payment.deleted"])
  })

  it("dates the refund by the line", async () => {
    const { books, lines, match } = await opened(["121,00", "", "2026-03-05"], ["-50,00", "", "2026-03-20"])
    const invoice = await books.issued()
    await match(lines[0], { invoice_id: invoice.id })
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 50, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    await match(lines[1], { credit_note_id: note.id })
    const [payment] = await books.made("GET", `/payments?invoice_id=${invoice.id}`)
    assert.deepEqual([payment.payment_date, payment.refunds[0].refund_date], ["2026-03-05", "2026-03-20"])
  })

  it("does not end two lines with one refund", async () => {
    const { books, lines, match } = await opened(["-50,00"], ["-50,00"])
    const { invoice, payment } = await books.paid()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 50, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
    await match(lines[0], { credit_note_id: note.id })
    const { refunds } = await books.made("GET", `/payments/${payment.id}`)
    const again = await match(lines[1], { payment_refund_id: refunds[0].id })
    assert.deepEqual(code(again), [422, "amount_exceeds_remaining"])
  })
})

describe("POST /api/v1/bank-transactions/{id}/match with a negative expense", () => {
  it("matches several credits with a supplier's credit note, and undoes them", async () => {
    const { books, lines, match, state, unmatch } = await opened(["60,00"], ["40,00"], ["-100,00"])
    const { id: expense_id } = await books.made("POST", "/expenses", { ...negative, amount: -100 })
    assert.deepEqual(code(await match(lines[2], { expense_id })), [422, "direction_mismatch"])
    await match(lines[0], { expense_id })
    assert.equal((await match(lines[1], { expense_id })).body.data.amount, 40)
    assert.equal((await books.made("GET", `/expenses/${expense_id}`)).status, "paid")
    assert.deepEqual(code(await match(lines[2], { expense_id })), [422, "direction_mismatch"])
    await unmatch(lines[0])
    await unmatch(lines[1])
    assert.deepEqual(ended(await state(lines[0])), ["unmatched", 0, 60, 0])
    assert.equal((await books.made("GET", `/expenses/${expense_id}`)).status, "pending")
  })
})

describe("POST /api/v1/bank-transactions/{id}/match with a transfer", () => {
  it("ends both sides over days, and undoes both from either side", async () => {
    const { add, lines, match, state, unmatch } = await opened(["-500,00", "to savings", "2026-02-27"])
    const [savings] = await add([["500,00", "from current", "2026-03-02"]], { name: "Savings", iban: null })
    const { data } = (await match(lines[0], { transfer_transaction_id: savings })).body
    assert.deepEqual([data.transfer_transaction_id, data.amount], [savings, 500])
    assert.deepEqual(ended(await state(savings)), ["matched", 500, 0, 1])
    assert.equal((await state(savings)).matches[0].transfer_transaction_id, lines[0])
    assert.deepEqual(ended(await unmatch(savings)), ["unmatched", 0, 500, 0])
    assert.deepEqual(ended(await state(lines[0])), ["unmatched", 0, 500, 0])
  })

  it("leaves the fee open in one currency, and ends both sides wholly in two", async () => {
    const { add, lines, match, state } = await opened(["-500,00"], ["-100,00"])
    const [savings] = await add([["498,50"]], { name: "Savings", iban: null })
    const [dollars] = await add([["108,20"]], { name: "Dollars", currency: "USD", iban: null })
    await match(lines[0], { transfer_transaction_id: savings })
    assert.deepEqual(ended(await state(lines[0])), ["partially_matched", 498.5, 1.5, 1])
    await match(lines[0], { exclude: { reason: "fee" } })
    assert.deepEqual(ended(await state(lines[0])), ["matched", 500, 0, 2])
    await match(lines[1], { transfer_transaction_id: dollars })
    assert.deepEqual(ended(await state(lines[1])), ["matched", 100, 0, 1])
    assert.deepEqual(ended(await state(dollars)), ["matched", 108.2, 0, 1])
  })

  it("refuses the same account, the same sign, an ended line and another organization's line", async () => {
    const { add, lines, match } = await opened(["-500,00"], ["500,00"], ["-500,00"])
    const [savings, spent] = await add([["500,00"], ["-500,00"]], { name: "Savings", iban: null })
    const others = await opened(["500,00"])
    const transfer = (id: number | undefined) => match(lines[0], { transfer_transaction_id: id })
    assert.deepEqual(code(await transfer(lines[1])), [422, "validation_failed"])
    assert.deepEqual(code(await transfer(spent)), [422, "direction_mismatch"])
    assert.equal((await transfer(others.lines[0])).status, 404)
    await match(lines[2], { transfer_transaction_id: savings })
    assert.deepEqual(code(await transfer(savings)), [422, "already_matched"])
  })

  it("links both sides once when they are matched with each other concurrently", async () => {
    const { add, lines, match, state } = await opened(["-500,00"])
    const [savings] = await add([["500,00"]], { name: "Savings", iban: null })
    const answers = await race(8, (index) =>
      index % 2 === 0
        ? match(lines[0], { transfer_transaction_id: savings })
        : match(savings, { transfer_transaction_id: lines[0] })
    )
    assert.deepEqual(statuses(answers), { 200: 1, 422: 7 })
    assert.deepEqual(
      [ended(await state(savings)), ended(await state(lines[0]))],
      [
        ["matched", 500, 0, 1],
        ["matched", 500, 0, 1]
      ]
    )
  })
})

describe("POST /api/v1/bank-transactions/{id}/match with an exclusion", () => {
  it("excludes a line with its reason and note, and undoes it", async () => {
    const { books, lines, match, state, unmatch } = await opened(["-30,00"])
    const { data } = (await match(lines[0], { exclude: { reason: "private", note: "Birthday" } })).body
    assert.deepEqual([data.exclude, data.transaction_status], [{ reason: "private", note: "Birthday" }, "excluded"])
    assert.deepEqual(ended(await state(lines[0])), ["excluded", 30, 0, 1])
    assert.equal((await books.made("GET", "/bank-transactions?status=excluded")).length, 1)
    assert.deepEqual(code(await match(lines[0], { exclude: { reason: "fee" } })), [422, "already_matched"])
    assert.deepEqual(ended(await unmatch(lines[0])), ["unmatched", 0, 30, 0])
    const events = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ type: string }>`select type from outbox where organization_id = ${books.id}
          and type like 'bank_transaction.%' order by sequence`
      }).pipe(Effect.orDie)
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ["bank_transaction.matched", "bank_transaction.unmatched"]
    )
  })

  it("refuses an unknown reason, two targets and no target", async () => {
    const { lines, match } = await opened(["-30,00"])
    for (const body of [
      { exclude: { reason: "gone" } },
      { exclude: { reason: "fee" }, expense_id: 1 },
      { exclude: {} },
      { allocations: [{ amount: 1 }] },
      { exclude: { reason: "fee" }, amount: 30.01 }
    ]) {
      assert.equal((await match(lines[0], body)).status, 422, JSON.stringify(body))
    }
  })
})

describe("a line with several ends", () => {
  it("is divided between documents, categories and exclusions, and undone one by one", async () => {
    const { books, lines, match, state, unmatch } = await opened(["-200,00"])
    const expense = await books.made("POST", "/expenses", { ...negative, amount: 60 })
    await match(lines[0], { allocations: [{ expense_id: expense.id }, { exclude: { reason: "private" }, amount: 40 }] })
    const create = (amount: number, category: string) =>
      books.call("POST", `/bank-transactions/${lines[0]}/create-document`, { amount, category })
    assert.deepEqual(code(await create(100.01, "meals")), [422, "amount_exceeds_remaining"])
    const meals = (await create(30, "meals")).body.data
    const travel = (await create(70, "travel")).body.data
    assert.deepEqual([meals.transaction_status, travel.transaction_status], ["partially_matched", "matched"])
    assert.deepEqual(ended(await state(lines[0])), ["matched", 200, 0, 4])
    const categories = (await books.made("GET", "/expenses")).map(
      ({ amount, category, status }: Record<string, unknown>) => [category, amount, status]
    )
    assert.deepEqual(categories.toSorted(), [
      ["meals", 30, "paid"],
      ["rent", 60, "paid"],
      ["travel", 70, "paid"]
    ])
    assert.deepEqual(ended(await unmatch(lines[0], { match_id: meals.id })), ["partially_matched", 170, 30, 3])
    assert.deepEqual(ended(await unmatch(lines[0])), ["unmatched", 0, 200, 0])
    assert.equal((await books.made("GET", `/expenses/${expense.id}`)).status, "pending")
  })
})

describe("POST /api/v1/bank-transactions/bulk-confirm", () => {
  it("names the refusal of a match and of a rule alike, and counts both as failed", async () => {
    const { add, books } = await opened()
    const { number } = await books.issued({ issue_date: "2026-01-05" })
    const [line, fee] = await add(
      [
        ["121,00", `Invoice ${number}`, "2026-01-10"],
        ["-5,00", "frais", "2026-01-10"]
      ],
      { iban: null }
    )
    const rule = await books.made("POST", "/bank-rules", {
      name: "fees",
      conditions: [{ type: "remittance_contains", value: "frais" }],
      actions: { category: "bank_fees" }
    })
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "books_locked_until", value: "2026-01-31" }]
    })
    const confirmation = await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [line, fee] })
    const message = "The books are locked until 2026-01-31: nothing dated until then can be changed."
    const refused = { status: "failed", reason: "books_locked", message }
    assert.deepEqual(confirmation, {
      requested: 2,
      confirmed: 0,
      skipped: 0,
      failed: 2,
      results: [
        { transaction_id: line, ...refused },
        { transaction_id: fee, ...refused, rule_id: rule.id }
      ]
    })
  })
})
