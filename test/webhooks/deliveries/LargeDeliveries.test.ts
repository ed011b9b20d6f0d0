import { Effect } from "effect"
import { expect, it } from "vitest"
import { WebhookId } from "../../../src/kernel/Ids.ts"
import { Deliveries } from "../../../src/webhooks/deliveries/Deliveries.ts"
import { useApp } from "../../support/App.ts"
import { receiver, until } from "../../support/counterparts/Receiver.ts"

const receiving = await receiver()
const app = useApp({ role: "all", ...receiving.settings() })
const lease = "5f0cba6c-6c1e-4c5e-9f57-0b1c4a7f2d11"

/** Creates a webhook whose lane this test holds, with due deliveries of events that have the given sizes in KiB. */
const hookWithDue = async (path: string, sizes: ReadonlyArray<number>) => {
  const { id: organization, owner } = await app.organization()
  const body = { url: receiving.url(path), events: ["quote.created"] }
  const { id } = (await app.call("POST", "/api/v1/webhooks", { token: owner.token, organization, body })).body.data
  await app.inDatabase(`update webhook_lanes set lease = '${lease}', leased_until = now() + interval '1 hour'
    where webhook_id = ${id}`)
  await app.inDatabase(`insert into outbox (organization_id, sequence, event_id, type, occurred_at, data)
    select ${organization}, place, 'evt_${id}_' || place, 'quote.created', now(),
      json_build_object('object', 'quote', 'id', place, 'attributes', json_build_object('notes', repeat('x', 1024 * kib)))
    from unnest('{${sizes.join(",")}}'::integer[]) with ordinality as sizes (kib, place)`)
  await until("the deliveries", async () => {
    const made = await app.inDatabase(`select 1 from webhook_deliveries where webhook_id = ${id}`)
    return made.length === sizes.length ? true : undefined
  })
  return WebhookId.make(id)
}

/** Returns the places of the events that the lane reads at once. */
const readOf = (webhook_id: WebhookId, except: ReadonlyArray<number> = []) =>
  app.run(
    Effect.gen(function* () {
      const { due } = yield* Deliveries
      return yield* due({ lease, webhook_id, except, limit: 8, bytes_max: 4 * 1024 * 1024 })
    }).pipe(Effect.provide(Deliveries.layer))
  )

it("a lane reads at most 4 MiB of events at once, but at least one event", async () => {
  const id = await hookWithDue("/ok/read", [1500, 1500, 1500, 1, 5000, 1])
  const first = await readOf(id)
  expect(first.map(({ sequence }) => sequence)).toEqual([1, 2])
  const except = first.map((delivery) => delivery.id)
  const second = await readOf(id, except)
  expect(second.map(({ sequence }) => sequence)).toEqual([3, 4])
  const third = await readOf(id, [...except, ...second.map((delivery) => delivery.id)])
  expect(third.map(({ sequence }) => sequence)).toEqual([5])
})

it("a lane sends a large event alone, even when it is late", async () => {
  const id = await hookWithDue("/slow/large", [1500, 1500, 1500, 1500])
  await app.inDatabase(`update webhook_deliveries set due_at = now() - interval '1 minute' where webhook_id = ${id}`)
  await app.inDatabase(`update webhook_lanes set lease = null, leased_until = null where webhook_id = ${id}`)
  const messages = await until("the messages", () => {
    const found = receiving.at("/slow/large")
    return found.length === 4 ? found : undefined
  })
  const pauses = messages.slice(1).map(({ at }, index) => at - (messages[index]?.at ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(290)
  expect(messages.map(({ event }) => event.sequence)).toEqual([1, 2, 3, 4])
})
