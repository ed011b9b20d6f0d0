import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { smtp, unconfirmed } from "../support/counterparts/Mail.ts"
import { orderingOf } from "../operations/Ordering.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { until } from "../support/counterparts/Receiver.ts"

const mails = await smtp()
const clock = movableClock()
const { app, open } = useBilling({ ...mails.settings, role: "all" }, { clock: clock.layer })

const { inDatabase } = app

describe("an item of a batch that fails with an internal error", () => {
  it("has the status 500 at its position, and leaves no trace next to successful items", async () => {
    const books = await open()
    await inDatabase("create function fails() returns trigger language plpgsql as $$ begin raise 'broken'; end $$")
    await inDatabase(`create trigger fails before insert on invoices for each row
      when (new.organization_id = ${books.id} and new.notes = 'broken') execute function fails()`)
    const create = (notes: ReadonlyArray<string>, further: object = {}) =>
      books.call("POST", "/batch/invoices/create", {
        invoices: notes.map((note) => books.body({ notes: note })),
        ...further
      })
    const { body, status } = await create(["fine", "broken", "fine, too"])
    expect([status, body.data.summary]).toEqual([201, { total: 3, succeeded: 2, failed: 1 }])
    expect(body.data.results[1]).toMatchObject({
      status: "failed",
      http_status: 500,
      data: null,
      error: { code: "server_error", message: "Server Error" }
    })
    const total = async () => (await books.call("GET", "/invoices?per_page=1")).body.meta.total
    expect(await total()).toBe(2)
    expect((await create(["broken", "broken"])).status).toBe(500)
    expect((await create(["fine", "broken"], { atomic: true })).status).toBe(500)
    expect(await total()).toBe(2)
  })
})

describe("an item of a batch that the database cannot store for now", () => {
  it("has the status 503 and a code that invites to repeat it", async () => {
    const books = await open()
    await inDatabase(`create function is_full() returns trigger language plpgsql as $$ begin
      raise 'no space' using errcode = 'disk_full'; end $$`)
    await inDatabase(`create trigger is_full before insert on invoices for each row
      when (new.notes = 'too much') execute function is_full()`)
    const invoices = ["fine", "too much"].map((notes) => books.body({ notes }))
    const { body, status } = await books.call("POST", "/batch/invoices/create", { invoices })
    expect([status, body.data.summary]).toEqual([201, { total: 2, succeeded: 1, failed: 1 }])
    expect(body.data.results[1]).toMatchObject({ http_status: 503, error: { code: "unavailable" } })
  })
})

describe("POST /api/v1/batch/invoices/update", () => {
  it("changes an invoice while the next one is locked", async () => {
    const books = await open()
    const [free, locked] = [await books.draft(), await books.draft()]
    const unlocked = Promise.withResolvers<void>()
    const locking = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql`select from invoices where id = ${locked.id} for update`,
          Effect.promise(() => unlocked.promise)
        )
      )
    )
    const holding = app.run(locking)
    const updates = [free, locked].map(({ id }) => ({ id, notes: "changed" }))
    const updating = books.call("POST", "/batch/invoices/update", { updates })
    await until("the first change", async () => ((await books.invoice(free.id)).notes === null ? undefined : true))
    unlocked.resolve()
    await holding
    expect((await updating).body.data.summary).toEqual({ total: 2, succeeded: 2, failed: 0 })
  })
})

describe("POST /api/v1/batch/invoices/send", () => {
  it("starts nothing after five minutes, reports this, and leaves those invoices drafts", async () => {
    const books = await open()
    const customer = async (email: string) => (await books.made("POST", "/customers", { name: "Slow", email })).id
    const held = ["held1@beta.example", "held2@beta.example", "held3@beta.example", "held4@beta.example"]
    const slow: Array<number> = []
    for (const email of held) slow.push((await books.draft({ customer_id: await customer(email) })).id)
    const late = await books.draft({ customer_id: await customer("late@beta.example") })
    const sending = books.call("POST", "/batch/invoices/send", { invoice_ids: [...slow, late.id], attach_pdf: false })
    await until("the messages that are held", () => (mails.atOnce() === held.length ? true : undefined))
    clock.set(Date.now() + 301_000)
    mails.release()
    const { body, status } = await sending
    expect([status, body.data.summary]).toEqual([200, { total: 5, succeeded: 4, failed: 1 }])
    expect(body.data.results[4]).toMatchObject({
      status: "failed",
      http_status: 503,
      id: late.id,
      error: { code: "not_attempted" }
    })
    expect(await books.invoice(late.id)).toEqual(late)
    expect(mails.received.map(({ to }) => to).toSorted()).toEqual(held)
  })

  it("continues after five minutes in the background, and starts nothing after an hour", async () => {
    for (const [minutes, http_status] of [
      [6, 200],
      [61, 503]
    ] as const) {
      const { draftsTo, ended, order } = orderingOf(await open())
      const invoice_ids = await draftsTo(...Array.from({ length: 5 }, () => "held@beta.example"))
      const { body } = await order("/batch/invoices/send", { invoice_ids, attach_pdf: false })
      await until("the messages that are held", () => (mails.held() === 4 ? true : undefined))
      clock.set(clock.now() + minutes * 60_000)
      mails.release()
      const done = await ended(body.data.id)
      expect([minutes, done.results[4].http_status]).toEqual([minutes, http_status])
      mails.holdAgain()
    }
  })

  it("keeps to a lock date that moves while mails are on their way", async () => {
    const books = await open()
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Slow", email: "held@beta.example" })
    const ids: Array<number> = []
    for (const month of ["01", "01", "01", "01", "01", "03"]) {
      ids.push((await books.draft({ customer_id, issue_date: `2026-${month}-10` })).id)
    }
    const sending = books.call("POST", "/batch/invoices/send", { invoice_ids: ids, attach_pdf: false })
    await until("four messages", () => (mails.atOnce() === 4 ? true : undefined))
    const settings = [{ key: "books_locked_until", value: "2026-01-31" }]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    mails.release()
    const { body } = await sending
    const codes = body.data.results.map(({ error }: { error: { code: string } | null }) => error?.code ?? "sent")
    expect(codes).toEqual(["sent", "sent", "sent", "sent", "books_locked", "sent"])
    expect(mails.received).toHaveLength(5)
  })

  it("records the one mail that a lock date overtook as sent", async () => {
    const books = await open()
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Slow", email: "held@beta.example" })
    const { id } = await books.draft({ customer_id, issue_date: "2026-01-10" })
    const sending = books.call("POST", `/invoices/${id}/send`, { attach_pdf: false })
    await until("the message", () => (mails.atOnce() === 1 ? true : undefined))
    const settings = [{ key: "books_locked_until", value: "2026-01-31" }]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    mails.release()
    const { body, status } = await sending
    expect([status, body.data?.sent_method, mails.received.length]).toEqual([200, "email", 1])
  })

  it("sends four at the same time, numbered in the order of the request", async () => {
    const books = await open({ settings: { invoice_chronology_enforced: true } })
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Slow", email: "held@beta.example" })
    const ids: Array<number> = []
    for (const day of ["01", "02", "03", "04", "05", "06"]) {
      ids.push((await books.draft({ customer_id, issue_date: `2026-03-${day}` })).id)
    }
    const sending = books.call("POST", "/batch/invoices/send", { invoice_ids: ids, attach_pdf: false })
    await until("four messages", () => (mails.atOnce() === 4 ? true : undefined))
    mails.release()
    const { body } = await sending
    expect(body.data.summary).toEqual({ total: 6, succeeded: 6, failed: 0 })
    const numbers = body.data.results.map(({ data }: { data: { number: string } }) => data.number)
    expect(numbers).toEqual(numbers.toSorted())
    expect([mails.received.length, mails.atOnceMax()]).toEqual([6, 4])
  })

  it("continues when its client disconnects", async () => {
    const books = await open()
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Slow", email: "held@beta.example" })
    const invoice_ids: Array<number> = []
    for (let count = 0; count < 6; count++) invoice_ids.push((await books.draft({ customer_id })).id)
    const leaving = new AbortController()
    const left = fetch(`${app.url}/api/v1/batch/invoices/send`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${books.owner.token}`,
        "x-organization-id": String(books.id),
        "content-type": "application/json"
      },
      body: JSON.stringify({ invoice_ids, attach_pdf: false }),
      signal: leaving.signal
    }).catch(() => "left")
    await until("four messages", () => (mails.atOnce() === 4 ? true : undefined))
    leaving.abort()
    expect(await left).toBe("left")
    mails.release()
    await until("six mails", () => (mails.received.length === 6 ? true : undefined))
  })

  it("says that an unconfirmed email is unknown, does not repeat it, and does with resend", async () => {
    const books = await open()
    const draft = async (email: string) => {
      const { id: customer_id } = await books.made("POST", "/customers", { name: "Mailed", email })
      return (await books.draft({ customer_id })).id
    }
    const [lost, refused, taken] = [
      await draft("lost@beta.example"),
      await draft("unknown@beta.example"),
      await draft("taken@beta.example")
    ]
    const send = (invoice_ids: ReadonlyArray<number>, further: object = {}) =>
      books.call("POST", "/batch/invoices/send", { invoice_ids, attach_pdf: false, ...further })
    const { body, status } = await send([lost, refused, taken])
    expect([status, body.data.summary]).toEqual([200, { total: 3, succeeded: 1, failed: 1, unknown: 1 }])
    const [first, second, third] = body.data.results
    const unknown = [unconfirmed("lost@beta.example")]
    expect(first).toMatchObject({
      status: "unknown",
      http_status: 200,
      data: { sent_at: null, deliveries: unknown },
      channels: [{ channel: "email", status: "unknown", deliveries: unknown }]
    })
    expect(second.channels).toEqual([
      {
        channel: "email",
        status: "failed",
        deliveries: [
          expect.objectContaining({ recipient: "unknown@beta.example", status: "refused", code: expect.any(String) })
        ],
        error: expect.objectContaining({ code: "delivery_failed" })
      }
    ])
    const accepted = { recipient: "taken@beta.example", status: "accepted" }
    expect(third.channels).toEqual([{ channel: "email", status: "sent", deliveries: [accepted] }])
    // A batch whose outcomes are all unknown has not failed, so the status is 200.
    const again = await send([lost])
    expect([again.status, again.body.data.summary]).toEqual([200, { total: 1, succeeded: 0, failed: 0, unknown: 1 }])
    expect(mails.received.map(({ to }) => to).toSorted()).toEqual(["lost@beta.example", "taken@beta.example"])
    const repeated = await send([lost], { resend: true })
    expect(repeated.body.data.results[0]).toMatchObject({ status: "succeeded", channels: [{ status: "sent" }] })
    expect(mails.received.filter(({ to }) => to === "lost@beta.example")).toHaveLength(2)
  })
})
