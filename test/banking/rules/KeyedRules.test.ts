import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { answerLost } from "../../support/service/AnswerLost.ts"
import { importer, openAccount, table } from "../Books.ts"
import { ruleChildren } from "./RuleChildren.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

/** More than the connections of the database pool in tests. */
const requests = 12

const rule = (name: string, changes: object = {}) => ({
  name,
  conditions: [{ type: "remittance_regex", value: "ticket \\d+" }],
  actions: { category: "travel" },
  ...changes
})
const keyed = (key: string) => ({ headers: { "idempotency-key": key } })

/** Opens books with debits, whose category a rule with a regular expression decides. */
const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  await books.made("POST", "/bank-rules", rule("travel"))
  await importer(app, books)(
    account,
    table(...Array.from({ length: requests }, (_, n) => [today, `-${n + 1},00`, "", "lunch"] as const))
  )
  const lines: ReadonlyArray<{ readonly id: number }> = await books.made("GET", "/bank-transactions")
  return { books, lines }
}

describe("keyed requests that wait for regular expressions", () => {
  it("do not delay a keyed request of another organization", { timeout: 180_000 }, async () => {
    const [{ books, lines }, others] = [await opened(), await open()]
    const [child = 0] = ruleChildren()
    assert.notEqual(child, 0)
    process.kill(child, "SIGSTOP")
    let answered = 0
    const waiting = lines.map(async ({ id }) => {
      await books.call("POST", "/bank-rules", rule(`late ${id}`), keyed(`late ${id}`))
      answered++
    })
    await until("the reserved keys", async () => {
      const keys = await app.inDatabase("select key from idempotency_keys where key like 'late %' and status is null")
      return keys.length === requests || undefined
    })
    const other = await others.call("POST", "/customers", { name: "Gamma" }, keyed("other"))
    const before = answered
    process.kill(child, "SIGCONT")
    await Promise.all(waiting)
    assert.deepEqual([other.status, before], [201, 0])
  })
})

describe("a keyed request whose process was killed before it answered", () => {
  it("creates one rule, and its repetition answers that rule even if it was deleted since", async () => {
    const books = await open()
    const post = () => books.call("POST", "/bank-rules", rule("once"), keyed("rule"))
    const first = await post()
    await app.run(answerLost("rule"))
    const second = await post()
    assert.deepEqual([second.status, second.body.data], [201, first.body.data])
    assert.equal(second.headers.get("idempotency-replayed"), null)
    const { id } = first.body.data
    await books.made("DELETE", `/bank-rules/${id}`)
    await app.run(answerLost("rule"))
    assert.equal((await post()).body.data.id, id)
    assert.deepEqual(await books.made("GET", "/bank-rules"), [])
  })

  it("creates one document, and its repetition answers that match even if it was undone since", async () => {
    const { books, lines } = await opened()
    const path = `/bank-transactions/${lines[1]?.id}`
    const post = () => books.call("POST", `${path}/create-document`, { amount: 0.5 }, keyed("document"))
    const first = await post()
    await app.run(answerLost("document"))
    const second = await post()
    assert.deepEqual([second.status, second.body.data], [201, first.body.data])
    await books.made("POST", `${path}/unmatch`)
    await app.run(answerLost("document"))
    const third = await post()
    assert.deepEqual([third.status, third.body.data.id], [201, first.body.data.id])
    assert.equal(third.body.data.transaction_status, "unmatched")
    assert.equal((await books.made("GET", "/expenses")).length, 1)
  })
})
