import { layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { Database } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

/** The pool's own figures: waiting transactions, open ones, and the number that have ever begun. */
const figures = Effect.map(Metric.snapshot, (metrics) => {
  const states = (id: string, state?: string) =>
    metrics.filter((metric) => metric.id === id && metric.attributes?.["state"] === state).map((metric) => metric.state)
  const gauge = (id: string, state?: string) =>
    states(id, state).map((figure) => ("value" in figure ? Number(figure.value) : undefined))[0]
  return {
    waiting: gauge("pool_transactions", "waiting"),
    open: gauge("pool_transactions", "open"),
    most: gauge("pool_connections_max"),
    begun: states("pool_wait_seconds").map((figure) => ("count" in figure ? Number(figure.count) : 0))[0] ?? 0
  }
})

const figured = (expected: object) =>
  Effect.promise(() => expect.poll(() => Effect.runPromise(figures), { timeout: 60_000 }).toEqual(expected))

layer(testDatabase, { excludeTestServices: true })("the pool", (it) => {
  it.effect("shows transactions that have a connection or wait for one, however they end", () =>
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const sql = yield* SqlClient.SqlClient
      // Metrics count for the whole process, in which other test files may have begun transactions before.
      const { begun, most = 0 } = yield* figures
      expect(most).toBeGreaterThan(0)
      yield* figured({ waiting: 0, open: 0, most, begun })

      const done = yield* Deferred.make<void>()
      const held = transaction(transaction(Effect.andThen(sql`select 1`, Deferred.await(done))))
      const fibers = yield* Effect.forEach(Array(most + 2).keys(), () => Effect.forkChild(held))
      yield* figured({ waiting: 2, open: most, most, begun: begun + most })

      // Interrupts a waiting transaction and an open one; another waiting transaction takes the place of the open one.
      yield* Effect.forEach([...fibers.slice(-1), ...fibers.slice(0, 1)], (fiber) => Fiber.interrupt(fiber))
      yield* figured({ waiting: 0, open: most, most, begun: begun + most + 1 })

      yield* Deferred.succeed(done, undefined)
      yield* Effect.forEach(fibers, Fiber.await)
      expect(Exit.isFailure(yield* Effect.exit(transaction(Effect.fail("refused"))))).toBe(true)
      yield* figured({ waiting: 0, open: 0, most, begun: begun + most + 2 })
    })
  )
})
