import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Provider, Providers, providersFrom } from "../../src/einvoicing/providers/Provider.ts"
import { Approvals } from "../../src/einvoicing/registrations/Approvals.ts"
import { OrganizationId, RegistrationId } from "../../src/kernel/Ids.ts"
import { useApp } from "../support/App.ts"
import { participant } from "../support/counterparts/Network.ts"

const app = useApp()

/** A network that answers only when the test releases it, and counts simultaneous requests. */
const slowNetwork = Effect.fnUntraced(function* () {
  const asked = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  const seen = { now: 0, at_once_max: 0 }
  const answer = Effect.gen(function* () {
    seen.at_once_max = Math.max(seen.at_once_max, ++seen.now)
    yield* Deferred.succeed(asked, undefined)
    yield* Deferred.await(released)
    seen.now--
  })
  const provider: Provider = {
    name: "Slow",
    environment: "sandbox",
    check: Effect.void,
    enroll: () => answer,
    update: () => answer,
    withdraw: () => answer,
    submit: () => Effect.never,
    poll: () => Effect.succeed([]),
    arrivals: Stream.empty,
    confirm: () => Effect.void,
    respond: () => Effect.succeedNone
  }
  const providers = Layer.succeed(
    Providers,
    providersFrom({ find: () => Effect.succeedSome(provider), inboxes: Effect.succeed([]) })
  )
  return { asked, released, seen, approvals: Approvals.layer.pipe(Layer.provide(providers)) }
})

const sessionsInTransaction = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ query: string }>`
    select query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
)

const pending = async () => {
  const ours = await participant(app)
  const { body } = await ours.register()
  return { ours, key: { organization_id: OrganizationId.make(ours.id), id: RegistrationId.make(body.data.id) } }
}

describe("a registration whose network takes its time", () => {
  it("holds no connection meanwhile, and is decided by one of two at once", async () => {
    const { key, ours } = await pending()
    const [during, statuses, at_once_max] = await app.run(
      Effect.gen(function* () {
        const { approvals, asked, released, seen } = yield* slowNetwork()
        const approve = Effect.flatMap(Approvals, (service) => service.approve(key, "admin")).pipe(
          Effect.provide(approvals)
        )
        const first = yield* Effect.forkChild(Effect.exit(approve), { startImmediately: true })
        yield* Deferred.await(asked)
        const second = yield* Effect.forkChild(Effect.exit(approve), { startImmediately: true })
        const sessions = yield* sessionsInTransaction
        yield* Deferred.succeed(released, undefined)
        const exits = [yield* Fiber.join(first), yield* Fiber.join(second)]
        return [sessions, exits.map(({ _tag }) => _tag), seen.at_once_max] as const
      })
    )
    expect(during).toEqual([])
    expect([statuses, at_once_max]).toEqual([["Success", "Failure"], 1])
    expect((await ours.registration()).body.data.status).toBe("active")
  })

  it("can be decided by another process when the one that asked has died", async () => {
    const { key, ours } = await pending()
    await app.inDatabase(`insert into einvoicing_changes (organization_id, holder, expires_at)
      values (${ours.id}, 'dead', now() + interval '1 second')`)
    await ours.approve(key.id)
    expect((await ours.registration()).body.data.status).toBe("active")
  })
})
