import { layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Metric, Record, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { DatabaseGauges } from "../../../src/platform/sql/DatabaseGauges.ts"
import { Database, EdgeSql, ReadSql } from "../../../src/platform/sql/Database.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

const figures = Effect.map(Metric.snapshot, (metrics) =>
  Object.fromEntries<number>(
    metrics.flatMap(({ attributes, id, state }) =>
      id === "database_connections" && "value" in state
        ? [[`${attributes?.["pool"]} ${attributes?.["state"]}`, Number(state.value)]]
        : []
    )
  )
)

const lock = 4711
/** The test measures again, up to this many times, until its waiting queries have reached the server. */
const attempts_max = 200

layer(testDatabase, { excludeTestServices: true })("the connections to the database", (it) => {
  it.effect("are counted by pool and state, with those of single statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = yield* ReadSql
      const edge = yield* EdgeSql
      const { transaction } = yield* Database
      const [locked, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const hold = Effect.andThen(sql`select pg_advisory_xact_lock(${lock})`, Deferred.succeed(locked, undefined))
      yield* Effect.forkChild(transaction(Effect.andThen(hold, Deferred.await(done))))
      yield* Deferred.await(locked)
      for (const select of [sql, read, edge]) {
        yield* Effect.forkChild(select`select 1 from pg_advisory_xact_lock_shared(${lock})`)
      }
      // The query that counts the connections is one of the two active ones.
      const expected = {
        "invoicing in_transaction": 1,
        "invoicing active": 2,
        "invoicing reads active": 1,
        "invoicing edge active": 1
      }
      const measured = Effect.gen(function* () {
        yield* Layer.build(DatabaseGauges)
        yield* Effect.sleep("50 millis")
        return { ...Record.map(expected, () => 0), ...Struct.pick(yield* figures, Struct.keys(expected)) }
      }).pipe(Effect.scoped)
      const isExpected = (found: typeof expected) => Struct.keys(expected).every((key) => found[key] === expected[key])
      const found = yield* Effect.repeat(measured, { until: isExpected, times: attempts_max })
      expect(found).toEqual(expected)
      yield* Deferred.succeed(done, undefined)
    })
  )
})
