import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { type Books, paymentBody } from "../../support/Billing.ts"
import { ended, useLines } from "../Lines.ts"

const { app, opened } = useLines()

const confirm = async ({ made }: Books, line: number | undefined) =>
  (await made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [line] })).results
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const rule = {
  name: "Fees",
  direction: "debit",
  auto_add: true,
  conditions: [{ type: "amount_min", value: 1 }],
  actions: { category: "fees" }
}

describe("A refund that was recorded before its bank line arrived", () => {
  it("keeps a rule from booking its line as an expense, and is linked by bulk-confirm", async () => {
    const { add, books, state, unmatch } = await opened()
    await books.made("POST", "/bank-rules", rule)
    const { invoice, payment } = await books.paid()
    const refunded = (amount: number) => books.made("POST", `/payments/${payment.id}/refund`, { amount })
    const [{ id }] = (await refunded(20)).refunds
    const rows = [
      ["-20,00", `Refund ${invoice.number}`],
      ["-30,00", "Bank"]
    ] as const
    const [line, other] = await add(rows, { iban: null })
    const { status, suggestion } = await state(line)
    assert.deepEqual([status, suggestion.type, suggestion.id, suggestion.difference], ["suggested", "refund", id, null])
    assert.equal((await state(other)).status, "matched")
    const before = await books.invoice(invoice.id)
    const [result] = await confirm(books, line)
    assert.deepEqual([result.status, result.via, result.payment_refund_id], ["confirmed", "document", id])
    assert.deepEqual(ended(await state(line)), ["matched", 20, 0, 1])
    assert.deepEqual((await state(line)).matches[0].explanation, suggestion.signals)
    assert.deepEqual(await books.invoice(invoice.id), before)
    assert.equal((await books.made("GET", "/expenses")).length, 1)

    // Another line of the same amount is not that of the refund, which has its line.
    const [twin] = await add([["-20,00", `Refund ${invoice.number}`]], { iban: null })
    assert.equal((await state(twin)).status, "matched")
    await unmatch(line)
    const [again] = await confirm(books, line)
    assert.deepEqual([again.status, again.via], ["confirmed", "rule"])
    assert.equal((await books.made("GET", `/payments/${payment.id}`)).refunded_amount, 20)
    await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
  })

  it("is not suggested if it was in cash, has a line, or has another day or amount than the line", async () => {
    const { add, books, lines, match, state } = await opened(["-20,00"])
    const cash = await books.made("POST", "/payments", {
      ...paymentBody((await books.issued()).id, 121),
      payment_method: "cash"
    })
    const { payment } = await books.paid()
    const { invoice } = await books.paid()
    await books.made("POST", `/payments/${cash.id}/refund`, { amount: 41 })
    await books.made("POST", `/payments/${payment.id}/refund`, { amount: 42, refund_date: daysAgo(9) })
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 20, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["a@beta.example"], attach_pdf: false })
    await match(lines[0], { credit_note_id: note.id })
    const added = await add([["-20,00"], ["-41,00"], ["-42,00"], ["-42,01"]], { iban: null })
    for (const line of added) assert.isNull((await state(line)).suggestion)
  })
})
