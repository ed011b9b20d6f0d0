import { beforeAll, describe, expect, it } from "vitest"
import type { Books } from "../support/Billing.ts"
import { customer, log, useHooks } from "../support/counterparts/Hooks.ts"
import { until } from "../support/counterparts/Receiver.ts"

/** Shortens all pauses: a day becomes nine seconds. */
const timeScale = 0.0001

const { hook, open, receiving, sql } = await useHooks(timeScale)
let books: Books
beforeAll(async () => {
  books = await open()
})

const only = { events: ["customer.created"] }

const webhook = async (id: number) => (await books.made("GET", `/webhooks/${id}`)) as Readonly<Record<string, unknown>>

/** Pretends that a webhook's failures began this number of days ago. */
const failingFor = (id: number, days: number) =>
  sql(
    (sql) =>
      sql`update webhooks set failing_since = now() - ${days * 86_400 * timeScale} * interval '1 second' where id = ${id}`
  )

describe("a webhook whose deliveries failed for five days", () => {
  it("is deactivated at the next failure", async () => {
    const { id } = await hook(books, "/error/for-days", only)
    await customer(books)
    await log(books, id, 1)
    await failingFor(id, 6)
    await customer(books)
    await until("the webhook to be inactive", async () => (await webhook(id))["is_active"] === false || undefined)
    expect(await webhook(id)).toMatchObject({ disabled_reason: "failing" })
    // A webhook that is activated again may fail for another five days.
    await books.made("PUT", `/webhooks/${id}`, { is_active: true })
    const before = (await log(books, id, 1)).length
    await customer(books)
    await log(books, id, before + 2)
    expect(await webhook(id)).toMatchObject({ is_active: true, disabled_reason: null })
    await books.made("DELETE", `/webhooks/${id}`)
  })

  it("may fail for another five days at a new address", async () => {
    const { id } = await hook(books, "/error/before", only)
    await customer(books)
    await log(books, id, 1)
    await failingFor(id, 6)
    await books.made("PUT", `/webhooks/${id}`, { url: receiving.url("/error/after") })
    await customer(books)
    await until("a failure at the new address", () => receiving.at("/error/after").at(1))
    expect(await webhook(id)).toMatchObject({ is_active: true, disabled_reason: null })
    // A change of another field does not end the failures.
    await failingFor(id, 6)
    await books.made("PUT", `/webhooks/${id}`, { description: "Still out of order" })
    await customer(books)
    await until("the webhook to be inactive", async () => (await webhook(id))["is_active"] === false || undefined)
    await books.made("DELETE", `/webhooks/${id}`)
  })

  it("may fail for another five days if nothing was sent for longer than the longest pause", async () => {
    const { id } = await hook(books, "/error/rarely", only)
    await customer(books)
    await log(books, id, 1)
    await sql((sql) => sql`update webhook_deliveries set due_at = null, status = 'exhausted' where webhook_id = ${id}`)
    const lastSent = (hours: number) =>
      sql(
        (sql) =>
          sql`update webhook_attempts set created_at = now() - ${hours * 3600 * timeScale} * interval '1 second' where webhook_id = ${id}`
      )
    await lastSent(31)
    // A test message is no delivery of an event.
    await books.call("POST", `/webhooks/${id}/test`)
    await failingFor(id, 25)
    const before = receiving.at("/error/rarely").length
    await customer(books)
    await until("two more failures", () => receiving.at("/error/rarely").at(before + 1))
    expect(await webhook(id)).toMatchObject({ is_active: true, disabled_reason: null })
    await books.made("DELETE", `/webhooks/${id}`)
  })

  it("stays active after a delivery in between, or when less time has passed", async () => {
    receiving.answer("/ok/sometimes", [500, {}])
    const { id } = await hook(books, "/ok/sometimes", only)
    // In this test, a day takes nine seconds.
    await failingFor(id, 1)
    await customer(books)
    await log(books, id, 2)
    expect(await webhook(id)).toMatchObject({ is_active: true, version: 1 })
    const [row] = await sql<{ failing_since: unknown }>(
      (sql) => sql`select failing_since from webhooks where id = ${id}`
    )
    expect(row).toEqual({ failing_since: null })
  })
})
