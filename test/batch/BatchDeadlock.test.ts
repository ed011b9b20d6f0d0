import { setTimeout } from "node:timers/promises"
import { beforeAll, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { waitingFor } from "../customers/Contention.ts"

const { app, open } = useBilling()

/** The default of `deadlock_timeout`, after which a waiting session checks once whether it is part of a deadlock. */
const deadlock_ms = 1_000

beforeAll(async () => {
  await app.inDatabase(`create function waits() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await app.inDatabase(`create trigger waits before insert on invoices for each row
    when (new.notes = 'waits') execute function waits()`)
})

/** Sends a batch that deadlocks with another request about the external id of its second invoice. */
const deadlocked = async (more: object, headers: Record<string, string> = {}) => {
  const books = await open()
  // The first document of an organization locks its currency, for which all other documents wait.
  await books.draft()
  const taken = { external_id: "A-1" }
  const body = { invoices: [books.body(), books.body({ ...taken, notes: "waits" })], ...more }
  const batch = () => books.call("POST", "/batch/invoices/create", body, { headers })
  // The batch has locked the audit log, for which the other requests wait. One of them has inserted the external id.
  const single = () => books.call("POST", "/invoices", books.body(taken))
  const later = () => setTimeout(deadlock_ms * 1.3).then(() => books.call("POST", "/invoices", books.body()))
  const answers = await waitingFor((sql) => sql`select pg_advisory_xact_lock(4711)`, app, [batch, single, later])
  return { answers, batch, total: async () => (await books.call("GET", "/invoices")).body.meta.total }
}

it("an atomic batch that PostgreSQL ends because of a deadlock with an external id is run once more", async () => {
  const { answers, total } = await deadlocked({ atomic: true })
  expect(answers.map(({ status }) => status)).toEqual([422, 201, 201])
  expect(answers[0]?.body.data.results).toMatchObject([
    { error: { code: "rolled_back" } },
    { error: { errors: { "invoices.1.external_id": [expect.any(String)] } } }
  ])
  expect(await total()).toBe(3)
})

it("a batch with a key that deadlocks stores no answer, so that the same key does the work", async () => {
  const { answers, batch, total } = await deadlocked({}, { "idempotency-key": "sync-1" })
  expect(answers.map(({ status }) => status)).toEqual([503, 201, 201])
  expect(await total()).toBe(3)
  const again = await batch()
  expect(again.body.data.results).toMatchObject([
    { status: "succeeded" },
    { error: { errors: { "invoices.1.external_id": [expect.any(String)] } } }
  ])
  expect(await total()).toBe(4)
})
