import { Effect, Layer, Metric, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { measureEvery } from "../observability/Measuring.ts"
import { pools } from "./Database.ts"

const interval = "15 seconds"
/** Tables grow slowly, and measuring them reads the size of all their files. */
const size_interval = "5 minutes"

const connections = Metric.gauge("database_connections", {
  description: "Connections of all processes to the database by pool and state, as the server reports them."
})

const sizes = Metric.gauge("table_bytes", {
  description: "Size of each table of the database with its indexes.",
  attributes: { unit: "By" }
})

const Size = Schema.Struct({ table: Schema.String, bytes: Schema.Finite })

const States = Schema.Struct({
  pool: Schema.String,
  active: Schema.Int,
  /** Number of connections with an open transaction that is waiting for the service. */
  in_transaction: Schema.Int,
  idle: Schema.Int
})

/** Figures of the server, because the driver publishes none. Every worker process reports the same. */
export const DatabaseGauges = Layer.effectDiscard(
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
    const measureTables = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Size,
      execute: () => sql`
        select relname as table, pg_total_relation_size(oid)::float8 as bytes from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace`
    })
    const weigh = Effect.flatMap(measureTables(), (tables) =>
      Effect.forEach(tables, ({ bytes, table }) => Metric.update(Metric.withAttributes(sizes, { table }), bytes))
    )
    yield* measureEvery(interval, "the database")(measure)
    yield* measureEvery(size_interval, "the database")(weigh)
  })
)
