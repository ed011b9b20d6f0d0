import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { SuggestionRefreshes } from "../../../src/banking/refreshes/SuggestionRefreshes.ts"
import { SuggestionRefreshesRepo } from "../../../src/banking/refreshes/SuggestionRefreshesRepo.ts"
import { SuggestionRefreshWorker } from "../../../src/banking/refreshes/SuggestionRefreshWorker.ts"
import { BankTransactionId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { line } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { today, useLines } from "../Lines.ts"

const { app, opened } = useLines()
type Firm = Awaited<ReturnType<typeof opened>>

const run = Effect.flatMap(SuggestionRefreshes, (refreshes) => refreshes.run).pipe(
  Effect.provide(SuggestionRefreshes.layer)
)
const repo = SuggestionRefreshesRepo.pipe(Effect.provide(SuggestionRefreshesRepo.layer))

/** Makes the next refresh of suggestions due, and runs it as a worker does. */
const refresh = async () => {
  await app.inDatabase("update suggestion_refreshes set due_at = now() - interval '1 hour'")
  await app.run(run)
}

const stateOf = async ({ books }: Firm) => {
  const [row] = await app.inDatabase(
    `select r.position, r.refreshed_at, j.entries from suggestion_refreshes r join journals j using (organization_id)
     where organization_id = ${books.id}`
  )
  return row as Readonly<Record<"position" | "refreshed_at" | "entries", unknown>>
}

/** Returns the suggestion of a line, or the line's status if the status contradicts the suggestion. */
const suggested = async ({ state }: Firm, id: number | undefined) => {
  const { status, suggestion } = await state(id)
  if (status !== (suggestion === null ? "unmatched" : "suggested")) return status
  return suggestion === null ? null : `${suggestion.type} ${suggestion.id}`
}

const spent = ({ books }: Firm, amount: number, reference: string): Promise<{ readonly id: number }> =>
  books.made("POST", "/expenses", {
    expense_date: today,
    category: "rent",
    amount,
    currency: "EUR",
    description: "Rent",
    vendor: "Landlord",
    reference
  })

const ruleOn = (text: string, changes: object = {}) => ({
  name: text,
  direction: "debit",
  conditions: [{ type: "remittance_contains", value: text }],
  actions: { category: "rent" },
  ...changes
})

describe("the suggestion of an open bank line", () => {
  it("is found by the worker when its document is entered after the import, and the lists agree", async () => {
    const firm = await opened(["-83,83", "LT-4711"], ["605,05", "no document"])
    const [first, second] = firm.lines
    const expense = await spent(firm, 83.83, "LT-4711")
    assert.isNull(await suggested(firm, first))
    const worker = Effect.gen(function* () {
      yield* Layer.build(SuggestionRefreshWorker)
      while ((yield* Effect.promise(() => suggested(firm, first))) === null) {
        yield* Effect.sleep("100 millis")
      }
    })
    await app.run(Effect.scoped(worker))
    assert.deepEqual([await suggested(firm, first), await suggested(firm, second)], [`expense ${expense.id}`, null])
    const [listed, ...others] = await firm.books.made("GET", "/bank-transactions?status=suggested")
    assert.deepEqual([listed.id, others], [first, []])
  })

  it("disappears when its document is paid in another way, deleted, credited or matched with a twin line", async () => {
    const firm = await opened()
    const { books } = firm
    const invoice = (amount: number) => books.issued({ items: [line(amount, { tax_exempt: true })] })
    const paid = await invoice(100)
    const credited = await invoice(200)
    const taken = await invoice(300)
    const deleted = await spent(firm, 40, "DEL-2026")
    const [one, two, three, twin, four] = await firm.add(
      [
        ["100,00", paid.number],
        ["200,00", credited.number],
        ["300,00", `${taken.number} first`],
        ["300,00", `${taken.number} second`],
        ["-40,00", "DEL-2026"]
      ],
      { iban: null }
    )
    const all = () => Promise.all([one, two, twin, four].map((id) => suggested(firm, id)))
    const before = [`invoice ${paid.id}`, `invoice ${credited.id}`, `invoice ${taken.id}`, `expense ${deleted.id}`]
    assert.deepEqual(await all(), before)
    await refresh()
    assert.equal((await firm.state(one)).version, 1)
    await books.pay(paid)
    await books.made("DELETE", `/expenses/${deleted.id}`)
    await firm.match(three, { invoice_id: taken.id })
    const note = await books.made("POST", "/credit-notes", { invoice_id: credited.id, amount: 200, reason: "Returned" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.example", attach_pdf: false })
    await refresh()
    assert.deepEqual(await all(), [null, null, null, null])
    await firm.unmatch(three)
    await refresh()
    assert.deepEqual(await all(), [null, null, `invoice ${taken.id}`, null])
    assert.isNull(await suggested(firm, three))
  })

  it("is left alone if the line has another version, or a request holds the line until the next run", async () => {
    const firm = await opened(["-83,83", "LT-4711"])
    const [id = 0] = firm.lines
    const expense = await spent(firm, 83.83, "LT-4711")
    const stored = { id: BankTransactionId.make(id), version: 7, suggestion: null }
    const count = await app.run(
      Effect.flatMap(repo, (each) => each.suggest(OrganizationId.make(firm.books.id), [stored]))
    )
    assert.equal(count, 0)
    const held = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const holding = app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const hold = sql`select from bank_transactions where id = ${id} for update`.pipe(
          Effect.tap(() => Effect.sync(() => held.resolve())),
          Effect.andThen(Effect.promise(() => done.promise))
        )
        yield* sql.withTransaction(hold)
      })
    )
    await held.promise
    await refresh()
    assert.isNull(await suggested(firm, id))
    done.resolve()
    await holding
    await refresh()
    assert.deepEqual([await suggested(firm, id), (await firm.state(id)).version], [`expense ${expense.id}`, 2])
  })

  it("is a rule that was made after the import, never books, and goes with the rule", async () => {
    const firm = await opened(["-5,00", "frais one"], ["-6,00", "frais two"], ["-7,00", "frais three"])
    const { books } = firm
    const [one, two, three] = firm.lines
    await firm.match(one, { exclude: { reason: "private" } })
    const all = () => Promise.all([two, three].map((id) => suggested(firm, id)))
    const rule = await books.made("POST", "/bank-rules", ruleOn("frais", { auto_add: true }))
    await refresh()
    assert.deepEqual(await all(), [`rule ${rule.id}`, `rule ${rule.id}`])
    assert.deepEqual(await books.made("GET", "/expenses"), [])
    const { results } = await books.made("POST", "/bank-transactions/bulk-confirm", { transaction_ids: [two] })
    assert.equal(results[0].via, "rule")
    await firm.unmatch(two)
    await books.made("DELETE", `/expenses/${results[0].expense_id}`)
    await refresh()
    assert.deepEqual(await all(), [null, `rule ${rule.id}`])
    await books.made("PUT", `/bank-rules/${rule.id}`, ruleOn("frais", { is_active: false }))
    await refresh()
    assert.deepEqual(await all(), [null, null])
  })

  it("does not apply a rule whose customer was deleted", async () => {
    const firm = await opened()
    const { books } = firm
    const gone = await books.made("POST", "/customers", { name: "Gone" })
    const actions = { counterparty_id: gone.id, description: "Sale" }
    const rule = await books.made("POST", "/bank-rules", ruleOn("subscription", { direction: "credit", actions }))
    const [id] = await firm.add([["9,00", "subscription"]], { iban: null })
    assert.equal(await suggested(firm, id), `rule ${rule.id}`)
    await books.made("DELETE", `/customers/${gone.id}`)
    await refresh()
    assert.isNull(await suggested(firm, id))
  })

  it("is the fee again when the document no longer exists, and never after a user has undone the fee", async () => {
    const firm = await opened()
    const expense = await spent(firm, 12.5, "KG-2026")
    const [fee, undone] = await firm.add(
      ["-12,50", "-13,50"].map((amount) => [amount, "Kontoführungsgebühr KG-2026"] as const),
      { iban: null }
    )
    assert.equal(await suggested(firm, fee), `expense ${expense.id}`)
    await firm.match(undone, { exclude: { reason: "fee" } })
    await firm.unmatch(undone)
    await firm.books.made("DELETE", `/expenses/${expense.id}`)
    await refresh()
    const { bank_account_id } = await firm.state(fee)
    assert.deepEqual([await suggested(firm, fee), await suggested(firm, undone)], [`fee ${bank_account_id}`, null])
  })
})

describe("the suggestion of a transfer", () => {
  const ibans = ["NL91ABNA0417164300", "DE89370400440532013000"] as const
  const transferred = async (iban: string) => {
    const firm = await opened()
    const current = await openAccount(app, firm.books.id, { name: "Current", iban: ibans[0] })
    const savings = await openAccount(app, firm.books.id, { name: "Savings", iban: ibans[1] })
    const add = async (account: number, amount: string, named: string) => {
      const row = [today, amount, "Savings", named, "RF-80-2026"].join(";")
      await importer(app, firm.books)(account, `Date;Amount;Name;IBAN;Description\n${row}`)
      const [{ id }] = await firm.books.made("GET", `/bank-transactions?bank_account_id=${account}`)
      return id as number
    }
    const left = await add(current, "-80,00", iban)
    const right = await add(savings, "80,00", "")
    const both = async () => [await suggested(firm, left), await suggested(firm, right)]
    assert.deepEqual(await both(), [`transfer ${right}`, `transfer ${left}`])
    return { firm, left, right, both }
  }

  it("gives way to a document unless a line names the account of the other one", async () => {
    const unnamed = await transferred("")
    const expense = await spent(unnamed.firm, 80, "RF-80-2026")
    const named = await transferred(ibans[1])
    await spent(named.firm, 80, "RF-80-2026")
    await refresh()
    assert.deepEqual(await unnamed.both(), [`expense ${expense.id}`, null])
    assert.deepEqual(await named.both(), [`transfer ${named.right}`, `transfer ${named.left}`])
  })

  it("disappears when the other line is settled in another way", async () => {
    const { both, firm, left } = await transferred("")
    await firm.match(left, { exclude: { reason: "private" } })
    await refresh()
    assert.deepEqual((await both())[1], null)
  })
})

describe("the refresh of suggestions", () => {
  it("is due once after changes that may concern suggestions, for one process at a time, and repeated after a crash", async () => {
    const firm = await opened(["-5,00", "one"])
    const organization_id = OrganizationId.make(firm.books.id)
    const due = async () => {
      const rows = await app.run(Effect.flatMap(repo, (each) => each.due))
      return rows.some((row) => row.organization_id === organization_id)
    }
    const claim = Effect.flatMap(repo, (each) => each.claim(organization_id))
    await refresh()
    const { entries, position, refreshed_at } = await stateOf(firm)
    assert.equal(position, entries)
    await app.inDatabase("update suggestion_refreshes set due_at = now()")
    assert.isFalse(await due())
    await app.run(run)
    assert.deepEqual((await stateOf(firm)).refreshed_at, refreshed_at)

    await spent(firm, 5, "A-1")
    assert.isTrue(await due())
    const claims = await app.run(Effect.all([claim, claim, claim], { concurrency: 3 }))
    assert.lengthOf(claims.filter(Option.isSome), 1)
    assert.isFalse(await due())
    await app.inDatabase("update suggestion_refreshes set due_at = now()")
    assert.isTrue(await due())
    await app.run(run)
    assert.isFalse(await due())
    await app.run(Effect.flatMap(repo, (each) => each.finish({ organization_id, position: 0, duration_ms: 4_000 })))
    const waits = await app.inDatabase(
      `select due_at = refreshed_at + interval '80 seconds' as waits from suggestion_refreshes
       where organization_id = ${organization_id}`
    )
    assert.deepEqual(waits, [{ waits: true }])
  })

  it("begins with the organization that waits longest, and skips one whose changes concern no suggestion", async () => {
    const [first, second, third] = [await opened(["-5,00"]), await opened(["-5,00"]), await opened(["-5,00"])]
    await refresh()
    for (const firm of [first, second]) await spent(firm, 5, "A-1")
    await third.books.made("POST", "/webhooks", { url: "http://93.184.216.34/hook", events: ["invoice.paid"] })
    await app.inDatabase(`update suggestion_refreshes set due_at = now() - interval '1 hour'`)
    await app.inDatabase(
      `update suggestion_refreshes set due_at = now() - interval '2 hours' where organization_id = ${second.books.id}`
    )
    const due = await app.run(Effect.flatMap(repo, (each) => each.due))
    const ids = [first, second, third].map(({ books }) => books.id)
    const waiting = due.map(({ organization_id }) => Number(organization_id)).filter((id) => ids.includes(id))
    assert.deepEqual(waiting, [second.books.id, first.books.id, third.books.id])
    const { refreshed_at } = await stateOf(third)
    await app.run(run)
    const after = await stateOf(third)
    assert.deepEqual([after.refreshed_at, after.position], [refreshed_at, after.entries])
    assert.notDeepEqual((await stateOf(first)).refreshed_at, refreshed_at)
  })

  it("continues with other organizations when one fails, which is retried later", async () => {
    const [broken, sound] = [await opened(["-5,00", "A-1"]), await opened(["-5,00", "A-1"])]
    await app.inDatabase(
      `update bank_transactions set suggestion = '{"type": "unknown"}', status = 'suggested'
       where organization_id = ${broken.books.id}`
    )
    const expense = await spent(sound, 5, "A-1")
    await spent(broken, 5, "A-1")
    await refresh()
    assert.equal(await suggested(sound, sound.lines[0]), `expense ${expense.id}`)
    const { position, refreshed_at } = await stateOf(broken)
    assert.equal(position, 0)
    assert.isNotNull(refreshed_at)
  })
})
