import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { race, statuses, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { importer, openAccount, table } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling()

const opened = async (options: Parameters<typeof openAccount>[2] = {}) => {
  const books = await open()
  const account = await openAccount(app, books.id, options)
  const send = async (content: string) => {
    const { body, data, status } = await importer(app, books)(account, content)
    assert.equal(status, 201, JSON.stringify(body))
    return data
  }
  const path = `/bank-accounts/${account}/imports`
  const lines = () => books.made("GET", `/bank-transactions?per_page=100&bank_account_id=${account}`)
  const report = (from: string, to: string) =>
    books.made("GET", `/bank-accounts/${account}/reconciliation-report?from=${from}&to=${to}`)
  return { books, account, send, path, lines, report }
}

const day = (date: string, amount: string, text: string) => [date, amount, "", text] as const

describe("GET /api/v1/bank-accounts/{id}/imports", () => {
  it("lists the imports of the account, the newest first, and answers one with its matched lines", async () => {
    const { books, lines, path, send } = await opened()
    const first = await send(table(day("2026-01-05", "121,00", "a")))
    const second = await send(table(day("2026-01-06", "-4,00", "b"), day("2026-01-07", "2,00", "c")))
    const listed = await books.made("GET", path)
    assert.deepEqual(listed, [
      { ...second, matched: 0 },
      { ...first, matched: 0 }
    ])
    const until = await books.made("GET", "/bank-transactions?date_from=2026-01-05&date_to=2026-01-06")
    assert.deepEqual(
      until.map(({ booking_date }: { readonly booking_date: string }) => booking_date),
      ["2026-01-06", "2026-01-05"]
    )
    const [, , line] = await lines()
    await books.made("POST", `/bank-transactions/${line.id}/match`, { exclude: { reason: "other" } })
    assert.deepEqual(await books.made("GET", `${path}/${first.id}`), { ...first, matched: 1 })
  })

  it("answers 404 for another organization's account, another account's import and a missing one", async () => {
    const { books, path, send } = await opened()
    const { id } = await send(table(day("2026-01-05", "1,00", "a")))
    const others = await opened()
    const second = await openAccount(app, books.id, { iban: null })
    for (const answer of [
      await others.books.call("GET", path),
      await others.books.call("GET", `${path}/${id}`),
      await others.books.call("DELETE", `${path}/${id}`),
      await books.call("DELETE", `/bank-accounts/${second}/imports/${id}`),
      await books.call("GET", `${path}/999999`)
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [404, "not_found"])
    }
    const { token } = await app.run(seedMember(books.id, "viewer"))
    assert.equal((await books.call("DELETE", `${path}/${id}`, undefined, { token })).status, 403)
  })
})

describe("DELETE /api/v1/bank-accounts/{id}/imports/{import_id}", () => {
  it("removes the lines and balances, so that the same file can be imported again", async () => {
    const { books, lines, path, report, send } = await opened()
    const file = camt([entry("121.00", "CRDT"), entry("21.00", "DBIT")], { opening: "10.00", closing: "110.00" })
    const { id } = await send(file)
    const [line] = await lines()
    const invoice = await books.issued()
    await books.made("POST", `/bank-transactions/${line.id + 0}/match`, { exclude: { reason: "private" } })
    const refused = await books.call("DELETE", `${path}/${id}`)
    assert.deepEqual([refused.status, refused.body.code, refused.body.details], [409, "import_matched", { matched: 1 }])
    assert.equal((await lines()).length, 2)
    await books.made("POST", `/bank-transactions/${line.id}/unmatch`)
    const credit = (await lines()).find(({ amount }: { readonly amount: number }) => amount > 0)
    await books.made("POST", `/bank-transactions/${credit.id}/match`, { invoice_id: invoice.id })
    await books.made("POST", `/bank-transactions/${credit.id}/unmatch`)
    assert.deepEqual(await books.made("DELETE", `${path}/${id}`), { id })
    assert.deepEqual(await lines(), [])
    assert.deepEqual(await books.made("GET", path), [])
    assert.equal((await report("2026-01-01", "2026-01-31")).balance_check.status, "unavailable")
    const { entries, events } = await app.run(verifiedAuditLog(books.id).pipe(Effect.orDie))
    assert.equal(entries.at(-1)?.action, "bank_statement.deleted")
    assert.equal(events.at(-1)?.type, "bank_statement.deleted")
    const again = await send(file)
    assert.deepEqual([again.duplicate_file, again.imported], [false, 2])
  })

  it("imports lines again that were deleted with another import", async () => {
    const { books, lines, path, send } = await opened()
    const rows = [day("2026-01-05", "1,00", "a"), day("2026-01-06", "2,00", "b"), day("2026-01-07", "3,00", "c")]
    const first = await send(table(...rows.slice(0, 2)))
    const both = table(...rows)
    assert.equal((await send(both)).imported, 1)
    await books.made("DELETE", `${path}/${first.id}`)
    assert.equal((await lines()).length, 1)
    assert.deepEqual([(await send(both)).imported, (await lines()).length], [2, 3])
  })

  it("restores what the account had before: its mapping, its number and the time of its last import", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { iban: null })
    const before = await books.made("GET", `/bank-accounts/${account}`)
    const known = async () => {
      const { csv_mapping, iban, last_imported_at } = await books.made("GET", `/bank-accounts/${account}`)
      return { csv_mapping, iban, last_imported_at }
    }
    const send = async (content: string, positive?: string) => {
      const fields: Record<string, string> =
        positive === undefined ? {} : { mapping: JSON.stringify({ sign: { positive } }) }
      const { body, data, status } = await importer(app, books)(account, content, fields)
      assert.equal(status, 201, JSON.stringify(body))
      return data
    }
    const undo = ({ id }: { readonly id: number }) => books.made("DELETE", `/bank-accounts/${account}/imports/${id}`)
    const wrong = await send(camt([entry("121.00", "CRDT")], { iban: "BE71096123456769" }))
    assert.equal((await known()).iban, "BE71096123456769")
    await undo(wrong)
    assert.deepEqual(await known(), {
      csv_mapping: before.csv_mapping,
      iban: before.iban,
      last_imported_at: before.last_imported_at
    })
    const first = await send(table(day("2026-01-05", "1,00", "a")), "credit")
    const after_first = await known()
    const second = await send(table(day("2026-01-06", "2,00", "b")), "debit")
    assert.deepEqual((await known()).csv_mapping, { sign: { positive: "debit" } })
    await undo(second)
    assert.deepEqual(await known(), after_first)
    await undo(first)
    assert.deepEqual((await known()).csv_mapping, null)
  })

  it("either deletes the import or matches its line when both are requested at once", async () => {
    const { books, lines, path, send } = await opened()
    const { id } = await send(table(day("2026-01-05", "1,00", "a")))
    const [line] = await lines()
    const answers = await race(6, (index) =>
      index % 2 === 0
        ? books.call("DELETE", `${path}/${id}`)
        : books.call("POST", `/bank-transactions/${line.id}/match`, { exclude: { reason: "other" } })
    )
    const found = statuses(answers)
    assert.ok(found["200"] === 1, JSON.stringify(found))
    const [left] = await lines()
    assert.equal(left === undefined ? "deleted" : left.status, left === undefined ? "deleted" : "excluded")
  })
})

describe("GET /api/v1/bank-accounts/{id}/reconciliation-report of an account that was not empty", () => {
  it("starts from the first statement's opening balance, and compares with the latest closing balance", async () => {
    const { account, books, report, send } = await opened()
    await send(camt([entry("121.00", "CRDT"), entry("21.00", "DBIT")], { opening: "1000.00", closing: "1100.00" }))
    const { balance_check, days } = await report("2026-01-01", "2026-02-28")
    assert.deepEqual(balance_check, {
      opening_balance: "1000.00",
      opening_balance_date: "2026-01-05",
      lines_sum: "100.00",
      computed: "1100.00",
      as_of: "2026-01-31",
      provider: null,
      provider_at: null,
      statement: { balance: "1100.00", date: "2026-01-31" },
      difference: "0.00",
      status: "passed"
    })
    const none = { credits: "0.00", debits: "0.00" }
    assert.deepEqual(days, [
      {
        date: "2026-01-05",
        credits: "121.00",
        debits: "-21.00",
        balance: "1100.00",
        statement_balance: null,
        difference: null
      },
      { date: "2026-01-31", ...none, balance: "1100.00", statement_balance: "1100.00", difference: "0.00" }
    ])
    // This line is in no statement, so the account's balance differs from the bank's on every day from then on.
    await send(table(day("2026-01-20", "5,00", "typed in")))
    const wrong = await report("2026-01-06", "2026-02-28")
    assert.deepEqual([wrong.balance_check.status, wrong.balance_check.difference], ["failed", "5.00"])
    assert.deepEqual(
      wrong.days.map(({ balance, difference }: Record<string, unknown>) => [balance, difference]),
      [
        ["1105.00", null],
        ["1105.00", "5.00"]
      ]
    )
    const { statement_balance, statement_balance_date } = await books.made("GET", `/bank-accounts/${account}`)
    assert.deepEqual([statement_balance, statement_balance_date], [1100, "2026-01-31"])
  })

  it("prefers the account's own opening balance, and leaves out the lines before it", async () => {
    const { account, books, report, send } = await opened({ provider_balance: "57.50", iban: null })
    await send(
      table(day("2025-12-31", "10,00", "old"), day("2026-01-05", "-4,00", "a"), day("2026-01-06", "1,50", "b"))
    )
    assert.equal((await report("2026-01-01", "2026-01-31")).balance_check.status, "unavailable")
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update bank_accounts set opening_balance = 60, opening_balance_date = '2026-01-01' where id = ${account}`
      }).pipe(Effect.orDie)
    )
    const { balance_check, days } = await report("2025-12-01", "2026-01-31")
    assert.deepEqual(
      [balance_check.opening_balance, balance_check.computed, balance_check.status],
      ["60.00", "57.50", "passed"]
    )
    assert.deepEqual(
      days.map(({ balance }: Record<string, unknown>) => balance),
      ["60.00", "56.00", "57.50"]
    )
    assert.equal((await books.made("GET", `/bank-accounts/${account}`)).opening_balance_date, "2026-01-01")
  })

  it("compares with the provider's balance on the day of that balance", async () => {
    const { report, send } = await opened({ provider_balance: "6.00", iban: null })
    await send(table(day("2026-01-05", "6,00", "a"), day("2026-02-06", "1,50", "b")))
    const { as_of, computed, status } = (await report("2026-01-01", "2026-02-28")).balance_check
    assert.deepEqual([as_of, computed, status], ["2026-01-31", "6.00", "passed"])
  })
})

describe("DELETE /api/v1/bank-accounts/{id}/imports/{import_id}", () => {
  it("finds the records that name a deleted line by an index", async () => {
    const missing = await app.inDatabase(`
      select c.conrelid::regclass::text as referencing from pg_constraint c
      where c.contype = 'f' and c.confrelid = 'bank_transactions'::regclass and not exists (
        select from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname <> 'organization_id'
        where i.indrelid = c.conrelid and a.attnum = any(c.conkey))`)
    assert.deepEqual(missing, [])
  })
})
