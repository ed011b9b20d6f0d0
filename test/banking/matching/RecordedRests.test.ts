import { assert, describe, it } from "vitest"
import { today, useLines } from "../Lines.ts"

const { opened } = useLines()

const expense = { expense_date: today, category: "rent", currency: "EUR", description: "Rent", vendor: "Landlord" }
const rule = (direction: string) => ({
  name: direction,
  direction,
  auto_add: true,
  conditions: [{ type: "amount_min", value: 1 }],
  actions: { counterparty_name: "Other" }
})

describe("the rest of an expense that was paid by hand after a line had paid a part", () => {
  for (const { amount, direction, part, rest } of [
    { amount: 100, direction: "debit", part: "-60,00", rest: "-40,00" },
    { amount: -100, direction: "credit", part: "60,00", rest: "40,00" }
  ]) {
    it(`is suggested for its ${direction} instead of a rule, until the line is matched`, async () => {
      const { add, books, lines, match, state, unmatch } = await opened([part])
      const { id } = await books.made("POST", "/expenses", { ...expense, amount })
      await match(lines[0], { expense_id: id })
      await books.made("POST", `/expenses/${id}/mark-paid`, { payment_method: "bank_transfer" })
      await books.made("POST", "/bank-rules", rule(direction))
      const [line, whole] = await add([[rest], [rest.replace("40", "100")]], { iban: null })
      const { status, suggestion } = await state(line)
      assert.deepEqual([status, suggestion?.type, suggestion?.id], ["suggested", "expense", id])
      assert.equal((await state(whole)).status, "matched")
      assert.equal((await match(line, { expense_id: id })).status, 200)
      assert.equal((await books.made("GET", `/expenses/${id}`)).status, "paid")
      const [later] = await add([[rest]], { iban: null, name: "Later" })
      assert.equal((await state(later)).status, "matched")
      await unmatch(line ?? 0)
      const { bank_transaction_id, status: kept } = await books.made("GET", `/expenses/${id}`)
      assert.deepEqual([kept, bank_transaction_id], ["paid", lines[0]])
    })
  }
})
