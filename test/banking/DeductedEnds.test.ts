import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { type Books, race, statuses } from "../support/Billing.ts"
import { dayIn } from "../support/Days.ts"
import { ended, today, useLines } from "./Lines.ts"

const { app, opened } = useLines()

const code = ({ body, status }: { readonly status: number; readonly body: { readonly code?: string } }) => [
  status,
  body.code
]

const spent = async (books: Books, amount: number, fields: object = {}) => {
  const bought = { expense_date: today, category: "rent", currency: "EUR", description: "Hall", vendor: "Landlord" }
  return (await books.made("POST", "/expenses", { ...bought, amount, ...fields })).id as number
}

/** Creates a paid invoice, and a sent credit note that refunds 20.00 of it. */
const credited = async (books: Books) => {
  const { invoice } = await books.paid()
  const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 20, reason: "Broken" })
  await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["beta@example.com"] })
  return { invoice_id: invoice.id as number, credit_note_id: note.id as number }
}

const statusOf = async (books: Books, path: string) => (await books.made("GET", path)).status

const amountsOf = ({ body }: { readonly body: { readonly data: { readonly matches: ReadonlyArray<object> } } }) =>
  body.data.matches.map((match) => (match as { readonly amount: number }).amount)

describe("POST /api/v1/bank-transactions/{id}/match with documents of both signs", () => {
  it("matches a debit with a supplier's invoice less a credit note, in any order, and undoes both", async () => {
    const { books, lines, match, state, unmatch } = await opened(["-50,00"])
    const [invoice, note] = [await spent(books, 70), await spent(books, -20)]
    const both = [{ expense_id: invoice }, { expense_id: note }]
    const named = [
      { expense_id: note, amount: -20 },
      { expense_id: invoice, amount: 70 }
    ]
    for (const allocations of [both, both.toReversed(), named]) {
      const matched = await match(lines[0], { allocations })
      assert.deepEqual(amountsOf(matched), allocations[0]?.expense_id === invoice ? [70, -20] : [-20, 70])
      assert.deepEqual(ended(await state(lines[0])), ["matched", 50, 0, 2])
      for (const id of [invoice, note]) assert.equal(await statusOf(books, `/expenses/${id}`), "paid")
      const [{ id: match_id }] = matched.body.data.matches
      const alone = await books.call("POST", `/bank-transactions/${lines[0]}/unmatch`, { match_id })
      assert.deepEqual(code(alone), [422, "unmatch_together"])
      assert.deepEqual(ended(await unmatch(lines[0])), ["unmatched", 0, 50, 0])
      for (const id of [invoice, note]) assert.equal(await statusOf(books, `/expenses/${id}`), "pending")
    }
    const { entries, events } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    const count = (action: string) => entries.filter((entry) => entry.action === action).length
    assert.deepEqual(
      ["bank_transaction.matched", "expense.paid", "bank_transaction.unmatched", "expense.unpaid"].map(count),
      [3, 6, 3, 6]
    )
    assert.equal(events.filter(({ type }) => type === "bank_transaction.matched").length, 3)
  })

  it("ends a credit with an invoice less our credit note, whose refund it records and reverses", async () => {
    const { books, lines, match, state, unmatch } = await opened(["101,00"])
    const { credit_note_id, invoice_id } = await credited(books)
    const invoice = await books.issued()
    assert.deepEqual(code(await match(lines[0], { credit_note_id })), [422, "direction_mismatch"])
    const allocations = [{ invoice_id: invoice.id }, { credit_note_id }]
    assert.deepEqual(amountsOf(await match(lines[0], { allocations })), [121, -20])
    assert.deepEqual(ended(await state(lines[0])), ["matched", 101, 0, 2])
    assert.equal((await books.invoice(invoice.id)).status, "paid")
    const before = await books.invoice(invoice_id)
    assert.deepEqual([before.refundable_amount, before.amount_refunded], [0, 20])
    await unmatch(lines[0])
    const after = await books.invoice(invoice_id)
    assert.deepEqual([after.refundable_amount, after.amount_refunded], [20, 0])
    assert.equal((await books.invoice(invoice.id)).balance_due, 121)
  })

  it("ends a payout with its invoices less the fee, and undoes one invoice of it", async () => {
    const { books, lines, match, state, unmatch } = await opened(["333,00"], ["333,00"])
    for (const line of lines) {
      const invoices = [await books.issued(), await books.issued(), await books.issued()]
      const fee =
        line === lines[0]
          ? { exclude: { reason: "fee" }, amount: -30 }
          : { expense_id: await spent(books, 30, { category: "bank_fees", vendor: "Processor" }) }
      const allocations = [...invoices.map(({ id }) => ({ invoice_id: id })), fee]
      const matched = await match(line, { allocations })
      assert.deepEqual(amountsOf(matched), [121, 121, 121, -30])
      assert.equal(matched.body.data.transaction_status, "matched")
      const match_id = matched.body.data.matches[1].id
      assert.deepEqual(ended(await unmatch(line, { match_id })), ["partially_matched", 212, 121, 3])
      assert.equal((await match(line, { invoice_id: invoices[1]?.id })).body.data.amount, 121)
      assert.deepEqual(ended(await state(line)), ["matched", 333, 0, 4])
      await unmatch(line)
    }
    assert.deepEqual(await books.made("GET", "/payments"), [])
  })

  it("says how to name the fee of a payout that is less than its invoices", async () => {
    const { books, lines, match, state } = await opened(["333,00"])
    const ids = [await books.issued(), await books.issued(), await books.issued()].map(({ id }) => id)
    const whole = ids.map((invoice_id) => ({ invoice_id, amount: 121 }))
    const without_amounts = ids.map((invoice_id) => ({ invoice_id }))
    const without_sign = [...without_amounts, { exclude: { reason: "fee" } }]
    for (const allocations of [whole, without_amounts, without_sign]) {
      const refused = await match(lines[0], { allocations })
      assert.deepEqual(code(refused), [422, "amount_exceeds_remaining"])
      assert.match(refused.body.message, /name the fee in allocations with a negative amount/)
      assert.deepEqual(await books.made("GET", "/payments"), [])
    }
    const fee = { exclude: { reason: "fee" }, amount: -30 }
    assert.equal((await match(lines[0], { allocations: [...whole, fee] })).status, 200)
    assert.deepEqual(ended(await state(lines[0])), ["matched", 333, 0, 4])
  })

  it("sets an invoice of ours off against a supplier's, and pays an expense from two sides", async () => {
    const { add, books, lines, match, state, unmatch } = await opened(["-79,00"], ["111,00"])
    const [supplies, fee] = [
      await spent(books, 200),
      await spent(books, 30, { vendor: "Processor", reference: "F-77123" })
    ]
    const [ours, sold] = [await books.issued(), await books.issued()]
    const offset = await match(lines[0], { allocations: [{ expense_id: supplies }, { invoice_id: ours.id }] })
    assert.deepEqual(amountsOf(offset), [200, -121])
    const [payment] = await books.made("GET", `/payments?invoice_id=${ours.id}`)
    assert.deepEqual([payment.amount, payment.bank_transaction_id], [121, lines[0]])
    await match(lines[1], { allocations: [{ expense_id: fee, amount: -10 }, { invoice_id: sold.id }] })
    assert.equal(await statusOf(books, `/expenses/${fee}`), "pending")
    const [rest] = await add([["-20,00", "F-77123 Processor"]], { name: "Savings", iban: null })
    assert.equal((await state(rest)).suggestion.id, fee)
    assert.equal((await match(rest, { expense_id: fee })).body.data.amount, 20)
    assert.equal(await statusOf(books, `/expenses/${fee}`), "paid")
    for (const line of [lines[1], rest, lines[0]]) await unmatch(line)
    assert.equal(await statusOf(books, `/expenses/${fee}`), "pending")
    assert.deepEqual(await books.made("GET", "/payments"), [])
  })

  it("deducts a credit note once in a race of two lines", async () => {
    const { books, lines, match } = await opened(["-50,00"], ["-50,00"])
    const note = await spent(books, -20)
    const invoices = [await spent(books, 70), await spent(books, 70)]
    const answers = await race(2, (index) =>
      match(lines[index], { allocations: [{ expense_id: invoices[index] }, { expense_id: note }] })
    )
    assert.deepEqual(statuses(answers), { 200: 1, 422: 1 })
    const states = await Promise.all(invoices.map((id) => statusOf(books, `/expenses/${id}`)))
    assert.sameMembers(states, ["paid", "pending"])
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { add, books, lines, match, state } = await opened(["-50,00"], ["-500,00"])
    const [savings] = await add([["500,00"]], { name: "Savings", iban: null })
    const [invoice, note] = [await spent(books, 70), await spent(books, -20)]
    const [dollars, paid] = [await spent(books, -20, { currency: "USD" }), await spent(books, -20, { status: "paid" })]
    const refusals: ReadonlyArray<readonly [number | undefined, ReadonlyArray<object>, string]> = [
      [lines[0], [{ expense_id: note }], "direction_mismatch"],
      [lines[0], [{ expense_id: invoice }, { expense_id: note, amount: 20 }], "direction_mismatch"],
      [lines[0], [{ expense_id: invoice, amount: -70 }, { expense_id: note }], "direction_mismatch"],
      [lines[0], [{ expense_id: invoice, amount: 20 }, { expense_id: note }], "direction_mismatch"],
      [lines[0], [{ expense_id: invoice }, { expense_id: note, amount: -20.01 }], "amount_exceeds_remaining"],
      [lines[0], [{ expense_id: invoice, amount: 70.01 }, { expense_id: note }], "amount_exceeds_remaining"],
      [lines[0], [{ expense_id: invoice }, { expense_id: note }, { expense_id: note }], "already_paid"],
      [
        lines[0],
        [
          { expense_id: invoice, amount: 70 },
          { expense_id: note, amount: -19 }
        ],
        "amount_exceeds_remaining"
      ],
      [lines[0], [{ expense_id: invoice }, { expense_id: dollars }], "currency_mismatch"],
      [lines[0], [{ expense_id: invoice }, { expense_id: paid }], "already_paid"],
      [lines[0], [{ expense_id: invoice, amount: 0 }, { expense_id: note }], "validation_failed"],
      [
        lines[0],
        [
          { expense_id: invoice, amount: 50 },
          { expense_id: note, amount: -0.001 }
        ],
        "validation_failed"
      ],
      [lines[1], [{ transfer_transaction_id: savings, amount: -500 }], "direction_mismatch"],
      [lines[1], [{ transfer_transaction_id: savings }, { expense_id: note }], "validation_failed"]
    ]
    for (const [line, allocations, refusal] of refusals) {
      assert.deepEqual(code(await match(line, { allocations })), [422, refusal], JSON.stringify(allocations))
    }
    assert.deepEqual(code(await match(lines[0], { expense_id: note, amount: -20 })), [422, "validation_failed"])
    for (const id of [invoice, note]) assert.equal(await statusOf(books, `/expenses/${id}`), "pending")
    for (const id of [...lines, savings]) assert.equal((await state(id)).matched_amount, 0)
    await match(lines[1], { allocations: [{ expense_id: invoice, amount: 60 }, { expense_id: note }] })
    assert.deepEqual(code(await match(lines[1], { transfer_transaction_id: savings })), [422, "validation_failed"])
    assert.deepEqual(code(await match(savings, { transfer_transaction_id: lines[1] })), [422, "validation_failed"])
  })
})

describe("DELETE /api/v1/payments/{id}/refunds/{refund_id}", () => {
  it("frees a matched payment, which a refund locks, for unmatch", async () => {
    const { books, lines, match, state, unmatch } = await opened(["121,00"], ["-21,00"])
    const invoice = await books.issued()
    const { payment_id } = (await match(lines[0], { invoice_id: invoice.id })).body.data
    const { refunds } = await books.made("POST", `/payments/${payment_id}/refund`, { amount: 21 })
    const refund = `/payments/${payment_id}/refunds/${refunds[0].id}`
    await match(lines[1], { payment_refund_id: refunds[0].id })
    const locked = await books.call("POST", `/bank-transactions/${lines[0]}/unmatch`)
    assert.deepEqual(code(locked), [422, "payment_locked"])
    assert.deepEqual(locked.body.details, { payment_id, refund_ids: [refunds[0].id], bank_transaction_id: null })
    assert.include(locked.body.message, `DELETE /api/v1${refund}`)
    const matched = await books.call("DELETE", refund)
    assert.deepEqual(code(matched), [422, "refund_matched"])
    assert.deepEqual(matched.body.details, { bank_transaction_ids: [lines[1]] })
    await unmatch(lines[1])
    const taken = await books.call("DELETE", refund)
    assert.deepEqual([taken.body.data.status, taken.body.data.refunds], ["completed", []])
    assert.equal((await books.invoice(invoice.id)).status, "paid")
    assert.equal((await books.call("DELETE", refund)).status, 404)
    assert.deepEqual(ended(await unmatch(lines[0])), ["unmatched", 0, 121, 0])
    assert.deepEqual(ended(await state(lines[0])), ["unmatched", 0, 121, 0])
    const { entries } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith("payment."))
    assert.deepEqual(actions, ["payment.created", "payment.refunded", "payment.refund_reversed", "payment.deleted"])
  })

  it("refuses the refund of a matched credit note, another payment's, and one of a locked period", async () => {
    const { books, lines, match } = await opened(["-20,00"])
    const { credit_note_id, invoice_id } = await credited(books)
    await match(lines[0], { credit_note_id })
    const [payment] = await books.made("GET", `/payments?invoice_id=${invoice_id}`)
    const [refund] = payment.refunds
    const answer = await books.call("DELETE", `/payments/${payment.id}/refunds/${refund.id}`)
    assert.deepEqual([...code(answer), answer.body.details.bank_transaction_ids], [422, "refund_matched", lines])
    const other = (await books.paid()).payment
    assert.equal((await books.call("DELETE", `/payments/${other.id}/refunds/${refund.id}`)).status, 404)
    const { refunds } = await books.made("POST", `/payments/${other.id}/refund`, { amount: 1 })
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "books_locked_until", value: dayIn("Europe/Brussels") }]
    })
    const locked = await books.call("DELETE", `/payments/${other.id}/refunds/${refunds[0].id}`)
    assert.deepEqual(code(locked), [422, "books_locked"])
  })

  it("and a match of the refund: one wins a race", async () => {
    const { books, lines, match } = await opened(["-21,00"], ["-21,00"], ["-21,00"])
    for (const line of lines) {
      const { payment } = await books.paid()
      const { refunds } = await books.made("POST", `/payments/${payment.id}/refund`, { amount: 21 })
      const [removed, matched] = await Promise.all([
        books.call("DELETE", `/payments/${payment.id}/refunds/${refunds[0].id}`),
        match(line, { payment_refund_id: refunds[0].id })
      ])
      assert.include(["200 404", "422 200"], `${removed.status} ${matched.status}`)
    }
  })
})
