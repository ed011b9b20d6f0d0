import { Effect } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it, onTestFinished } from "vitest"
import { orderingOf } from "../../operations/Ordering.ts"
import { useBilling } from "../../support/Billing.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { here, startService } from "../../support/service/Service.ts"
import { importer, openAccount, table, waitingFor, whileHeld } from "../Books.ts"

const { app, open } = useBilling({ role: "all" })
const test_ms_max = 300_000

const fees = {
  name: "Fees",
  direction: "debit",
  conditions: [{ type: "remittance_contains", value: "fee" }],
  actions: { category: "bank_fees", counterparty_name: "KBC" },
  auto_add: true
}
const sales = {
  name: "Sales",
  direction: "credit",
  conditions: [{ type: "remittance_contains", value: "sale" }],
  actions: { description: "Sale" },
  auto_add: true
}
const statement = table(
  ["2026-01-05", "-1,00", "KBC", "fee"],
  ["2026-01-06", "-2,00", "KBC", "fee"],
  ["2026-01-07", "-3,00", "KBC", "fee"]
)

const opened = async (...rules: ReadonlyArray<object>) => {
  const books = await open()
  const account = await openAccount(app, books.id)
  for (const rule of rules) await books.made("POST", "/bank-rules", rule)
  const statuses = async (): Promise<ReadonlyArray<string>> =>
    (await books.made("GET", "/bank-transactions")).map(({ status }: { status: string }) => status)
  const latest = async () => (await books.made("GET", `/bank-accounts/${account}/imports`))[0]
  return { books, account, upload: importer(app, books), statuses, latest }
}

const limits = ({ warnings = [] }: { warnings?: ReadonlyArray<{ code: string; message: string }> }) =>
  warnings.filter(({ code }) => code === "auto_book_limit")

/** Holds the second line of the statement while a rule books it. */
const secondLineHeld = async (during: (waiting: () => Promise<unknown>) => Promise<unknown>) => {
  await app.inDatabase(`create function stall() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(4712); return new; end $$`)
  await app.inDatabase(`create trigger stall before insert on expenses for each row
    when (new.amount = 2) execute function stall()`)
  try {
    await whileHeld(app, ["select pg_advisory_xact_lock(4712)"], () =>
      during(() => waitingFor(app, "insert into expenses"))
    )
  } finally {
    await app.inDatabase("drop function stall cascade")
  }
}

describe("the rules with auto_add of an import", () => {
  it("book every line although the client leaves", async () => {
    const { account, books, latest, statuses } = await opened(fees)
    await secondLineHeld(async (waiting) => {
      const leaving = new AbortController()
      const form = new FormData()
      form.set("file", new File([statement], "jan.csv"))
      const left = fetch(`${app.url}/api/v1/bank-accounts/${account}/import-statement`, {
        method: "POST",
        headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) },
        body: form,
        signal: leaving.signal
      }).catch(() => "left")
      await waiting()
      leaving.abort()
      assert.equal(await left, "left")
      await sleep(500)
    })
    const { suggested } = await until("an import whose lines are booked", async () => {
      const found = await latest()
      return found.auto_booked === 3 ? found : undefined
    })
    assert.equal(suggested, 0)
    assert.deepEqual(await statuses(), ["matched", "matched", "matched"])
  })

  it(
    "book the rest of the lines when the process was killed and the file is sent again",
    async () => {
      const { account, books, statuses, upload } = await opened(fees)
      const process = await startService(await app.run(here.pipe(Effect.orDie)), { ROLE: "api" })
      onTestFinished(() => process.kill("SIGKILL"))
      await process.listening
      await secondLineHeld(async (waiting) => {
        const killed = importer(process, books)(account, statement).catch(() => "no answer")
        await waiting()
        process.kill("SIGKILL")
        assert.equal(await killed, "no answer")
        await process.ended
      })
      const { data } = await upload(account, statement)
      assert.deepEqual([data.duplicate_file, data.imported, data.auto_booked], [true, 0, 2])
      assert.deepEqual(await statuses(), ["matched", "matched", "matched"])
      const [line] = await books.made("GET", "/bank-transactions")
      await books.made("POST", `/bank-transactions/${line.id}/unmatch`)
      assert.equal((await upload(account, statement)).data.auto_booked, 0)
    },
    test_ms_max
  )

  it("name each refusal of a booking in a warning that is kept", async () => {
    const { account, books, latest, upload } = await opened(sales)
    const rows = table(
      ["2026-01-05", "5,00", "", "sale"],
      ["2026-01-06", "6,00", "", "sale"],
      ["2026-01-07", "7,00", "Beta", "sale"]
    )
    const { data } = await upload(account, rows)
    assert.deepEqual([data.auto_booked, data.suggested], [1, 2])
    const [{ id: rule_id }] = await books.made("GET", "/bank-rules")
    const warned = data.warnings.filter(({ code }: { code: string }) => code === "rule_not_applied")
    assert.equal(warned.length, 1)
    assert.equal(warned[0].rule_id, rule_id)
    assert.match(warned[0].message, /^Rule \d+ did not book 2 lines: /)
    assert.deepEqual((await latest()).warnings, data.warnings)
  })

  it("book at most 500 lines while the client waits, and say how many are left, but book more in the background", async () => {
    const { account, books, upload } = await opened(fees)
    const rows = table(...Array.from({ length: 502 }, () => ["2026-01-05", "-1,00", "KBC", "fee"] as const))
    const inBackground = async (content: string, fields: Readonly<Record<string, string>> = {}) => {
      const { data } = await upload(account, content, fields, undefined, { prefer: "respond-async" })
      return (await orderingOf(books).ended(data.id)).results
    }
    const { data } = await upload(account, rows, { dry_run: "true" })
    assert.deepEqual([data.auto_booked, data.suggested, limits(data).length], [500, 2, 1])
    assert.match(limits(data)[0]?.message ?? "", /^Rules did not book 2 lines, /)
    const later = await inBackground(rows, { dry_run: "true" })
    assert.deepEqual([later.auto_booked, later.suggested, limits(later)], [502, 0, []])
    const stored = await inBackground(statement)
    assert.deepEqual([stored.imported, stored.auto_booked, stored.suggested], [3, 3, 0])
  })
})
