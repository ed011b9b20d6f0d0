import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { SuggestionRefreshes } from "../../../src/banking/refreshes/SuggestionRefreshes.ts"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"
import { ruleChildren } from "./RuleChildren.ts"

const { app, open } = useBilling()
const today = new Date().toISOString().slice(0, 10)

const refresh = async () => {
  await app.inDatabase("update suggestion_refreshes set due_at = now() - interval '1 hour'")
  const run = Effect.flatMap(SuggestionRefreshes, (refreshes) => refreshes.run)
  await app.run(run.pipe(Effect.provide(SuggestionRefreshes.layer)))
}

const rule = (name: string, priority: number, condition: object, changes: object = {}) => ({
  name,
  priority,
  conditions: [condition],
  actions: { category: name },
  ...changes
})
const regex = { type: "remittance_regex", value: "ticket \\d+" }

/** Longer than the rules of an import may wait for the child process. */
const busy_ms = 23_000

describe("rules without regular expressions", () => {
  it("do not wait for the process that tests those of others, however many lines there are", async () => {
    const [books, others] = [await open(), await open()]
    const account = await openAccount(app, books.id)
    const lines = Array.from({ length: 300 }, (_, index) => [today, "-5,00", "", `stamps ${100 + index}`] as const)
    const amounts = Array.from({ length: 18 }, (_, index) => ({ type: "amount_min", value: index / 100 }))
    for (let number = 11; number <= 30; number++) {
      const conditions = [...amounts, { type: "remittance_contains", value: `stamps ${number}` }]
      await books.made("POST", "/bank-rules", rule(`office${number}`, number, {}, { conditions }))
    }
    await others.made("POST", "/bank-rules", rule("late", 9, regex, { is_active: false }))
    const [child] = ruleChildren()
    assert.isDefined(child)
    process.kill(child ?? 0, "SIGSTOP")
    const imported = await importer(app, books)(account, table(...lines))
    const draft = rule("draft", 90, { type: "remittance_contains", value: "stamps 3" })
    const dry = await books.call("POST", "/bank-rules?dry_run=1", draft)
    process.kill(child ?? 0, "SIGCONT")
    assert.deepEqual([imported.status, imported.data.suggested, imported.data.warnings], [201, 200, undefined])
    assert.deepEqual([dry.status, dry.body.data?.transaction_ids.length], [201, 90])
  })
})

describe("rules whose regular expressions get no processor time", () => {
  it("do not prevent the others from being applied, and are applied later", { timeout: 180_000 }, async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const upload = importer(app, books)
    await upload(account, table([today, "-3,00", "", "ticket 0"]))
    const [{ id: earlier }] = await books.made("GET", "/bank-transactions")
    const meals = await books.made(
      "POST",
      "/bank-rules",
      rule("meals", 1, { type: "amount_equals", value: 12.5 }, { auto_add: true })
    )
    const post = await books.made(
      "POST",
      "/bank-rules",
      rule("post", 2, { type: "remittance_contains", value: "stamps" })
    )
    const travel = await books.made("POST", "/bank-rules", rule("travel", 3, regex))
    const office = await books.made(
      "POST",
      "/bank-rules",
      rule("office", 4, { type: "remittance_contains", value: "paper" })
    )

    const [child] = ruleChildren()
    assert.isDefined(child)
    process.kill(child ?? 0, "SIGSTOP")
    const resumed = sleep(busy_ms).then(() => process.kill(child ?? 0, "SIGCONT"))
    const [imported, prefill, dry, confirmed, created] = await Promise.all([
      upload(
        account,
        table(
          [today, "-12,50", "", "lunch"],
          [today, "-5,00", "", "ticket 7"],
          [today, "-6,00", "", "stamps"],
          [today, "-7,00", "", "paper"]
        )
      ),
      books.call("GET", `/bank-transactions/${earlier}/document-prefill`),
      books.call("POST", "/bank-rules?dry_run=1", rule("draft", 9, { type: "remittance_contains", value: "ticket" })),
      books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [earlier] }),
      books.call("POST", "/bank-rules", rule("late", 9, regex, { is_active: false })),
      resumed
    ])
    assert.deepEqual([imported.status, imported.data.auto_booked, imported.data.suggested], [201, 1, 1])
    const [warning, ...others] = imported.data.warnings
    assert.deepEqual([warning.code, others.length], ["rule_check_unavailable", 0])
    assert.match(warning.message, /^Rules were applied to 2 of 4 lines, because the service was too busy/)
    assert.deepEqual([prefill.status, prefill.body.code], [503, "rule_check_unavailable"])
    assert.deepEqual([dry.status, dry.body.code], [503, "rule_check_unavailable"])
    assert.deepEqual([confirmed.failed, confirmed.results[0].reason], [1, "rule_check_unavailable"])
    assert.equal(created.status, 201)

    const suggestions = async () => {
      const lines: ReadonlyArray<{ readonly suggestion: { readonly id: number } | null }> = await books.made(
        "GET",
        "/bank-transactions?sort=id"
      )
      return lines.slice(1).map(({ suggestion }) => suggestion?.id)
    }
    const positionOf = async () =>
      (await app.inDatabase(`select position from suggestion_refreshes where organization_id = ${books.id}`))[0]
    assert.deepEqual(await suggestions(), [meals.id, undefined, post.id, undefined])

    const before = await positionOf()
    const known = new Set(ruleChildren())
    const refreshing = refresh()
    const ended = refreshing.then(() => true)
    for (;;) {
      const other = ruleChildren().find((pid) => !known.has(pid))
      if (other !== undefined) {
        process.kill(other, "SIGSTOP")
        break
      }
      if (await Promise.race([ended, sleep(2).then(() => false)])) break
    }
    await refreshing
    assert.deepEqual(await suggestions(), [meals.id, undefined, post.id, undefined])
    assert.deepEqual(await positionOf(), before)

    // On a busy machine, the process may get its processor time only in a later refresh.
    for (let tries = 0; tries < 8 && (await suggestions()).includes(undefined); tries++) await refresh()
    assert.deepEqual(await suggestions(), [meals.id, travel.id, post.id, office.id])
    assert.notDeepEqual(await positionOf(), before)
  })
})
