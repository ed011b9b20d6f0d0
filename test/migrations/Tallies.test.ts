import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BankTransactionsRepo } from "../../src/banking/transactions/BankTransactionsRepo.ts"
import { PaymentsRepo } from "../../src/billing/payments/PaymentsRepo.ts"
import { ExpensesRepo } from "../../src/expenses/ExpensesRepo.ts"
import { BankAccountId, OrganizationId } from "../../src/kernel/Ids.ts"
import { Day } from "../../src/kernel/Calendar.ts"
import { AuditLog } from "../../src/platform/events/AuditLog.ts"
import { migrations } from "../../src/platform/sql/DatabaseLive.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { mergeTallies } from "../../src/platform/tallies/TalliesWorker.ts"
import { emptyDatabase } from "../support/database/Postgres.ts"
import { verifyTallies } from "../support/database/Tallies.ts"

/** Triggers that refuse this test's changes, which the service never makes. */
const seals = [
  ["invoices", "invoices_sealed"],
  ["payments", "payments_sealed"],
  ["payments", "payments_refunds_add_up"],
  ["invoices", "invoices_undone"]
] as const
const version_before = 15
const ours = OrganizationId.make(1)

const lists = Layer.mergeAll(PaymentsRepo.layer, ExpensesRepo.layer, BankTransactionsRepo.layer).pipe(
  Layer.provide(AuditLog.layer),
  Layer.provideMerge(emptyDatabase)
)

const organizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select setseed(0.25)`
  yield* sql`
    insert into organizations (name, country, currency, timezone, language, search)
    select 'Organization ' || n, 'BE', 'EUR', 'Europe/Brussels', 'en', '' from generate_series(1, 2) n`
  yield* sql`
    insert into customers (organization_id, name, search) select n, 'Customer', 'customer' from generate_series(1, 2) n`
  yield* sql`
    insert into bank_accounts (organization_id, name, currency) select 1 + n % 2, 'Account ' || n, 'EUR'
    from generate_series(1, 4) n`
  yield* sql`
    insert into bank_imports (organization_id, bank_account_id, file_sha256, summary, created_at)
    select organization_id, id, 'file', '{}', now() from bank_accounts`
})

/** Adds rows of every kind, on few days, so that each day has many. */
const rows = (from: number, count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const numbers = sql`generate_series(${from}::integer, ${from + count - 1}::integer) n`
    yield* sql`
      insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency, exchange_rate,
        items, tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
      select 1 + n % 2, 1 + n % 2, case when n % 5 > 0 then 'INV-' || n end, case when n % 5 > 0 then now() end,
        day, day, (array['EUR', 'USD', 'JPY'])[1 + n % 3], case when n % 7 = 0 then 1.1 end, '[]',
        jsonb_build_array(
          jsonb_build_object('rate', 21, 'category', 'S', 'taxable_amount', n, 'tax_amount', n / 5),
          jsonb_build_object('rate', 6, 'category', 'S', 'country', 'FR', 'taxable_amount', 10, 'tax_amount', 0.6)),
        n + 10, 0, n / 5 + 0.6, n + 10 + n / 5 + 0.6, now(), now()
      from ${numbers}, lateral (select date '2026-01-01' + n % 11 as day) dated`
    yield* sql`
      insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at,
        updated_at)
      select organization_id, id, 10, currency, issue_date + (id % 3)::integer,
        (array['card', 'cash'])[1 + id % 2], now(), now()
      from invoices where id > ${from - 1} and issued_at is not null`
    yield* sql`
      insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency, description,
        is_vat_deductible, vat_deductible_percentage, is_billable, status, search, created_at, updated_at)
      select 1 + n % 2, date '2026-01-01' + n % 11, (array['meals', 'rent'])[1 + n % 2], amount, amount / 10,
        case n % 4 when 0 then '[]' when 1 then '[{"rate": "21", "taxable_amount": "3", "tax_amount": "1.07"}]'
          else '[{"rate": "6", "taxable_amount": "4", "tax_amount": "0.33"},
            {"rate": "21", "taxable_amount": "5", "tax_amount": "0.35"},
            {"rate": "6.00", "taxable_amount": "7", "tax_amount": "0.31"}]' end::jsonb,
        (array['EUR', 'JPY', 'BHD', 'CLF'])[1 + n % 4], '', n % 6 > 0, case when n % 3 = 0 then 33.33 end, false,
        (array['draft', 'pending', 'approved', 'rejected'])[1 + n % 4], '', now(), now()
      from ${numbers}, lateral (select 1 + (random() * 1000)::numeric(9, 2) as amount) priced`
    yield* sql`
      insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date, amount,
        currency, remittance_text, line_key, status)
      select 1 + account % 2, account, account, n, date '2026-01-01' + n % 11, 10, 'EUR', '', 'key ' || n,
        (array['unmatched', 'suggested'])[1 + n % 2]
      from ${numbers}, lateral (select 1 + n % 4 as account) of_account`
  })

/** Changes, deletes and restores some rows of every kind. */
const changes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [table, trigger] of seals) yield* sql`alter table ${sql(table)} disable trigger ${sql(trigger)}`
  yield* sql`update payments set refunded_amount = case id % 3 when 0 then 10 else 4 end where id % 4 = 0`
  yield* sql`update payments set payment_date = payment_date + 1, payment_method = 'other' where id % 5 = 0`
  yield* sql`update payments set deleted_at = now() where id % 7 = 0`
  yield* sql`update expenses set status = 'pending' where id % 3 = 0`
  yield* sql`update expenses set amount = amount * 2, tax_amount = null, category = 'travel' where id % 5 = 0`
  yield* sql`update expenses set deleted_at = now() where id % 6 = 0`
  yield* sql`update expenses set deleted_at = null, vat_deductible_percentage = 12.5 where id % 12 = 0`
  yield* sql`delete from expenses where id % 13 = 0`
  yield* sql`update bank_transactions set status = 'matched', matched_amount = 10 where id % 3 = 0`
  yield* sql`delete from bank_transactions where id % 11 = 0`
  yield* sql`update invoices set issued_at = null, exchange_rate = null where id % 3 = 0 and amount_paid = 0`
  yield* sql`update invoices set deleted_at = now() where id % 17 = 0 and issued_at is null`
})

const queries = [
  {},
  { page: 3, per_page: 7 },
  { page: 900 },
  { sort: "DAY", page: 4, per_page: 9 },
  { sort: "-id", page: 2, per_page: 5 },
  { sort: "updated_at", page: 2, per_page: 5 },
  { date_from: Day.make("2026-01-03"), date_to: Day.make("2026-01-06"), page: 2, per_page: 8 },
  { date_from: Day.make("2030-01-01") },
  { kind: true, page: 2, per_page: 6 },
  { state: true, per_page: 11 },
  { kind: true, state: true, sort: "DAY", per_page: 3, page: 2 }
]

layer(NodeServices.layer, { excludeTestServices: true })("0020_tallies.sql", (it) => {
  it.effect("counts and sums existing rows, and triggers keep the tallies current", () =>
    Effect.gen(function* () {
      yield* migrate(migrations, version_before)
      yield* organizations
      yield* rows(1, 200)
      yield* migrate(migrations)
      yield* verifyTallies
      yield* rows(201, 200)
      yield* verifyTallies
      yield* changes
      yield* verifyTallies

      const sql = yield* SqlClient.SqlClient
      assert.isAbove(yield* mergeTallies(), 100)
      assert.deepStrictEqual(yield* sql`select from list_changes`, [])
      yield* verifyTallies
      yield* rows(401, 50)
      yield* pages
    }).pipe(Effect.provide(lists, { local: true }))
  )
})

/** Compares the pages of the service's lists, which use stored totals (tallies), with those of a plain SQL query. */
const pages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const payments = yield* PaymentsRepo
  const expenses = yield* ExpensesRepo
  const bankTransactions = yield* BankTransactionsRepo
  const tables = [
    {
      table: "payments",
      day: "payment_date",
      kind: ["payment_method", "card"] as const,
      state: [{ status: "refunded" }, sql`deleted_at is null and refunded_amount = amount`] as const,
      whole: sql`deleted_at is null`,
      list: (query: object) => payments.list(ours, query)
    },
    {
      table: "expenses",
      day: "expense_date",
      kind: ["category", "meals"] as const,
      state: [{ status: "pending" }, sql`deleted_at is null and status = 'pending'`] as const,
      whole: sql`deleted_at is null`,
      list: (query: object) => expenses.list(ours, query)
    },
    {
      table: "bank_transactions",
      day: "booking_date",
      kind: ["bank_account_id", BankAccountId.make(2)] as const,
      state: [{ status: "matched" }, sql`status = 'matched'`] as const,
      whole: sql`true`,
      list: (query: object) => bankTransactions.list(ours, query)
    }
  ]
  for (const { day, kind, list, state, table, whole } of tables) {
    for (const { kind: isKind, sort, state: isState, ...asked } of queries) {
      const order = sort?.replace("DAY", day) ?? `-${day}`
      const [column, direction] = order.startsWith("-") ? [order.slice(1), "desc"] : [order, "asc"]
      const { date_from, date_to, page = 1, per_page = 25 } = asked
      const where = sql.and([
        sql`organization_id = ${ours}`,
        isState === true ? state[1] : whole,
        ...(isKind === true ? [sql`${sql(kind[0])} = ${kind[1]}`] : []),
        ...(date_from === undefined ? [] : [sql`${sql(day)} >= ${date_from}`]),
        ...(date_to === undefined ? [] : [sql`${sql(day)} <= ${date_to}`])
      ])
      const plain = yield* sql<{ id: number }>`
        select id from ${sql(table)} where ${where}
        order by ${sql(column)} ${sql.literal(direction)}, id ${sql.literal(direction)}
        limit ${per_page} offset ${(page - 1) * per_page}`
      const [counted] = yield* sql<{ total: number }>`select count(*) as total from ${sql(table)} where ${where}`
      const filters = { ...(isKind === true ? { [kind[0]]: kind[1] } : {}), ...(isState === true ? state[0] : {}) }
      const found = yield* list({ ...asked, ...filters, sort: order })
      assert.deepStrictEqual(
        { ids: found.rows.map(({ id }) => id), total: "total" in found ? found.total : undefined },
        { ids: plain.map(({ id }) => id), total: counted?.total },
        `${table} ${JSON.stringify(asked)}`
      )
    }
  }
})
