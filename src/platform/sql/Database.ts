import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { columnTypes } from "./ColumnTypes.ts"
import { recordPool, recordTransaction } from "./PoolMetrics.ts"
import { readingOn, ReplicaReading } from "./Replica.ts"
import { type ServerChoice, serverSettings } from "./Servers.ts"

/** Host, port and database are separate fields, so that the trace spans of statements can contain them. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly ssl?: boolean
  /** False behind a pooler that may use another connection for each transaction. */
  readonly prepare?: boolean
  /** A Unix socket that is used instead of host and port. */
  readonly path?: string | undefined
  /** Several servers; host and port are then those of the first one. */
  readonly choice?: ServerChoice
}

const statement_timeout_ms = 15_000
const idle_in_transaction_timeout_ms = 30_000
const connect_timeout = "5 seconds" as const
const begin_snapshot = "begin isolation level repeatable read, read only"

/** Application names under which the server lists the connections of the pools. */
export const pools = { services: "invoicing", edge: "invoicing edge", reads: "invoicing reads" } as const
type Pool = keyof typeof pools | "replica"

type Route = Omit<Connection, "password" | "ssl"> & Pick<PgClient.PgClientConfig, "password" | "ssl" | "stream">

const settings = (route: Route, pool: Pool): PgClient.PgClientConfig => ({
  ...route,
  types: columnTypes,
  connectTimeout: connect_timeout,
  applicationName: pool === "replica" ? "invoicing replica" : pools[pool],
  startupParameters: {
    timezone: "UTC",
    statement_timeout: String(statement_timeout_ms),
    idle_in_transaction_session_timeout: String(idle_in_transaction_timeout_ms)
  }
})

/** Connections that requests share for their first statement (`Gate`), so that a burst costs few socket writes. */
export class EdgeSql extends Context.Service<EdgeSql, PgClient.PgClient>()("invoicing/platform/sql/Database/EdgeSql") {}

const edge_connections = 2
const edge_statements_per_connection_max = 32

/** Runs a quick read without locks, as in ``read`select ...` ``, on a shared connection or that of the transaction. */
export class ReadSql extends Context.Service<
  ReadSql,
  <Row extends object = object>(
    strings: TemplateStringsArray,
    ...values: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
>()("invoicing/platform/sql/Database/ReadSql") {}

const read_connections = 4
/** Maximum number of concurrent statements on a connection. A low maximum spreads bursts and keeps queues short. */
const reads_per_connection_max = 4

const shared = (route: Route, pool: Pool, connections: number, statements_per_connection_max: number) =>
  PgClient.make({
    ...settings(route, pool),
    maxConnections: connections,
    multiplex: true,
    multiplexConcurrency: statements_per_connection_max
  })

const reading = (route: Route) =>
  Layer.effect(
    ReadSql,
    Effect.gen(function* () {
      const pool = yield* PgClient.PgClient
      const readers = yield* shared(route, "reads", read_connections, reads_per_connection_max)
      return ReadSql.of(<Row extends object>(strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>) =>
        Effect.flatMap(Effect.serviceOption(pool.transactionService), (transaction) =>
          Option.isSome(transaction) ? pool<Row>(strings, ...values) : readers<Row>(strings, ...values)
        )
      )
    })
  )

const replicaLayer = (connection: Connection, maxConnections: number) =>
  Layer.effect(
    ReplicaReading,
    Effect.gen(function* () {
      const primary = yield* PgClient.PgClient
      const route = { ...connection, ...(yield* serverSettings(connection)) }
      return readingOn(primary, yield* PgClient.make({ ...settings(route, "replica"), maxConnections }))
    })
  ).pipe(Layer.provide(Reactivity.layer))

const pool = (route: Route, maxConnections: number) =>
  Layer.mergeAll(
    Layer.effect(EdgeSql, shared(route, "edge", edge_connections, edge_statements_per_connection_max)),
    reading(route),
    Layer.effectDiscard(recordPool(maxConnections))
  ).pipe(
    Layer.provide(Reactivity.layer),
    Layer.provideMerge(PgClient.layer({ ...settings(route, "services"), maxConnections }))
  )

/** Provides the services' pool, the connections that requests share, and a pool of the replica if there is one. */
export const pgLayer = (connection: Connection, maxConnections: number, replica?: Connection) => {
  const primary = Layer.unwrap(
    Effect.map(serverSettings(connection), (found) => pool({ ...connection, ...found }, maxConnections))
  )
  return replica === undefined ? primary : Layer.provideMerge(replicaLayer(replica, maxConnections), primary)
}

/**
 * Services never see `SqlError`. An expected failure rolls back and passes through. A failure of the database is a
 * defect, which `EdgeAnswers.ts` answers (503 if the database cannot be reached).
 */
export class Database extends Context.Service<
  Database,
  {
    readonly transaction: <A, E, R>(useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** True if the effect runs within a transaction, which then keeps the locks of its statements. */
    readonly inTransaction: Effect.Effect<boolean>
    /**
     * Runs several reads on one snapshot, which does not show concurrent commits. Uses the replica, if there is one.
     */
    readonly snapshot: <A, E, R>(useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs a single reading statement, on the replica if there is one. */
    readonly reading: <A, E, R>(useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs a use case outside the current transaction; what it commits stays, even if that transaction is rolled back.
     */
    readonly apart: <A, E, R>(useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Runs a use case whose last step is a single compare-and-swap statement. Without contention, that statement is the
     * whole transaction. If the use case returns None (the record changed, or needs more than one write), it runs again
     * in a transaction with `locking`, so that it locks the rows that it reads. With `inTurn`, competing use cases wait
     * for each other, except inside a transaction, which may hold the locks that the others need.
     */
    readonly optimistic: <A, E, R>(
      useCase: (locking: boolean) => Effect.Effect<Option.Option<A>, E, R>,
      inTurn?: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("invoicing/platform/sql/Database") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const begin = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
          // A nested transaction uses the connection of the outer one, so it is not counted.
          Option.isSome(outer) ? sql.withTransaction(useCase) : recordTransaction(useCase, sql.withTransaction)
        )

      const transaction = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
        begin(useCase).pipe(
          Effect.catchIf(SqlError.isSqlError, Effect.die)
          // Boundary: no use case fails with SqlError, which a generic E cannot express.
        ) as Effect.Effect<A, E, R>

      const inTransaction = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

      const onReplica = yield* ReplicaReading
      const reading = <A, E, R>(useCase: Effect.Effect<A, E, R>) => onReplica(useCase)
      const snapshot = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
        onReplica(useCase, (useCase) =>
          Effect.provideService(transaction(useCase), SqlClient.BeginTransaction, begin_snapshot)
        )

      const optimistic: Database["Service"]["optimistic"] = (useCase, inTurn) => {
        const locked = transaction(useCase(true)).pipe(
          Effect.flatMap(Effect.fromOption),
          Effect.catchTag("NoSuchElementError", Effect.die)
        )
        return Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
          inTurn === undefined || Option.isNone(outer)
            ? Effect.flatMap(
                inTurn === undefined ? useCase(false) : inTurn(useCase(false)),
                Option.match({ onNone: () => locked, onSome: Effect.succeed })
              )
            : locked
        )
      }

      const apart = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
        Effect.updateContext(
          useCase,
          // Boundary: no `R` includes the transaction service, so omitting it removes nothing that `R` requires.
          (context: Context.Context<R>) => Context.omit(sql.transactionService)(context) as Context.Context<R>
        )

      return Database.of({ transaction, inTransaction, snapshot, reading, apart, optimistic })
    })
  )
}
