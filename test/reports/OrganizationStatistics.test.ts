import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { seedMember } from "../support/database/Seed.ts"

const app = useApp()

interface Invoice {
  readonly total: number
  readonly due?: string
  readonly currency?: string
  readonly issued?: boolean
  readonly paid?: number
  readonly refunded?: number
  readonly credited?: number
  readonly deleted?: boolean
}

const seedInvoices = (organization_id: number, invoices: ReadonlyArray<Invoice>) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [customer] = yield* sql<{ id: number }>`
        insert into customers (organization_id, name, search) values (${organization_id}, 'Beta', 'beta') returning id`
      yield* sql`insert into customers (organization_id, name, search, deleted_at)
                 values (${organization_id}, 'Gone', 'gone', now())`
      let number = 0
      for (const invoice of invoices) {
        const issued = invoice.issued ?? true
        yield* sql`insert into invoices (organization_id, customer_id, number, issued_at, issue_date, due_date,
            currency, items, tax_breakdown, subtotal, discount_total, tax_total, total, amount_paid, amount_refunded,
            amount_credited, created_at, updated_at, deleted_at)
          values (${organization_id}, ${customer?.id}, ${issued ? `INV-${++number}` : null}::text,
            case when ${issued} then now() end, '2020-01-01', ${invoice.due ?? "2999-01-01"}::date,
            ${invoice.currency ?? "EUR"}, '[]', '[]', ${invoice.total}, 0, 0, ${invoice.total}, ${invoice.paid ?? 0},
            ${invoice.refunded ?? 0}, ${invoice.credited ?? 0}, now(), now(),
            case when ${invoice.deleted ?? false} then now() end)`
      }
    })
  )

describe("GET /api/v1/organizations/{id}/statistics", () => {
  it("answers zeros for a new organization", async () => {
    const { id, owner } = await app.organization()
    const { body, status } = await app.call("GET", `/api/v1/organizations/${id}/statistics`, { token: owner.token })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      customers: 0,
      invoices: { total: 0, draft: 0, sent: 0, overdue: 0, paid: 0 },
      quotes: 0,
      expenses: 0,
      outstanding: [],
      users: 1
    })
  })

  it("counts each invoice by its status as the list does, and sums open amounts per currency", async () => {
    const { id, owner } = await app.organization()
    await app.run(seedMember(id, "viewer"))
    await seedInvoices(id, [
      { total: 10, issued: false },
      { total: 20 },
      { total: 30, paid: 10.5 },
      { total: 40, due: "2020-01-02" },
      { total: 50, paid: 50 },
      { total: 60, paid: 60, refunded: 60 },
      { total: 70, credited: 70 },
      { total: 0 },
      { total: 80, currency: "USD" },
      { total: 90, issued: false, deleted: true }
    ])
    const { body } = await app.call("GET", `/api/v1/organizations/${id}/statistics`, { token: owner.token })
    expect(body.data).toMatchObject({
      customers: 1,
      invoices: { total: 9, draft: 1, sent: 3, overdue: 1, paid: 2 },
      outstanding: [
        { currency: "EUR", amount: 139.5 },
        { currency: "USD", amount: 80 }
      ],
      users: 2
    })
    for (const status of ["draft", "sent", "overdue", "paid"]) {
      const list = await app.call("GET", `/api/v1/invoices?status=${status}`, { token: owner.token, organization: id })
      expect([status, list.body.meta.total]).toEqual([status, body.data.invoices[status]])
    }
  })

  it("answers 404 for another organization", async () => {
    const { owner } = await app.organization()
    const { id } = await app.organization()
    const { status } = await app.call("GET", `/api/v1/organizations/${id}/statistics`, { token: owner.token })
    expect(status).toBe(404)
  })
})
