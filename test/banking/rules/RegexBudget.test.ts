import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"

const { app, open } = useBilling()

const today = new Date().toISOString().slice(0, 10)
const characters_max = 2_000
/** Patterns that are slow in many engines, each with true if it matches a text of many letters `a` and a `!`. */
const killers = [
  ["((a?){100}){9}b", false],
  ["(a|aa)+$", false],
  ["(.*a){25}", true],
  ["([\\p{L}\\p{N}][^b]?){40}", true],
  ["(?i)((k|s|ſ)?){90}z", false]
] as const
/** The automaton of this pattern needs a new state for each character. `#` becomes the number of the rule. */
const exploding = "[ab]*a[ab]{#}[xy]"

const condition = (value: string, changes: object = {}) => ({ type: "remittance_regex", value, ...changes })
const rule = (conditions: ReadonlyArray<object>, changes: object = {}) => ({
  name: "Rule",
  conditions,
  actions: { category: "travel", description: "Ruled" },
  ...changes
})

/**
 * Stores rules directly in the database, because the API now refuses expressions of this size. `#` is replaced by the
 * number of the rule.
 */
const store = (organization_id: number, count: number, conditions: ReadonlyArray<object>) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        insert into bank_rules (organization_id, name, is_active, direction, conditions, actions, auto_add, priority,
          created_at, updated_at, version)
        select ${organization_id}, 'Rule ' || n, true, 'any', replace(${JSON.stringify(conditions)}, '#', (100 + n)::text)::jsonb,
          '{"category": "travel"}', false, 100, now(), now(), 1
        from generate_series(1, ${count}::integer) n`
    ).pipe(Effect.orDie)
  )

/** Returns the most CPU time that the event loop used without a pause; unlike elapsed time, it ignores other load. */
const longestStretch = async <A>(work: () => Promise<A>) => {
  let longest_ms = 0
  let before = process.threadCpuUsage()
  const tick = () => {
    const { system, user } = process.threadCpuUsage(before)
    longest_ms = Math.max(longest_ms, (system + user) / 1000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(tick, 1)
  const result = await work()
  tick()
  clearInterval(timer)
  return { longest_ms, result }
}
const stretch_ms_max = 200

/** Returns a pseudorandom text of the letters a and b. */
const letters = (seed: number) => {
  let state = seed
  const letter = () => "ab"[(state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0) < 0 ? 0 : 1]
  return Array.from({ length: characters_max - 10 }, letter).join("")
}
const lines = (count: number, text: (line: number) => string) =>
  table(...Array.from({ length: count }, (_, line) => [today, `-${line + 10},50`, "Shop", text(line)] as const))

describe("a regular expression of a rule", () => {
  it("is refused when it is too large, with its field, its size and the limit", async () => {
    const { call, made } = await open()
    const conditions = [{ type: "amount_min", value: 1 }, condition("((a?){100}){9}b"), condition("(")]
    for (const path of ["/bank-rules", "/bank-rules?dry_run=1"]) {
      const { body, status } = await call("POST", path, rule(conditions))
      assert.deepEqual([status, body.code], [422, "validation_failed"])
      assert.deepEqual(body.errors["conditions.1.value"], [
        "The conditions.1.value field compiles to 3621 instructions; at most 1000 are allowed."
      ])
      assert.deepEqual(Object.keys(body.errors), ["conditions.1.value", "conditions.2.value"])
    }
    const { id } = await made("POST", "/bank-rules", rule([condition("^shop [0-9]+$")]))
    assert.equal((await call("PUT", `/bank-rules/${id}`, rule(conditions))).status, 422)
    assert.deepEqual((await made("GET", "/bank-rules"))[0].conditions, [condition("^shop [0-9]+$")])
  })

  it.each(killers)("does not delay other requests: %s", async (pattern, matches) => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const conditions = Array.from({ length: 20 }, () => condition(pattern, { negate: !matches }))
    await store(books.id, 20, conditions)
    const { longest_ms } = await longestStretch(async () => {
      const text = `${"a".repeat(characters_max - 10)}!`
      const { data, status } = await importer(app, books)(
        account,
        lines(3, () => text)
      )
      assert.deepEqual([status, data.imported, data.suggested, data.warnings], [201, 3, 3, undefined])
      const dry = await books.made("POST", "/bank-rules?dry_run=1", rule([condition("a!$")], { priority: 1 }))
      assert.equal(dry.transaction_ids.length, 3)
      const [{ id }] = await books.made("GET", "/bank-transactions")
      assert.equal((await books.made("GET", `/bank-transactions/${id}/document-prefill`)).category, "travel")
    })
    assert.isBelow(longest_ms, stretch_ms_max)
  })
})

/** On a busy machine, the waiting time is over before the rules have used the processor time that they may use. */
const stops = ["rule_budget_exceeded", "rule_check_unavailable"]

describe("rules that take too long", () => {
  it("complete the import with a warning, but fail requests that need their result", async () => {
    const [books, others] = [await open(), await open()]
    const account = await openAccount(app, books.id)
    await store(books.id, 400, [condition(exploding)])
    const theirs = await openAccount(app, others.id)
    await others.made("POST", "/bank-rules", rule([condition("^coffee [0-9]+$")]))
    const upload = importer(app, books)

    const { longest_ms, result } = await longestStretch(async () => {
      const importing = upload(account, lines(20, letters))
      const fair = await importer(app, others)(theirs, table([today, "-5,00", "Bar", "coffee 7"]))
      return { imported: await importing, fair }
    })
    const { data, status } = result.imported
    assert.deepEqual([status, data.imported, data.suggested], [201, 20, 0])
    assert.equal(data.warnings.length, 1)
    assert.include(stops, data.warnings[0].code)
    assert.match(data.warnings[0].message, /^Rules were applied to \d+ of 20 lines/)
    assert.deepEqual([result.fair.data.suggested, result.fair.data.warnings], [1, undefined])
    assert.isBelow(longest_ms, stretch_ms_max)

    const [{ id }] = await books.made("GET", "/bank-transactions")
    // The requests are made one after the other, because they share one child process and have limits of elapsed time.
    for (const ask of [
      () => books.call("GET", `/bank-transactions/${id}/document-prefill`),
      () => books.call("POST", `/bank-transactions/${id}/create-document`),
      () => books.call("POST", "/bank-rules?dry_run=1", rule([condition("a$")]))
    ]) {
      const { body, status } = await ask()
      assert.include(stops, body.code)
      assert.equal(status, body.code === "rule_budget_exceeded" ? 422 : 503)
    }
    const { expense_id } = await books.made("POST", `/bank-transactions/${id}/create-document`, { category: "rent" })
    assert.isNumber(expense_id)
  })

  it("are left out of the import and named, one by one, so that other rules apply to the other lines", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const slow = Array.from({ length: 19 }, (_, number) =>
      condition(`[ab]*a[ab]{${200 + number}}[xy]`, { negate: true })
    )
    await store(books.id, 1, [{ type: "counterparty_equals", value: "Shop" }, ...slow])
    const { id } = await books.made("POST", "/bank-rules", rule([condition("^coffee [0-9]+$")]))
    const rows = Array.from(
      { length: 20 },
      (_, line) => [today, `-${line + 10},50`, "Shop", letters(line).slice(0, 440)] as const
    )
    const { data } = await importer(app, books)(account, table(...rows, [today, "-5,00", "Bar", "coffee 7"]))
    const [named] = (await books.made("GET", "/bank-rules")).filter((rule: { readonly id: number }) => rule.id !== id)
    assert.deepEqual(
      data.warnings.map(({ code, rule_id }: { readonly code: string; readonly rule_id: number }) => [code, rule_id]),
      [["rule_not_applied", named.id]]
    )
    assert.match(data.warnings[0].message, /regular expressions take more than 50 ms for a line/)
    const [coffee] = (await books.made("GET", "/bank-transactions?per_page=100&sort=-id")) as ReadonlyArray<{
      readonly suggestion: { readonly id: number } | null
    }>
    assert.equal(coffee?.suggestion?.id, id)
  })

  it("are reported by id when RE2 does not accept their stored expression", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    await store(books.id, 1, [condition("(a{40}){40}", { negate: true })])
    const { data } = await importer(app, books)(
      account,
      lines(1, () => "coffee")
    )
    const [{ id }] = await books.made("GET", "/bank-rules")
    assert.deepEqual(
      data.warnings.map(({ code, rule_id }: { readonly code: string; readonly rule_id: number }) => [code, rule_id]),
      [["rule_not_applied", id]]
    )
  })
})
