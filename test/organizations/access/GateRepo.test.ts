import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { GateRepo } from "../../../src/organizations/access/GateRepo.ts"
import { hashToken } from "../../../src/platform/crypto/Opaque.ts"
import { Database, pools } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { seedOrganization, seedOrganizationToken } from "../../support/database/Seed.ts"

const address = "192.0.2.1"
const asking = (token: string | null, organization_id: number | null) => ({
  hash: token === null ? null : hashToken(token),
  address,
  organization_id
})

const together = { concurrency: "unbounded" } as const

/** Counts the request counters, and the transactions that wrote them. */
const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select count(distinct xmin::text)::integer as statements, count(*)::integer as windows from rate_windows`
})

layer(GateRepo.layer.pipe(Layer.provideMerge(testDatabase)), { excludeTestServices: true })("GateRepo", (it) => {
  it.effect("admits concurrent requests in one statement, each with its own caller, and counts each", () =>
    Effect.gen(function* () {
      const { admit } = yield* GateRepo
      const ours = yield* seedOrganization({})
      const theirs = yield* seedOrganization({ name: "Theirs" })
      const token = yield* seedOrganizationToken(theirs.id)
      const requests = [
        asking(ours.owner.token, ours.id),
        asking(null, null),
        asking(ours.owner.token, theirs.id),
        asking(token, null),
        asking("pat_guess", ours.id),
        asking(ours.owner.token, null),
        asking(token, ours.id)
      ]
      const found = yield* Effect.forEach(requests, admit, together)
      assert.deepStrictEqual(
        found.map(({ id, kind, role, used, user_id }) => [kind, user_id, id, role, used]),
        [
          ["personal", ours.owner.id, ours.id, "owner", 1],
          [null, null, null, null, 1],
          ["personal", ours.owner.id, null, null, 2],
          ["organization", null, theirs.id, null, 1],
          [null, null, null, null, 2],
          ["personal", ours.owner.id, null, null, 3],
          ["organization", null, null, null, 2]
        ]
      )
      assert.deepStrictEqual(yield* written, [{ statements: 1, windows: 3 }])
      // A single request uses another SQL statement, which must return the same and continue the request counters.
      const alone = yield* Effect.forEach(requests, admit)
      const uncounted = { used: 0, reset_seconds: 0 }
      assert.deepStrictEqual(
        alone.map((row) => ({ ...row, ...uncounted })),
        found.map((row) => ({ ...row, ...uncounted }))
      )
      assert.deepStrictEqual(
        alone.map(({ used }) => used),
        [4, 3, 5, 3, 4, 6, 4]
      )
    })
  )

  it.effect("reads the settings without the mail texts, which may be larger than everything else", () =>
    Effect.gen(function* () {
      const { admit, readmit } = yield* GateRepo
      const mail_texts = { en: { invoice: { text: "x".repeat(5_000) } } }
      const { id, owner } = yield* seedOrganization({ settings: { allow_overpayment: true, mail_texts } })
      const request = asking(owner.token, id)
      const found = [
        yield* admit(request),
        ...(yield* Effect.forEach([request, request], admit, together)),
        yield* readmit(request)
      ]
      for (const { settings } of found) assert.strictEqual(settings, '{"allow_overpayment": true}')
    })
  )

  it.effect("counts all of several hundred requests, more than fit in one statement", () =>
    Effect.gen(function* () {
      const { admit } = yield* GateRepo
      const { id, owner } = yield* seedOrganization({})
      const requests = Array.from({ length: 300 }, () => asking(owner.token, id))
      const found = yield* Effect.forEach(requests, admit, together)
      assert.deepStrictEqual(
        found.map(({ used }) => used).toSorted((a, b) => a - b),
        requests.map((_, index) => index + 1)
      )
    })
  )

  it.effect("locks counters in the order of their keys, so that two statements cannot deadlock", () =>
    Effect.gen(function* () {
      const { admit } = yield* GateRepo
      const { apart, transaction } = yield* Database
      const sql = yield* SqlClient.SqlClient
      const first = { ...asking(null, null), address: "198.51.100.1" }
      const second = { ...asking(null, null), address: "198.51.100.2" }
      const backwards = Effect.all([admit(second), admit(first)], together)
      yield* backwards
      const waiting = sql`select from pg_stat_activity
        where application_name = ${pools.edge} and datname = current_database() and wait_event_type = 'Lock'`
      const held = yield* transaction(
        Effect.gen(function* () {
          yield* sql`select from rate_windows where key = ${`ip:${first.address}`} for update`
          const fiber = yield* Effect.forkDetach(backwards)
          yield* apart(waiting).pipe(
            Effect.repeat({ until: (found) => found.length > 0, schedule: Schedule.spaced("10 millis") }),
            Effect.timeout("10 seconds")
          )
          const free = yield* sql`
            select from rate_windows where key = ${`ip:${second.address}`} for update skip locked`
          assert.strictEqual(free.length, 1)
          return fiber
        })
      )
      assert.deepStrictEqual(
        (yield* Fiber.join(held)).map(({ used }) => used),
        [2, 2]
      )
    })
  )

  it.effect("admits the other requests when one is interrupted", () =>
    Effect.gen(function* () {
      const { admit } = yield* GateRepo
      const { id, owner } = yield* seedOrganization({})
      const admitted = Effect.asSome(admit(asking(owner.token, id)))
      const [, ...others] = yield* Effect.all(
        [Effect.timeoutOption(admit(asking(owner.token, id)), 0), admitted, admitted],
        together
      )
      assert.deepStrictEqual(
        others.map((found) => Option.getOrThrow(found).role),
        ["owner", "owner"]
      )
    })
  )
})
