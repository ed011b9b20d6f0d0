import { Effect, Exit, Layer, Scope, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { Deliverer } from "../../src/webhooks/deliveries/DeliveryWorker.ts"
import { Lanes } from "../../src/webhooks/deliveries/Lanes.ts"
import { WebhooksWorkers } from "../../src/webhooks/WebhooksLayer.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { customer } from "../support/counterparts/Hooks.ts"
import { receiver, until } from "../support/counterparts/Receiver.ts"

const receiving = await receiver()
// Only the tests start workers.
const { app, open } = useBilling(receiving.settings())
let books: Books
beforeAll(async () => {
  books = await open()
})

const spans: Array<Tracer.NativeSpan> = []
const tracer = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    spans.push(span)
    return span
  }
})

const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Tracer.Tracer, tracer)

/** A version of `Lanes` whose `work` releases the lane but does not end, as on a busy machine. */
const lingering = Layer.effect(
  Lanes,
  Effect.map(Lanes, (lanes) => Lanes.of({ ...lanes, work: (id) => Effect.andThen(lanes.work(id), Effect.never) }))
).pipe(Layer.provide(Lanes.layer))

const lingeringWorkers = Deliverer.pipe(Layer.provide([lingering, Deliveries.layer]))

/** Starts the workers of one process, and returns a function that stops them. */
const start = async (workers: typeof WebhooksWorkers | typeof lingeringWorkers = WebhooksWorkers) => {
  const scope = await app.run(Scope.make())
  await app.run(traced(Layer.buildWithScope(Layer.fresh(workers), scope)))
  return () => app.run(Scope.close(scope, Exit.void))
}

const lane = async (id: number) => {
  const [row] = await app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ lease: string | null; is_due: boolean }>`
        select lease, coalesce(leased_until, due_at) <= now() as is_due from webhook_lanes where webhook_id = ${id}`
    )
  )
  return row
}

const hook = (path: string) =>
  books.made("POST", "/webhooks", { url: receiving.url(path), events: ["customer.created"] })

describe("a worker that is stopped", () => {
  it("releases its lanes at once, and another worker sends the interrupted deliveries", async () => {
    const { id } = await hook("/hang/stopped")
    await customer(books)
    const stop = await start()
    await until("the request", () => receiving.at("/hang/stopped")[0])
    expect(await lane(id)).toMatchObject({ lease: expect.any(String), is_due: false })
    // The receiver does not answer, so without interruption the request would last until its time limit.
    await stop()
    expect(await lane(id)).toEqual({ lease: null, is_due: true })
    await books.made("PUT", `/webhooks/${id}`, { url: receiving.url("/ok/started") })
    const stopAgain = await start()
    const [interrupted] = receiving.at("/hang/stopped")
    const message = await until("the same event", () => receiving.at("/ok/started")[0])
    await stopAgain()
    expect(message.body).toBe(interrupted?.body)
    // The interruption does not count as a failure of the receiver.
    expect(message.headers["x-webhook-attempt"]).toBe("1")
  })
})

describe("a worker", () => {
  it("takes a lane again even if the fiber of its last turn has not ended", async () => {
    const { id } = await hook("/ok/again")
    const stop = await start(lingeringWorkers)
    for (const count of [1, 2, 3]) {
      await customer(books)
      await until(`${count} deliveries`, () => (receiving.at("/ok/again").length === count ? true : undefined))
    }
    await stop()
    await books.made("DELETE", `/webhooks/${id}`)
  })
})

describe("telemetry for operators", () => {
  it("counts outcomes, durations and the backlog as metrics", async () => {
    const { id } = await hook("/ok/measured")
    await customer(books)
    const stop = await start()
    await until("the delivery", () => receiving.at("/ok/measured")[0])
    const metrics = await until("the metrics", async () => {
      const { text } = await app.call("GET", "/metrics")
      return /webhook_deliveries_total\{[^}]*outcome="delivered"[^}]*\} [1-9]/.test(text) ? text : undefined
    })
    await stop()
    expect(metrics).toMatch(/webhook_delivery_duration_seconds_count(\{[^}]*\})? [1-9]/)
    expect(metrics).toMatch(/webhook_backlog(\{[^}]*\})? \d/)
    expect(metrics).toMatch(/webhook_backlog_age_seconds(\{[^}]*\})? \d/)
    await books.made("DELETE", `/webhooks/${id}`)
  })

  it("has a span for each delivery, linked to the request that caused the event, without URL or secret", async () => {
    const { secret } = await hook("/ok/traced")
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    await customer(books)
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update outbox set traceparent = ${traceparent} where relayed_at is null`
      )
    )
    const stop = await start()
    const [message] = [await until("the delivery", () => receiving.at("/ok/traced")[0])]
    await stop()
    const span = spans.findLast(({ name }) => name === "Deliveries.deliver")
    expect(span?.links.map((link) => [link.span.traceId, link.span.spanId])).toEqual([
      ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
    ])
    expect(span?.attributes.get("event.id")).toBe(message.event.id)
    const told = spans.flatMap(({ attributes }) => [...attributes.values()]).join("\n")
    expect(told).not.toContain(secret)
    expect(told).not.toContain("/ok/traced")
  })
})
