import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { SuggestionRefreshes } from "../../../src/banking/refreshes/SuggestionRefreshes.ts"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table, waitingFor, whileHeld } from "../Books.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

const run = Effect.flatMap(SuggestionRefreshes, (refreshes) => refreshes.run).pipe(
  Effect.provide(SuggestionRefreshes.layer)
)
const refresh = async () => {
  await app.inDatabase("update suggestion_refreshes set due_at = now() - interval '1 hour'")
  await app.run(run)
}

/** Opens books with an expense of 50.00 and a rule that books charges; `upload` imports five of 1.00 to 5.00. */
const opened = async (auto_add: boolean) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  await books.made("POST", "/bank-rules", {
    name: "Fees",
    auto_add,
    conditions: [{ type: "remittance_contains", value: "charge" }],
    actions: { category: "bank_fees", counterparty_name: "KBC" }
  })
  await app.inDatabase(`insert into counterparties (id, organization_id, name, is_customer, is_vendor)
    values (nextval('customers_id_seq'), ${books.id}, 'KBC', false, true)`)
  const upload = () =>
    importer(app, books)(account, table(...[1, 2, 3, 4, 5].map((n) => [today, `-${n},00`, "KBC", "charge"] as const)))
  const lines = async (): Promise<ReadonlyArray<{ id: number; status: string; suggestion: { type: string } | null }>> =>
    books.made("GET", "/bank-transactions?sort=id")
  /** The rule waits for its vendor while it books the first line. */
  const duringFirst = (during: () => Promise<unknown>) =>
    whileHeld(app, [`select from counterparties where organization_id = ${books.id} for update`], async () => {
      await waitingFor(app, "insert into counterparties")
      await during()
    })
  const spent = (amount: number) =>
    books.made("POST", "/expenses", {
      expense_date: today,
      category: "bank_fees",
      amount,
      currency: "EUR",
      description: "Charge",
      vendor: "KBC"
    })
  const act = (id: number | undefined, action: string, body: object = {}) =>
    books.made("POST", `/bank-transactions/${id}/${action}`, body)
  const expenses = async () => (await books.call("GET", "/expenses")).body.meta.total
  const other = await spent(50)
  return { books, other, upload, lines, duringFirst, spent, act, expenses }
}

describe("a rule that books several lines", () => {
  it("leaves an imported line that was matched or got another suggestion after the first booking began", async () => {
    const { act, duringFirst, expenses, lines, other, spent, upload } = await opened(true)
    const importing = upload()
    await duringFirst(async () => {
      const [, part, undone, entered] = (await lines()).map(({ id }) => id)
      await act(part, "match", { expense_id: other.id, amount: 1 })
      await act(undone, "match", { expense_id: other.id })
      await act(undone, "unmatch")
      await spent(4)
      await refresh()
      assert.equal((await lines()).find(({ id }) => id === entered)?.suggestion?.type, "expense")
    })
    const { data } = await importing
    assert.deepEqual([data.auto_booked, data.warnings ?? []], [2, []])
    const statuses = (await lines()).map(({ status }) => status)
    assert.deepEqual(statuses, ["matched", "partially_matched", "suggested", "suggested", "matched"])
    assert.equal(await expenses(), 4)
  })

  it("skips a line that was matched in part, or whose document was declined, after a bulk confirmation began", async () => {
    const { act, books, duringFirst, expenses, lines, other, upload } = await opened(false)
    await upload()
    const transaction_ids = (await lines()).map(({ id }) => id)
    const confirming = books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids })
    await duringFirst(async () => {
      const [, part, undone] = transaction_ids
      await act(part, "match", { expense_id: other.id, amount: 1 })
      await act(undone, "create-document", { counterparty_name: "Other" })
      await act(undone, "unmatch")
    })
    const { results } = await confirming
    assert.deepEqual(
      results.map(({ reason, status }: { reason?: string; status: string }) => reason ?? status),
      ["confirmed", "no_suggestion", "no_suggestion", "confirmed", "confirmed"]
    )
    assert.equal(await expenses(), 5)
  })
})
