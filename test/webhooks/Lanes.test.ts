import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { WebhookId } from "../../src/kernel/Ids.ts"
import { AuditLog } from "../../src/platform/events/AuditLog.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { DeliveriesRepo } from "../../src/webhooks/deliveries/DeliveriesRepo.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { quiet_ms_max } from "../../src/webhooks/deliveries/RetrySchedule.ts"
import { Lanes } from "../../src/webhooks/deliveries/Lanes.ts"
import { race } from "../support/Billing.ts"
import { useApp } from "../support/App.ts"

// No worker runs by itself in these tests.
const app = useApp()

interface Subscribed {
  readonly organization_id: number
  readonly webhook_id: WebhookId
}

const subscribed = async (): Promise<Subscribed> => {
  const { id, owner } = await app.organization()
  const body = { url: "https://hooks.example.com/", events: ["customer.created"] }
  const made = await app.call("POST", "/api/v1/webhooks", { token: owner.token, organization: id, body })
  return { organization_id: id, webhook_id: WebhookId.make(made.body.data.id) }
}

const happens = ({ organization_id }: Subscribed) =>
  Effect.flatMap(AuditLog, (auditLog) =>
    auditLog.append({
      organization_id,
      actor: "system",
      action: "customer.created",
      data: {},
      events: [{ type: "customer.created", data: { object: "customer", id: 1, attributes: {} } }]
    })
  )

const relay = Effect.provide(
  Effect.flatMap(Deliveries, (deliveries) => deliveries.relay),
  Deliveries.layer
)

const relayAll = async () => {
  while (await app.run(relay));
}

const deliveriesOf = ({ webhook_id }: Subscribed) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ sequence: number; status: string }>`
        select sequence, status from webhook_deliveries where webhook_id = ${webhook_id} order by id`
    )
  )

const sequencesOf = async (of: Subscribed) => (await deliveriesOf(of)).map(({ sequence }) => sequence)

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("the relay", () => {
  it("creates one delivery per event, in order, despite concurrent relays and writers", async () => {
    const all = [await subscribed(), await subscribed(), await subscribed()]
    const writing = Promise.all(
      all.map((of) => app.run(Effect.forEach(upTo(400), () => happens(of), { concurrency: 4, discard: true })))
    )
    const relaying = race(4, async () => {
      for (let turn = 0; turn < 50; turn++) await app.run(relay)
    })
    await Promise.all([writing, relaying])
    await relayAll()
    for (const of of all) expect(await sequencesOf(of)).toEqual(upTo(400))
  })

  it("ignores events of a transaction that was rolled back, and leaves no gap", async () => {
    const of = await subscribed()
    const { transaction } = await app.run(Database)
    await app.run(happens(of))
    await app.run(Effect.exit(transaction(Effect.andThen(happens(of), Effect.fail("refused")))))
    await app.run(happens(of))
    await relayAll()
    expect(await sequencesOf(of)).toEqual([1, 2])
  })

  it("creates none for a webhook that is newer than the event, inactive, deleted or subscribed to others", async () => {
    const of = await subscribed()
    const set = (change: string) =>
      app.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update webhooks set ${sql.literal(change)} where id = ${of.webhook_id}`
        )
      )
    for (const change of [
      "after_sequence = 9",
      "is_active = false",
      "deleted_at = now()",
      "events = '{invoice.paid}'"
    ]) {
      await set(change)
      await app.run(happens(of))
      await relayAll()
      await set("after_sequence = 0, is_active = true, deleted_at = null, events = '{*}'")
    }
    expect(await sequencesOf(of)).toEqual([])
    await app.run(happens(of))
    await relayAll()
    expect(await sequencesOf(of)).toEqual([5])
  })
})

/** Creates the service `Lanes` a second time, as in a separate process. */
const oneProcess = () => app.run(Effect.provide(Lanes, Layer.fresh(Lanes.layer)))

const claim = async (lanes: typeof Lanes.Service, { webhook_id }: Subscribed) =>
  (await app.run(lanes.claim(1_000))).includes(webhook_id)

/** Returns the delivery that the process which holds the webhook's lane sends next. */
const dueOf = Effect.fnUntraced(function* ({ webhook_id }: Subscribed) {
  const sql = yield* SqlClient.SqlClient
  const { due } = yield* Deliveries
  const [lane] = yield* sql<{ lease: string }>`select lease from webhook_lanes where webhook_id = ${webhook_id}`
  const [delivery] = yield* due({ lease: lane?.lease ?? "", webhook_id, except: [], limit: 1, bytes_max: 1 })
  if (delivery === undefined) throw new Error("Nothing is due.")
  return delivery
})

const expire = ({ webhook_id }: Subscribed) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`update webhook_lanes set leased_until = now() where webhook_id = ${webhook_id}`
    )
  )

const attempt = (id: number, succeeded: boolean) => ({
  delivery_id: id,
  event_id: `evt_${id}`,
  event: "customer.created",
  attempt: 1,
  status: succeeded ? ("delivered" as const) : ("failed" as const),
  response_status: succeeded ? 204 : 500,
  response_body: "",
  duration_ms: 1,
  error: null,
  pause_ms: succeeded ? null : 3_600_000,
  succeeded
})

describe("a lane", () => {
  let one: typeof Lanes.Service
  let other: typeof Lanes.Service
  beforeAll(async () => {
    ;[one, other] = [await oneProcess(), await oneProcess()]
    await app.run(one.leave)
  })

  it("is leased by one process, until it is released or the lease expires", async () => {
    const of = await subscribed()
    expect(await claim(one, of)).toBe(false)
    await app.run(happens(of))
    await relayAll()
    expect([await claim(one, of), await claim(other, of), await claim(one, of)]).toEqual([true, false, false])
    await app.run(one.leave)
    expect([await claim(other, of), await claim(one, of)]).toEqual([true, false])
    await expire(of)
    expect([await claim(one, of), await claim(other, of)]).toEqual([true, false])
    await expire(of)
    await app.run(one.keep([of.webhook_id]))
    expect(await claim(other, of)).toBe(false)
    await app.run(one.leave)
  })

  it("becomes due for events relayed during a lease, and is not due when nothing is left", async () => {
    const of = await subscribed()
    await app.run(happens(of))
    await relayAll()
    expect(await claim(one, of)).toBe(true)
    await app.run(happens(of))
    await relayAll()
    // Requests to the webhook's address are refused at once, so both deliveries fail and are due again in seconds.
    await app.run(one.work(of.webhook_id))
    expect((await deliveriesOf(of)).map(({ status }) => status)).toEqual(["failed", "failed"])
    // Keeps both deliveries from becoming due during this test.
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          update webhook_deliveries set due_at = due_at + interval '1 hour' where webhook_id = ${of.webhook_id}`
      )
    )
    // The second event made the lane due again, although `one.work` has already tried to deliver that event.
    expect(await claim(other, of)).toBe(true)
    await app.run(other.work(of.webhook_id))
    expect(await claim(other, of)).toBe(false)
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql`update webhook_deliveries set due_at = null, status = 'delivered' where webhook_id = ${of.webhook_id}`
      )
    )
    await app.run(happens(of))
    await relayAll()
    expect(await claim(one, of)).toBe(true)
    await app.run(one.leave)
    expect(await claim(other, of)).toBe(true)
    await app.run(other.leave)
  })

  it("counts an attempt once that two processes made", async () => {
    const of = await subscribed()
    await app.run(happens(of))
    await relayAll()
    expect(await claim(one, of)).toBe(true)
    const attempts = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deliver } = yield* Deliveries
      const due = yield* dueOf(of)
      // Requests to the webhook's address are refused at once.
      yield* Effect.all([deliver(due), deliver(due)], { concurrency: 2 })
      return yield* sql`
        select attempt, status, (select attempts from webhook_deliveries d where d.webhook_id = a.webhook_id)
        from webhook_attempts a where a.webhook_id = ${of.webhook_id}`
    })
    expect(await app.run(Effect.provide(attempts, Deliveries.layer))).toEqual([
      { attempt: 1, status: "failed", attempts: 1 }
    ])
    await app.run(one.leave)
  })

  it("fails since the first failure after its last success, also when both are recorded at once", async () => {
    const of = await subscribed()
    for (let count = 0; count < 4; count++) await app.run(happens(of))
    await relayAll()
    const recording = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { finish } = yield* DeliveriesRepo
      const ids = yield* sql<{ id: number }>`
        select id from webhook_deliveries where webhook_id = ${of.webhook_id} order by id`
      const [first = 0, second = 0, third = 0, fourth = 0] = ids.map(({ id }) => id)
      yield* sql`update webhooks set failing_since = now() - interval '2 days' where id = ${of.webhook_id}`
      const failing = sql<{ hours: number | null }>`
        select round(extract(epoch from now() - failing_since) / 3600)::integer as hours from webhooks
        where id = ${of.webhook_id}`
      yield* sql`
        insert into webhook_attempts (organization_id, webhook_id, event_id, event, attempt, status, duration_ms)
        values (${of.organization_id}, ${of.webhook_id}, 'evt_0', 'customer.created', 1, 'failed', 1)`
      yield* finish({ done: [attempt(third, false)], quiet_ms_max })
      const before = yield* failing
      yield* finish({ done: [attempt(second, true), attempt(first, false)], quiet_ms_max })
      const after = yield* failing
      yield* finish({ done: [attempt(fourth, true)], quiet_ms_max })
      const told = yield* sql<{ event_id: string }>`
        select event_id from webhook_attempts where webhook_id = ${of.webhook_id} order by id`
      const ended = [0, third, second, first, fourth].map((id) => ({ event_id: `evt_${id}` }))
      return { hours: [...before, ...after, ...(yield* failing)].map(({ hours }) => hours), told, ended }
    })
    const { ended, hours, told } = await app.run(Effect.provide(recording, DeliveriesRepo.layer))
    expect(hours).toEqual([48, 0, null])
    expect(told).toEqual(ended)
  })

  it("judges no address without a request, even if the webhook is active again meanwhile", async () => {
    const of = await subscribed()
    await app.run(happens(of))
    await relayAll()
    expect(await claim(one, of)).toBe(true)
    const ending = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deliver } = yield* Deliveries
      yield* sql`update webhooks set is_active = false where id = ${of.webhook_id}`
      const due = yield* dueOf(of)
      yield* sql`update webhooks set is_active = true where id = ${of.webhook_id}`
      yield* deliver(due)
      return yield* sql`select failing_since from webhooks where id = ${of.webhook_id}`
    })
    expect(await app.run(Effect.provide(ending, Deliveries.layer))).toEqual([{ failing_since: null }])
    expect((await deliveriesOf(of)).map(({ status }) => status)).toEqual(["exhausted"])
    await app.run(one.leave)
  })

  it("delivers nothing for a process that has lost the lease", async () => {
    const of = await subscribed()
    await app.run(happens(of))
    await relayAll()
    expect(await claim(one, of)).toBe(true)
    await expire(of)
    expect(await claim(other, of)).toBe(true)
    await app.run(one.work(of.webhook_id))
    expect((await deliveriesOf(of)).map(({ status }) => status)).toEqual(["pending"])
    expect(await claim(one, of)).toBe(false)
    await app.run(other.leave)
  })
})
