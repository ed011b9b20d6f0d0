import { Effect, Metric } from "effect"
import { describe, expect, it } from "vitest"
import { Deliveries } from "../../../src/webhooks/deliveries/Deliveries.ts"
import { customer } from "../../support/counterparts/Hooks.ts"
import { useBilling } from "../../support/Billing.ts"

// No worker runs in these tests.
const { app, open } = useBilling()

/** Returns the metrics that an effect changes, apart from those of the rest of the process. */
const measured = (effect: (deliveries: typeof Deliveries.Service) => Effect.Effect<unknown>) =>
  app.run(
    Deliveries.use((deliveries) => Effect.andThen(effect(deliveries), Metric.snapshot)).pipe(
      Effect.provide(Deliveries.layer),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  )

/** Creates a webhook with a delivery that has been due for an hour. */
const waiting = async () => {
  const books = await open()
  const { id } = await books.made("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["*"] })
  await customer(books)
  await app.run(
    Effect.provide(
      Deliveries.use(({ relay }) => relay),
      Deliveries.layer
    )
  )
  await app.inDatabase(`update webhook_deliveries set due_at = now() - interval '1 hour' where webhook_id = ${id}`)
  return id
}

const age = async () => {
  const metrics = await measured(({ measure }) => measure)
  const found = metrics.find(({ id }) => id === "webhook_backlog_age_seconds")
  return found !== undefined && "value" in found.state ? Number(found.state.value) : undefined
}

describe("the age of the backlog", () => {
  it("is how long a lane has waited for a process, not how long a receiver fails", async () => {
    const id = await waiting()
    const lane = (change: string) => app.inDatabase(`update webhook_lanes set ${change} where webhook_id = ${id}`)
    await lane("due_at = now() - interval '1 hour'")
    expect(await age()).toBeGreaterThanOrEqual(3600)
    await lane("due_at = null, lease = gen_random_uuid(), leased_until = now() + interval '10 seconds'")
    expect(await age()).toBe(0)
    await lane("leased_until = now() - interval '10 minutes'")
    expect(await age()).toBeGreaterThanOrEqual(600)
    await lane("lease = null, leased_until = null")
  })
})

describe("the attempts", () => {
  it("do not count a delivery that ends without a request", async () => {
    const id = await waiting()
    const lease = crypto.randomUUID()
    await app.inDatabase(`update webhook_lanes set lease = '${lease}', leased_until = now() + interval '1 minute'
      where webhook_id = ${id}`)
    await app.inDatabase(`update webhooks set is_active = false where id = ${id}`)
    const ended = await measured(({ deliver, due }) =>
      Effect.gen(function* () {
        const found = yield* due({ lease, webhook_id: id, except: [], limit: 1, bytes_max: 1 })
        expect(yield* Effect.forEach(found, deliver)).toMatchObject([{ error: "The webhook is inactive." }])
      })
    )
    expect(ended.filter(({ id }) => id.startsWith("webhook_deliver"))).toEqual([])
    expect(await app.inDatabase(`select status from webhook_deliveries where webhook_id = ${id}`)).toMatchObject([
      { status: "exhausted" }
    ])
  })
})
