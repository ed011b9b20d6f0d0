import type { PgClient } from "@effect/sql-pg"
import { type Cause, Context, Effect, identity, Metric, Option, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"

type Reading = <A, E, R>(useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Runs a use case on the replica if the replica has replayed every commit that was acknowledged before the use case
 * began. Otherwise, runs it on the primary, through `onPrimary` if given.
 */
export class ReplicaReading extends Context.Reference<
  <A, E, R>(useCase: Effect.Effect<A, E, R>, onPrimary?: Reading) => Effect.Effect<A, E, R>
>("invoicing/platform/sql/Replica/ReplicaReading", {
  defaultValue:
    () =>
    (useCase, onPrimary = identity) =>
      onPrimary(useCase)
}) {}

/** Maximum time for which a reader waits for the replica. */
const replay_ms_max = 250
const poll_ms = 5
/** Time for which a replica is not used after it was late or failed. */
const rest_ms = 5_000
const begin = "begin isolation level repeatable read, read only"

const reads = (server: "replica" | "primary") =>
  Metric.counter("replica_reads_total", {
    description: "Use cases that read from the replica, by the server that answered.",
    attributes: { server },
    incremental: true
  })
const onReplica = reads("replica")
const elsewhere = reads("primary")

/** True if the replica has replayed the write-ahead log up to `position`. The query runs outside of a transaction. */
const isCaughtUp = (connection: Connection, position: string) =>
  connection
    .executeUnprepared(
      "select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as caught_up",
      [position],
      undefined
    )
    .pipe(Effect.map((rows) => rows[0]?.["caught_up"] === true))

const late = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: new Error(`The replica is more than ${replay_ms_max} ms late.`),
    message: "The replica is late.",
    operation: "acquire"
  })
})

const run = (statement: string) => (connection: Connection) =>
  Effect.asVoid(connection.executeUnprepared(statement, [], undefined))

const isOfDatabase = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some(
    (reason) =>
      (reason._tag === "Fail" && SqlError.isSqlError(reason.error)) ||
      (reason._tag === "Die" && SqlError.isSqlError(reason.defect))
  )

/**
 * Runs the use case in a transaction on the replica. Repositories use this transaction like one on the primary. If the
 * replica fails or is late, the use case runs on the primary, which is safe because it only reads.
 */
export const readingOn = (
  primary: PgClient.PgClient,
  replica: PgClient.PgClient
): (typeof ReplicaReading)["Service"] => {
  let resting_until = -Infinity

  const acquire = Effect.gen(function* () {
    // With synchronous_commit off, clients see a commit before its record is flushed, so the insert position is used.
    const [now] = yield* primary<{ position: string }>`
      select (case current_setting('synchronous_commit')
        when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position`
    const connection = yield* replica.reserve
    const asked = performance.now()
    yield* isCaughtUp(connection, now?.position ?? "0/0").pipe(
      Effect.repeat({
        until: (caughtUp) => caughtUp || performance.now() - asked > replay_ms_max,
        schedule: Schedule.spaced(poll_ms)
      }),
      Effect.filterOrFail(identity, () => late)
    )
    return connection
  })

  const withReplica = SqlClient.makeWithTransaction({
    transactionService: primary.transactionService,
    spanAttributes: [["invoicing.server", "replica"]],
    acquireConnection: (restore) => restore(acquire),
    begin: run(begin),
    savepoint: (connection, id) => run(`savepoint effect_sql_${id}`)(connection),
    commit: run("commit"),
    rollback: run("rollback"),
    rollbackSavepoint: (connection, id) => run(`rollback to savepoint effect_sql_${id}`)(connection)
  })

  return (useCase, onPrimary = identity) =>
    Effect.flatMap(Effect.serviceOption(primary.transactionService), (outer) => {
      if (Option.isSome(outer)) return onPrimary(useCase)
      const instead = Effect.andThen(Metric.update(elsewhere, 1), onPrimary(useCase))
      if (performance.now() < resting_until) return instead
      return withReplica(useCase).pipe(
        Effect.tap(() => Metric.update(onReplica, 1)),
        Effect.catchCauseIf(isOfDatabase, (cause) => {
          resting_until = performance.now() + rest_ms
          return Effect.andThen(Effect.logWarning("the replica could not answer", cause), instead)
        })
        // Boundary: no cause with a SqlError remains here, but the type cannot say so.
      ) as typeof useCase
    })
}
