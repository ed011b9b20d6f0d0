import { beforeAll, describe, expect, it } from "vitest"
import { requests_max } from "../../src/webhooks/deliveries/Lanes.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import type { Books } from "../support/Billing.ts"
import { customer, log, useHooks } from "../support/counterparts/Hooks.ts"
import { until } from "../support/counterparts/Receiver.ts"

/** Shortens all pauses: a day becomes nine seconds, and the whole schedule 35 seconds. */
const timeScale = 0.0001

const { app, arrived, hook, open, receiving, sql } = await useHooks(timeScale)
let books: Books
beforeAll(async () => {
  books = await open()
})

type Entry = Readonly<Record<string, unknown>>
const statusesOf = (entries: ReadonlyArray<Entry>) => entries.map(({ status }) => status)
const only = { events: ["customer.created"] }

const webhook = async (id: number) => (await books.made("GET", `/webhooks/${id}`)) as Entry

const sendTest = (id: number, headers: Record<string, string> = {}) =>
  books.call("POST", `/webhooks/${id}/test`, undefined, { headers })

/** Creates a webhook with this many deliveries, which all become due at the same time. */
const hookWithDue = async (path: string, count: number) => {
  const { id } = await hook(books, path, only)
  // No process takes the lane while another one seems to hold it.
  await sql(
    (sql) => sql`
      update webhook_lanes set lease = gen_random_uuid(), leased_until = now() + interval '1 hour' where webhook_id = ${id}`
  )
  for (let made = 0; made < count; made++) await customer(books)
  await until("the deliveries", async () => {
    const made = await sql((sql) => sql`select 1 from webhook_deliveries where webhook_id = ${id}`)
    return made.length === count ? true : undefined
  })
  await sql((sql) => sql`update webhook_deliveries set due_at = now() where webhook_id = ${id}`)
  await sql((sql) => sql`update webhook_lanes set lease = null, leased_until = null where webhook_id = ${id}`)
  return id
}

describe("a failed attempt", () => {
  it("is recorded with its response, and the next one has the number of the attempt", async () => {
    receiving.answer("/ok/later", [500, {}], [404, {}])
    const { id } = await hook(books, "/ok/later", only)
    await customer(books)
    const entries = await log(books, id, 3)
    expect(entries.map(({ attempt, response_status, status }: Entry) => [attempt, status, response_status])).toEqual([
      [1, "failed", 500],
      [2, "failed", 404],
      [3, "delivered", 204]
    ])
    const messages = receiving.at("/ok/later")
    expect(messages.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "2", "3"])
    expect(new Set(messages.map(({ body }) => body)).size).toBe(1)
    expect(entries[0]).toEqual({
      id: expect.any(Number),
      event_id: messages[0]?.event.id,
      event: "customer.created",
      attempt: 1,
      status: "failed",
      response_status: 500,
      response_body: "",
      duration_ms: expect.any(Number),
      error: null,
      next_attempt_at: expect.any(String),
      created_at: expect.any(String)
    })
    expect(entries[2]).toMatchObject({ next_attempt_at: null })
  })

  it("may be a missing response or a redirect, which is not followed", async () => {
    const reset = await hook(books, "/reset/once", only)
    const redirected = await hook(books, "/redirect/once", only)
    await customer(books)
    const [none] = await log(books, reset.id, 1)
    expect(none).toMatchObject({ status: "failed", response_status: null, error: expect.any(String) })
    expect((await log(books, redirected.id, 1))[0]).toMatchObject({ status: "failed", response_status: 302 })
    expect(receiving.at("/ok/redirected")).toEqual([])
    for (const { id } of [reset, redirected]) await books.made("DELETE", `/webhooks/${id}`)
  })

  it("waits as long as Retry-After says", async () => {
    // The receiver's 20,000 seconds are two seconds of the test.
    receiving.answer("/ok/busy", [429, { "retry-after": "20000" }])
    const { id } = await hook(books, "/ok/busy", only)
    await customer(books)
    const [first, second] = await arrived("/ok/busy", 2)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900)
    expect(statusesOf(await log(books, id, 2))).toEqual(["failed", "delivered"])
  })

  it("is the last one after twelve", async () => {
    const { id } = await hook(books, "/error/always", only)
    await customer(books)
    await log(books, id, 2)
    // Ends each further pause immediately. The failures never get five days old, because then the webhook would be
    // switched off.
    const entries = await until("the twelfth attempt", async () => {
      await sql((sql) => sql`update webhooks set failing_since = now() where id = ${id}`)
      await sql((sql) => sql`update webhook_deliveries set due_at = now() where webhook_id = ${id} and due_at > now()`)
      await sql((sql) => sql`update webhook_lanes set due_at = now() where webhook_id = ${id} and due_at > now()`)
      const found = await log(books, id, 1)
      return found.length >= 12 ? found : undefined
    })
    expect(entries.map(({ attempt }: Entry) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(statusesOf(entries)).toEqual([...Array.from({ length: 11 }, () => "failed"), "exhausted"])
    expect(entries.at(-1)).toMatchObject({ response_body: "out of order", next_attempt_at: null })
    expect(await webhook(id)).toMatchObject({ is_active: true })
    await books.made("DELETE", `/webhooks/${id}`)
  })
})

describe("an address that answers 410", () => {
  it("is not requested again: the system deactivates the webhook, and the audit chain records this", async () => {
    const { id } = await hook(books, "/gone/for-good", only)
    await customer(books)
    expect(await log(books, id, 1)).toMatchObject([{ status: "exhausted", response_status: 410 }])
    const disabled = await until("the webhook to be inactive", async () => {
      const found = await webhook(id)
      return found["is_active"] === false ? found : undefined
    })
    expect(disabled).toMatchObject({ disabled_reason: "gone", version: 2 })
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.findLast(({ actor }) => actor === "system")).toMatchObject({
      action: "webhook.disabled",
      data: { webhook_id: id, reason: "gone" }
    })
    await customer(books)
    await until("the relay of what happened meanwhile", async () => {
      const waiting = await sql((sql) => sql`select 1 from outbox where relayed_at is null`)
      return waiting.length === 0 ? true : undefined
    })
    await books.made("PUT", `/webhooks/${id}`, { is_active: true })
    expect(await webhook(id)).toMatchObject({ is_active: true, disabled_reason: null })
    expect(receiving.at("/gone/for-good")).toHaveLength(1)
    await books.made("DELETE", `/webhooks/${id}`)
  })
})

describe("a webhook with several due deliveries", () => {
  it("is not requested again after a 410, except by requests that are in progress", async () => {
    const id = await hookWithDue("/gone/several", 8)
    const entries = await log(books, id, 8)
    expect(statusesOf(entries)).toEqual(Array.from({ length: 8 }, () => "exhausted"))
    expect(receiving.at("/gone/several").length).toBeLessThanOrEqual(requests_max)
    await books.made("DELETE", `/webhooks/${id}`)
  })

  it("is sent the rest at its new address as soon as it has one", async () => {
    const id = await hookWithDue("/slow/former", 8)
    await arrived("/slow/former", 1)
    await books.made("PUT", `/webhooks/${id}`, { url: receiving.url("/ok/present") })
    const told = receiving.at("/slow/former").length
    await log(books, id, 8)
    expect(receiving.at("/slow/former").length).toBeLessThanOrEqual(told + requests_max)
    await books.made("DELETE", `/webhooks/${id}`)
  })
})

describe("an address that is replaced before it answers 410", () => {
  it("does not deactivate the webhook at its new address", async () => {
    const { id } = await hook(books, "/gone-late/former", only)
    await customer(books)
    await arrived("/gone-late/former", 1)
    await books.made("PUT", `/webhooks/${id}`, { url: receiving.url("/ok/new") })
    expect(await log(books, id, 1)).toMatchObject([{ status: "exhausted", response_status: 410 }])
    await customer(books)
    await arrived("/ok/new", 1)
    expect(await webhook(id)).toMatchObject({ is_active: true, disabled_reason: null })
    await books.made("DELETE", `/webhooks/${id}`)
  })
})

describe("an inactive webhook", () => {
  it("receives no new events, and pending deliveries end when they are due", async () => {
    const { id } = await hook(books, "/error/stopped", only)
    await customer(books)
    await log(books, id, 3)
    await books.made("PUT", `/webhooks/${id}`, { is_active: false })
    const entries = await until("the end of what was on its way", async () => {
      const found = await log(books, id, 1)
      return found.at(-1)?.status === "exhausted" ? found : undefined
    })
    expect(entries.at(-1)).toMatchObject({ error: "The webhook is inactive.", response_status: null })
    const told = receiving.at("/error/stopped").length
    await customer(books)
    await hook(books, "/ok/after", only)
    await customer(books)
    await arrived("/ok/after", 1)
    expect(receiving.at("/error/stopped")).toHaveLength(told)
    expect(await log(books, id, 1)).toHaveLength(entries.length)
  })
})

describe("a deleted webhook", () => {
  it("receives nothing more, not even failed deliveries", async () => {
    const { id } = await hook(books, "/error/deleted", only)
    await customer(books)
    await log(books, id, 1)
    await books.made("DELETE", `/webhooks/${id}`)
    const told = receiving.at("/error/deleted").length
    await hook(books, "/ok/since", only)
    await customer(books)
    await arrived("/ok/since", 1)
    // One request may have been in progress when the webhook was deleted.
    expect(receiving.at("/error/deleted").length).toBeLessThanOrEqual(told + 1)
  })
})

describe("a webhook", () => {
  it("receives events after its creation, of its own organization only", async () => {
    const other = await open({ name: "Other" })
    await customer(books)
    await hook(books, "/ok/late", only)
    const id = await customer(books)
    await customer(other)
    const messages = await arrived("/ok/late", 1)
    expect(messages.map(({ event }) => [event.organization_id, event.data.id])).toEqual([[books.id, id]])
  })

  it("receives only the events it names", async () => {
    await hook(books, "/ok/paid", { events: ["invoice.paid", "payment.created"] })
    await books.paid()
    await books.paid()
    // If the webhook also got the creation of the second invoice, that message would be among these four.
    const messages = await arrived("/ok/paid", 4)
    const inOrder = messages.map(({ event }) => event).toSorted((a, b) => a.sequence - b.sequence)
    const paid = ["payment.created", "invoice.paid"]
    expect(inOrder.map(({ type }) => type)).toEqual([...paid, ...paid])
  })
})

describe("POST /api/v1/webhooks/{id}/test", () => {
  it("sends a signed message that belongs to no event, and logs it", async () => {
    const { id } = await hook(books, "/ok/tested", only)
    await books.made("PUT", `/webhooks/${id}`, { is_active: false })
    const { body, status } = await sendTest(id)
    expect([status, body.data]).toEqual([
      200,
      { delivered: true, response_status: 204, duration_ms: expect.any(Number) }
    ])
    const [message] = receiving.at("/ok/tested")
    expect(message?.event).toMatchObject({ type: "webhook.test", sequence: null, data: { object: "webhook", id } })
    expect(message?.body).not.toContain("whsec_")
    expect(await log(books, id, 1)).toMatchObject([{ event: "webhook.test", status: "delivered", attempt: 1 }])
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)).toMatchObject({ action: "webhook.tested", data: { webhook_id: id } })
  })

  it("answers 200 and delivered:false for a response that is not successful", async () => {
    const { id } = await hook(books, "/error/tested", { events: ["invoice.sent"] })
    const { body, status } = await sendTest(id)
    expect([status, body.data]).toMatchObject([200, { delivered: false, response_status: 500 }])
  })

  it("answers 500 webhook_delivery_failed without a response, and logs it, also with an Idempotency-Key", async () => {
    const { id } = await hook(books, "/reset/tested", { events: ["invoice.sent"] })
    const failed = await sendTest(id)
    expect([failed.status, failed.body]).toEqual([
      500,
      { success: false, code: "webhook_delivery_failed", message: expect.any(String) }
    ])
    expect((await sendTest(id, { "idempotency-key": "test-once" })).status).toBe(500)
    expect(await log(books, id, 2)).toMatchObject([{ status: "exhausted" }, { status: "exhausted" }])
  })
})
