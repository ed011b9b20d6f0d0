import { expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase } from "../support/database/Postgres.ts"
import { seedOrganization } from "../support/database/Seed.ts"
import { probe } from "../support/service/Process.ts"
import { here, service } from "../support/service/Service.ts"
import { ask as request, jsonOf } from "./Asking.ts"

const ask = (url: string) => Effect.promise(() => probe(url))

/** Creates an invoice that was due long ago, in a new organization. */
const overdueInvoice = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* seedOrganization({})
  yield* sql`
    with customer as (
      insert into customers (organization_id, name, search) values (${id}, 'Beta', 'beta') returning id)
    insert into invoices (organization_id, customer_id, number, issue_date, due_date, currency, items, tax_breakdown,
      subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at)
    select ${id}, id, 'INV-2025-0001', '2025-01-01', '2025-01-31', 'EUR', '[]', '[]', 100, 0, 0, 100, now(), now(), now()
    from customer`
  return id
})

it.layer(testDatabase, { excludeTestServices: true })("ROLE=worker", (it) => {
  it.effect(
    "does periodic work once however many workers there are, and answers only probes",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const organization_id = yield* overdueInvoice
        const connection = yield* here
        const workers = yield* Effect.forEach([1, 2], () => service(connection, { ROLE: "worker" }), { concurrency: 2 })
        const done = sql<{ id: string }>`
          select id from jobs where queue_name = 'timed.invoices.overdue' and state = 'completed'`
        yield* done.pipe(
          Effect.repeat({ until: ({ length }) => length > 0, schedule: Schedule.spaced("50 millis") }),
          Effect.timeout("2 minutes")
        )
        const slots = yield* sql<{ id: string }>`select id from jobs where queue_name = 'timed.invoices.overdue'`
        const events = yield* sql`
          select type from outbox where organization_id = ${organization_id} and type = 'invoice.overdue'`
        expect(events).toHaveLength(1)
        // Timed work runs once per time slot. There are two slots if a new one has just begun.
        expect(slots.length).toBeLessThanOrEqual(2)

        for (const { url } of workers) {
          expect((yield* ask(`${url}/health/live`))?.status).toBe(200)
          expect(yield* ask(`${url}/health/ready`)).toMatchObject({ status: 200 })
          expect((yield* ask(`${url}/metrics`))?.text).toMatch(/^jobs_waiting\{queue="timed.invoices.overdue"\} \d+$/m)
          for (const path of ["/api/v1/invoices", "/oauth/token", "/docs", "/openapi.json", "/"]) {
            expect((yield* ask(url + path))?.status).toBe(404)
          }
        }
      }).pipe(Effect.scoped),
    300_000
  )
})

it.layer(testDatabase, { excludeTestServices: true })("ROLE=api", (it) => {
  it.effect(
    "enqueues the record of each issued Spanish invoice",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, owner } = yield* seedOrganization({ country: "ES" })
        const { url } = yield* service(yield* here, { ROLE: "api" })
        const headers = {
          authorization: `Bearer ${owner.token}`,
          "x-organization-id": String(id),
          "content-type": "application/json"
        }
        const made = (path: string, body: object) =>
          Effect.promise(() => request(`${url}/api/v1`, "POST", path, { headers, body: JSON.stringify(body) })).pipe(
            Effect.map((answer) => jsonOf(answer).data)
          )
        const customer = yield* made("/customers", { name: "Cliente SL", country: "ES" })
        const items = [{ description: "Camiseta", unit_price: 20, tax_exempt: true }]
        const days = { issue_date: "2026-03-01", due_date: "2026-03-31" }
        const draft = yield* made("/invoices", { customer_id: customer.id, currency: "EUR", items, ...days })
        yield* made(`/invoices/${draft.id}/mark-sent`, {})
        const jobs = yield* sql`select 1 from jobs where queue_name = 'einvoices.recording'`
        expect(jobs).toHaveLength(1)
      }).pipe(Effect.scoped),
    300_000
  )
})
