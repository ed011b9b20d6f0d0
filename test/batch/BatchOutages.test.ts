import { describe, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { smtp } from "../support/Mail.ts"
import { movableClock } from "../support/MovableClock.ts"
import { until } from "../support/Receiver.ts"

const mails = await smtp()
const clock = movableClock()
const { app, open } = useBilling(mails.settings, { clock: clock.layer })

const { inDatabase } = app

describe("an item of a batch that fails for no reason of the caller's", () => {
  it("is 500 in its own place, and leaves nothing of itself beside those that succeed", async () => {
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

describe("POST /api/v1/batch/invoices/send", () => {
  it("does not try what comes after five minutes, says so, and leaves it a draft", async () => {
    const books = await open()
    const customer = async (email: string) => (await books.made("POST", "/customers", { name: "Slow", email })).id
    const slow = await books.draft({ customer_id: await customer("held@beta.example") })
    const late = await books.draft({ customer_id: await customer("late@beta.example") })
    const sending = books.call("POST", "/batch/invoices/send", { invoice_ids: [slow.id, late.id], attach_pdf: false })
    await until("the first message", () => (mails.atOnce() === 1 ? true : undefined))
    clock.set(Date.now() + 301_000)
    mails.release()
    const { body, status } = await sending
    expect([status, body.data.summary]).toEqual([200, { total: 2, succeeded: 1, failed: 1 }])
    expect(body.data.results[1]).toMatchObject({
      status: "failed",
      http_status: 503,
      id: late.id,
      error: { code: "not_attempted" }
    })
    expect(await books.invoice(late.id)).toEqual(late)
    expect(mails.received.map(({ to }) => to)).toEqual(["held@beta.example"])
  })
})
