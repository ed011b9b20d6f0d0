import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { replyWith, sourceOf } from "../../../src/banking/preparation/Questions.ts"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"

const { app, open } = useBilling()

const unused = () => Effect.die("This question is not asked.")

describe("the open documents of an organization", () => {
  it("are thousands, and lines are compared with the first and the last of them", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    await app.inDatabase(`
      insert into invoices (organization_id, customer_id, number, issue_date, due_date, currency, items,
        tax_breakdown, subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at)
      select ${books.id}, ${books.customer_id}, 'BULK-' || n, current_date - (12500 - n) % 100, current_date, 'EUR',
        '[]', '[]', n, 0, 0, n, now(), now(), now()
      from generate_series(10001, 12500) n`)
    const today = new Date().toISOString().slice(0, 10)
    const paid = [10_001, 10_100, 11_234, 12_401, 12_500]
    const rows = paid.map((number) => [today, `${number},00`, "", `invoice BULK-${number}`] as const)
    const { data } = await importer(app, books)(account, table(...rows))
    assert.deepEqual([data.imported, data.suggested], [paid.length, paid.length])
    const suggested = await app.inDatabase(`
      select i.number from bank_transactions t join invoices i on i.id = (t.suggestion ->> 'id')::bigint
      where t.bank_account_id = ${account} order by i.number`)
    assert.deepEqual(
      suggested.map((row) => ({ ...row })),
      paid.map((number) => ({ number: `BULK-${number}` }))
    )
  })

  it("reach the child process in one message for each text", async () => {
    for (const texts of [[], ["[1]"], ["[1]", "[2]", "[3]"]]) {
      const questions: Array<unknown> = []
      const reply = replyWith({
        auto_threshold: 50,
        candidates: Effect.succeed(texts),
        confirmed: unused(),
        recorded: unused,
        owners: unused,
        mentioned: unused,
        rulesOf: unused,
        keep: unused
      })
      const ask = (question: unknown) => {
        questions.push(question)
        return Effect.runPromise(reply(question))
      }
      const { candidates } = sourceOf(ask, 50)
      assert.deepEqual(await Effect.runPromise(candidates), texts)
      assert.lengthOf(questions, texts.length + 1)
    }
  })
})
