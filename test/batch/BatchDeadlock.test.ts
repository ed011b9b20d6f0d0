import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { waitingFor } from "../customers/Contention.ts"

const { app, open } = useBilling()

/** The default of `deadlock_timeout`, after which a waiting session checks once whether it is part of a deadlock. */
const deadlock_ms = 1_000

it("an atomic batch that PostgreSQL ends because of a deadlock with an external id is run once more", async () => {
  const books = await open()
  // The first document of an organization locks its currency, for which all other documents wait.
  await books.draft()
  await app.inDatabase(`create function waits() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await app.inDatabase(`create trigger waits before insert on invoices for each row
    when (new.organization_id = ${books.id} and new.notes = 'waits') execute function waits()`)
  const taken = { external_id: "A-1" }
  const batch = () =>
    books.call("POST", "/batch/invoices/create", {
      invoices: [books.body(), books.body({ ...taken, notes: "waits" })],
      atomic: true
    })
  // The batch has locked the audit log, for which the other requests wait. One of them has inserted the external id.
  const single = () => books.call("POST", "/invoices", books.body(taken))
  const later = () => setTimeout(deadlock_ms * 1.3).then(() => books.call("POST", "/invoices", books.body()))
  const answers = await waitingFor((sql) => sql`select pg_advisory_xact_lock(4711)`, app, [batch, single, later])
  expect(answers.map(({ status }) => status)).toEqual([422, 201, 201])
  expect(answers[0]?.body.data.results).toMatchObject([
    { error: { code: "rolled_back" } },
    { error: { errors: { "invoices.1.external_id": [expect.any(String)] } } }
  ])
  expect((await books.call("GET", "/invoices")).body.meta.total).toBe(3)
})
