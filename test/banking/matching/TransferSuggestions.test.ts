import { assert, describe, it } from "vitest"
import { importer, openAccount } from "../Books.ts"
import { ended, today, useLines } from "../Lines.ts"

const { app, opened } = useLines()

const ibans = ["NL91ABNA0417164300", "DE89370400440532013000", "FR1420041010050500013M02606"] as const
const titled = "Date;Amount;Name;IBAN;Description"

/** Imports a line into an account; the line may contain the IBAN of the other party. */
const importNamed = async ({ books }: Opened, account: number, cells: ReadonlyArray<string>) => {
  const answer = await importer(app, books)(account, [titled, [today, ...cells].join(";")].join("\n"))
  const [line] = await books.made("GET", `/bank-transactions?bank_account_id=${account}&sort=-id`)
  return { ...line, imported: answer.data.id, suggested: answer.data.suggested }
}
type Opened = Awaited<ReturnType<typeof opened>>

/** Opens two accounts of an organization, and imports one line into each; together the lines are a transfer. */
const transferred = async (here: ReadonlyArray<string>, there: ReadonlyArray<string>, currency = "EUR") => {
  const firm = await opened()
  const current = await openAccount(app, firm.books.id, { name: "Current", iban: ibans[0] })
  const savings = await openAccount(app, firm.books.id, { name: "Savings", iban: ibans[1], currency })
  const left = await importNamed(firm, current, here)
  const right = await importNamed(firm, savings, there)
  const confirm = async () =>
    (await firm.books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [left.id, right.id] })).results
  return { ...firm, current, savings, left, right, confirm }
}

describe("the suggestion of a line that no document explains", () => {
  it("is the other side of a transfer; bulk confirmation ends both if each names the account of the other", async () => {
    const firm = await transferred(["-500,00", "Savings", ibans[1], ""], ["500,00", "Firm", ibans[0], ""])
    assert.deepEqual([firm.left.suggestion, firm.right.suggested], [null, 1])
    const { status, suggestion } = await firm.state(firm.left.id)
    assert.deepEqual(
      [status, suggestion.type, suggestion.id, suggestion.score],
      ["suggested", "transfer", firm.right.id, 60]
    )
    assert.deepEqual(
      (await firm.confirm()).map(({ reason, status, via }: Record<string, unknown>) => [status, via ?? reason]),
      [
        ["confirmed", "transfer"],
        ["skipped", "already_matched"]
      ]
    )
    assert.deepEqual(ended(await firm.state(firm.right.id)), ["matched", 500, 0, 1])
    await firm.unmatch(firm.right.id)
    assert.deepEqual(
      [(await firm.state(firm.left.id)).suggestion, (await firm.state(firm.right.id)).suggestion],
      [null, null]
    )
    const again = await importNamed(firm, firm.savings, ["7,00", "Firm", "", ""])
    assert.deepEqual([again.suggestion, (await firm.state(firm.left.id)).suggestion], [null, null])
  })

  it.each([
    ["the debit's account", ["-500,00", "500,00"]],
    ["the credit's account", ["500,00", "-500,00"]]
  ] as const)("is found whichever account comes first (%s), also one that is opened later", async (_, amounts) => {
    const firm = await opened()
    const current = await openAccount(app, firm.books.id, { name: "Current", iban: ibans[0] })
    const left = await importNamed(firm, current, [amounts[0], "Savings", ibans[1], ""])
    const savings = await openAccount(app, firm.books.id, { name: "Savings", iban: ibans[1] })
    const right = await importNamed(firm, savings, [amounts[1], "Firm", ibans[0], ""])
    assert.deepEqual([left.suggestion, right.suggested], [null, 1])
    for (const [line, other] of [
      [left, right],
      [right, left]
    ] as const) {
      const { suggestion } = await firm.state(line.id)
      assert.deepEqual([suggestion.type, suggestion.id], ["transfer", other.id])
    }
  })

  it.each(["refund", "credit_note"])(
    "replaces a suggested %s if the lines name each other's accounts",
    async (type) => {
      const firm = await opened()
      const { books } = firm
      const { invoice, payment } = await books.paid()
      if (type === "refund") await books.made("POST", `/payments/${payment.id}/refund`, { amount: 100 })
      else {
        const note = await books.made("POST", "/credit-notes", {
          invoice_id: invoice.id,
          amount: 100,
          reason: "Broken"
        })
        await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["a@beta.example"], attach_pdf: false })
      }
      const current = await openAccount(app, books.id, { name: "Current", iban: ibans[0] })
      const savings = await openAccount(app, books.id, { name: "Savings", iban: ibans[1] })
      const text = `Back ${invoice.number}`
      const left = await importNamed(firm, current, ["-100,00", "Savings", ibans[1], text])
      assert.equal(left.suggestion.type, type)
      const right = await importNamed(firm, savings, ["100,00", "Firm", ibans[0], ""])
      const { suggestion } = await firm.state(left.id)
      assert.deepEqual([suggestion.type, suggestion.id], ["transfer", right.id])
    }
  )

  it("is left to a person if only the amounts or one account say so, and goes with the other line", async () => {
    for (const [iban, score] of [
      ["", 30],
      [ibans[1], 45]
    ] as const) {
      const firm = await transferred(["-80,00", "", iban, "to savings"], ["80,00", "", "", "from current"])
      const { suggestion } = await firm.state(firm.left.id)
      assert.deepEqual([suggestion.type, suggestion.score], ["transfer", score])
      assert.deepEqual(
        (await firm.confirm()).map(({ reason }: Record<string, unknown>) => reason),
        ["low_confidence", "low_confidence"]
      )
      await firm.books.made("DELETE", `/bank-accounts/${firm.savings}/imports/${firm.right.imported}`)
      const { status, suggestion: none } = await firm.state(firm.left.id)
      assert.deepEqual([status, none], ["unmatched", null])
    }
  })

  it("is not a transfer if a line names a stranger, or two lines have the amount", async () => {
    const stranger = await transferred(["-80,00", "Shop", ibans[2], ""], ["80,00", "", "", ""])
    assert.deepEqual([stranger.right.suggestion, (await stranger.state(stranger.left.id)).suggestion], [null, null])
    const { add, lines, state } = await opened(["-80,00", "one"], ["-80,00", "two"])
    const [savings] = await add([["80,00"]], { name: "Savings", iban: null })
    for (const id of [savings, ...lines]) assert.isNull((await state(id)).suggestion)
  })

  it("is a transfer between currencies if two lines alone name each other's accounts, and a person confirms it", async () => {
    const firm = await transferred(["-500,00", "Dollars", ibans[1], ""], ["543,21", "Firm", ibans[0], ""], "USD")
    const { suggestion } = await firm.state(firm.left.id)
    assert.deepEqual([suggestion.type, suggestion.id, suggestion.score], ["transfer", firm.right.id, 30])
    assert.deepEqual(
      (await firm.confirm()).map(({ reason }: Record<string, unknown>) => reason),
      ["low_confidence", "low_confidence"]
    )
    await firm.match(firm.left.id, { transfer_transaction_id: firm.right.id })
    assert.deepEqual(ended(await firm.state(firm.right.id)), ["matched", 543.21, 0, 1])
    const unnamed = await transferred(["-500,00", "Dollars", ibans[1], ""], ["543,21", "Firm", "", ""], "USD")
    assert.deepEqual([unnamed.right.suggestion, (await unnamed.state(unnamed.left.id)).suggestion], [null, null])
    const several = await transferred(["-500,00", "Dollars", ibans[1], ""], ["543,21", "Firm", ibans[0], ""], "USD")
    const third = await importNamed(several, several.savings, ["12,00", "Firm", ibans[0], ""])
    assert.isNull(third.suggestion)
  })

  it("is a fee if the text names one and no party received the money, and never confirmed in bulk", async () => {
    const firm = await opened()
    const account = await openAccount(app, firm.books.id, { iban: ibans[0] })
    const feeOf = (...cells: ReadonlyArray<string>) => importNamed(firm, account, cells)
    const fee = await feeOf("-12,50", "", "", "Kontoführungsgebühr 03/2026")
    const { signals, ...suggestion } = fee.suggestion
    assert.deepEqual(suggestion, { type: "fee", id: account, score: 30, difference: null })
    assert.equal(signals[0].signal, "fee_name")
    const { results } = await firm.books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [fee.id] })
    assert.equal(results[0].reason, "low_confidence")
    await firm.match(fee.id, { exclude: { reason: "fee" } })
    assert.equal((await firm.unmatch(fee.id)).suggestion, null)
    assert.isNull((await feeOf("-12,50", "Syndic", ibans[2], "Frais de gestion")).suggestion)
    assert.isNull((await feeOf("12,50", "", "", "Bank charges paid back")).suggestion)
  })
})
