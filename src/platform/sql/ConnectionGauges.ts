import { Effect, Layer, Metric, Schedule, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { pools } from "./Database.ts"

const interval = "15 seconds"

const connections = Metric.gauge("database_connections", {
  description: "Connections of all processes to the database by pool and state, as the server reports them."
})

const States = Schema.Struct({
  pool: Schema.String,
  /** Number of connections that run a statement. */
  active: Schema.Int,
  /** Number of connections with an open transaction that waits for the service. */
  in_transaction: Schema.Int,
  idle: Schema.Int
})

/**
 * Keeps the gauges of all pools up to date. The driver does not publish its figures, so the server is asked, which also
 * counts single statements. Every worker process reports the same figures.
 */
export const ConnectionGauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const count = SqlSchema.findAll({
      Request: Schema.Array(Schema.String),
      Result: States,
      execute: (names) => sql`
        select pool, count(a.pid) filter (where a.state = 'active')::integer as active,
          count(a.pid) filter (where a.state like 'idle in transaction%')::integer as in_transaction,
          count(a.pid) filter (where a.state = 'idle')::integer as idle
        from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) pool
        left join pg_stat_activity a on a.application_name = pool and a.datname = current_database()
        group by pool`
    })
    const measure = Effect.gen(function* () {
      for (const { pool, ...states } of yield* count(Object.values(pools))) {
        for (const [state, figure] of Object.entries(states)) {
          yield* Metric.update(Metric.withAttributes(connections, { pool, state }), figure)
        }
      }
    })
    yield* measure.pipe(
      Effect.withTracerEnabled(false),
      Effect.catchCause((cause) => Effect.logWarning("the connections could not be counted", cause)),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.forkScoped
    )
  })
)
