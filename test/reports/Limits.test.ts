import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"

const app = useApp()

/** An organization with the given number of customers, and calls by its owner. */
const open = async (customers: number) => {
  const { id, owner } = await app.organization()
  await run(
    (sql) => sql`insert into customers (organization_id, name, search)
    select ${id}, 'Customer ' || n, '' from generate_series(1, ${customers}) n`
  )
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `/api/v1/reports/${path}`, { token: owner.token, organization: id, body })
  return { id, owner, call }
}

const run = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement))

describe("a report", () => {
  it("of revenue has up to 10,000 customers, and answers 422 for a period with more", async () => {
    const { call, id } = await open(10_001)
    const sell = (customers: string) =>
      run(
        (sql) => sql`
      insert into sales_entries (organization_id, date, document, document_id, line, customer_id, currency, rate,
        category, taxable, tax, net, rounding)
      select organization_id, '2026-03-01', 'invoice', id, 1, id, 'EUR', 21, 'S', 100, 21, 100, 0
      from customers where organization_id = ${id} and name ${sql.literal(customers)} 'Customer 1'`
      )
    await sell("<>")
    const path = "revenue?start_date=2026-01-01&end_date=2026-12-31&group_by=customer"
    const { body } = await call("GET", path)
    expect([body.data.rows.length, body.data.totals.net]).toEqual([10_000, "1000000.00"])
    await sell("=")
    const refused = await call("GET", path)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["end_date"]])
  })

  it("of a period has up to 10,000 days, and answers 422 for a longer one", async () => {
    const { call } = await open(1)
    const daily = (end_date: string) => call("GET", `revenue?start_date=2000-01-01&end_date=${end_date}&group_by=day`)
    expect((await daily("2027-05-18")).body.data.rows).toHaveLength(10_000)
    const refused = await daily("2027-05-19")
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["end_date"]])
  })

  it("of receivables lists the 5,000 invoices longest overdue, counts the omitted ones, and sums all", async () => {
    const { call, id } = await open(1)
    await run(
      (sql) => sql`
      insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency, items,
        tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
      select ${id}, c.id, 'INV-' || n, now(), '2026-01-01', date '2026-01-01' + n, 'EUR', '[]', '[]', 1, 0, 0, 1, now(), now()
      from customers c, generate_series(1, 5003) n where c.organization_id = ${id}`
    )
    const { customers, omitted_invoices, totals } = (await call("GET", "aged-receivables?as_of=2026-01-01")).body.data
    expect([omitted_invoices, totals.total, customers[0].total]).toEqual([3, "5003.00", "5003.00"])
    expect(customers[0].invoices.length).toBe(5_000)
    expect([customers[0].invoices[0].number, customers[0].invoices.at(-1).number]).toEqual(["INV-1", "INV-5000"])
  })

  it("of receivables lists the 10,000 customers who owe most, counts the omitted ones, and sums all", async () => {
    const { call, id } = await open(10_002)
    await run(
      (sql) => sql`
      insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency, items,
        tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
      select ${id}, c.id, c.name, now(), '2026-01-01', '2026-01-01', 'EUR', '[]', '[]', 1, 0, 0,
        case when c.name in ('Customer 7', 'Customer 8') then 1 else 2 end, now(), now()
      from customers c where c.organization_id = ${id}`
    )
    const { customers, omitted_customers, omitted_invoices, totals } = (
      await call("GET", "aged-receivables?as_of=2026-01-01")
    ).body.data
    expect([customers.length, omitted_customers, omitted_invoices, totals.total]).toEqual([
      10_000,
      2,
      5_002,
      "20002.00"
    ])
    expect(customers.some(({ name }: { name: string }) => /^Customer [78]$/.test(name))).toBe(false)
    const listed = customers.flatMap(({ invoices }: { invoices: ReadonlyArray<object> }) => invoices)
    expect(listed.length).toBe(5_000)
  })

  it("of taxes or profit has up to 10,000 rows, and answers 422 for a period with more", async () => {
    const { call, id } = await open(0)
    const spend = (first: number, last: number) =>
      run(
        (sql) => sql`
      insert into expenses (organization_id, expense_date, category, amount, tax_amount, tax_rates, currency, description,
        is_vat_deductible, is_billable, status, search, created_at, updated_at)
      select ${id}, '2026-03-01', 'Category ' || n, 121, 21, '[]', 'EUR', '', true, false, 'pending', '', now(), now()
      from generate_series(${first}::integer, ${last}::integer) n`
      )
    await spend(1, 10_000)
    const paths = ["vat", "profit-loss"].map((report) => `${report}?start_date=2026-01-01&end_date=2026-12-31`)
    for (const path of paths) expect((await call("GET", path)).status).toBe(200)
    await spend(10_001, 10_001)
    for (const path of paths) {
      const { body, status } = await call("GET", path)
      expect([status, Object.keys(body.errors)]).toEqual([422, ["end_date"]])
    }
    const { body } = await call("GET", "dashboard?period=last_12_months")
    expect(body.success).toBe(true)
  })

  it("of a customer's account has up to 10,000 entries, and answers 422 for a period with more", async () => {
    const { id, owner } = await open(1)
    const issue = (invoices: number) =>
      run(
        (sql) => sql`
      insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date, currency, items,
        tax_breakdown, subtotal, discount_total, tax_total, total, created_at, updated_at)
      select ${id}, id, 'INV-' || ${invoices} || '-' || n, now(), '2026-01-01', '2026-02-01', 'EUR', '[]', '[]', 1, 0, 0, 1,
        now(), now()
      from customers, generate_series(1, ${invoices}) n where organization_id = ${id}`
      )
    const [customer] = (await app.call("GET", "/api/v1/customers", { token: owner.token, organization: id })).body.data
    const statement = () =>
      app.call("GET", `/api/v1/customers/${customer.id}/statement?start_date=2026-01-01&end_date=2026-01-01`, {
        token: owner.token,
        organization: id
      })
    await issue(10_000)
    const { closing_balance, entries } = (await statement()).body.data
    expect([entries.length, closing_balance]).toEqual([10_000, "10000.00"])
    await issue(1)
    const refused = await statement()
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["end_date"]])
  })

  it("answers 422 for an export of more than a million records", async () => {
    const { call } = await open(1)
    // Creating so many records takes too long, so a view shows each record a million times.
    await run((sql) => sql`alter table customers rename to single`)
    await run(
      (sql) => sql`create view customers as
      select single.* from single cross join generate_series(1, 1000001)`
    )
    const { body, status } = await call("POST", "export", { resource: "customers" })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["end_date"]])
  })
})
