/** `npm run bench:jobs` compares the jobs per second of the queue with plain inserts and deletes. */
import { Deferred, Effect, Layer, Logger, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Pool } from "pg"
import { job, Jobs, worker } from "../../src/platform/jobs/Jobs.ts"
import { Database, pgLayer } from "../../src/platform/sql/Database.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { runTool } from "../support/Tool.ts"

const count = Number(process.env.BENCH_JOBS ?? 4_000)
const concurrency = Number(process.env.BENCH_CONCURRENCY ?? 8)
const time_limit = "2 minutes"
const numbers = Array.from({ length: count }, (_, index) => index)

interface Figures {
  readonly orders_per_second: number
  readonly jobs_per_second: number
}

/**
 * The SQL statement that a job of each kind runs; undefined if it does nothing. The rows of the table exist beforehand.
 */
const work = {
  nothing: undefined,
  "one update": "update bench_rows set done = done + 1 where id = $1"
} as const
type Work = keyof typeof work

const perSecond = (milliseconds: number) => (count * 1000) / milliseconds

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = performance.now()
    yield* effect
    return performance.now() - started
  })

const queue = Effect.fnUntraced(function* (kind: Work) {
  const jobs = yield* Jobs
  const sql = yield* SqlClient.SqlClient
  const statement = work[kind]
  const definition = job({
    name: `bench ${kind}`,
    payload: Schema.Struct({ row: Schema.Int }),
    attempts_max: 3,
    back_off: Schedule.spaced("1 second"),
    concurrency,
    time_limit: "10 seconds"
  })
  const ordering = yield* timed(Effect.forEach(numbers, (row) => jobs.offer(definition, { row }), { concurrency }))

  const all = yield* Deferred.make<void>()
  let done = 0
  const handle = ({ row }: { readonly row: number }) =>
    Effect.gen(function* () {
      if (statement !== undefined) yield* sql.unsafe(statement, [row])
      if (++done === count) yield* Deferred.succeed(all, undefined)
    })
  const doing = yield* timed(
    Effect.scoped(Effect.andThen(Layer.build(worker(definition, handle)), Deferred.await(all)))
  ).pipe(Effect.timeout(time_limit))
  return { orders_per_second: perSecond(ordering), jobs_per_second: perSecond(doing) }
})

/** Measures the minimum that a durable queue needs for each job: one insert, and one delete that skips locked rows. */
const bare = async (url: string, kind: Work): Promise<Figures> => {
  const pool = new Pool({ connectionString: url, max: concurrency })
  const statement = work[kind]
  let next = 0
  const clients = async (step: (row: number) => Promise<unknown>) => {
    next = 0
    const started = performance.now()
    const client = async () => {
      for (let row = next++; row < count; row = next++) await step(row)
    }
    await Promise.all(Array.from({ length: concurrency }, client))
    return performance.now() - started
  }
  await pool.query("create table if not exists bare_jobs (id bigserial primary key, element text not null)")
  const ordering = await clients((row) =>
    pool.query({ name: "offer", text: "insert into bare_jobs (element) values ($1)", values: [`{"row":${row}}`] })
  )
  const text = `
    delete from bare_jobs where id = (select id from bare_jobs order by id for update skip locked limit 1)
    returning element`
  const doing = await clients(async (row) => {
    await pool.query({ name: "take", text })
    if (statement !== undefined) await pool.query({ name: "work", text: statement, values: [row] })
  })
  await pool.end()
  return { orders_per_second: perSecond(ordering), jobs_per_second: perSecond(doing) }
}

const cell = (value: number) => value.toFixed(0).padStart(10)
const print = (kind: Work, name: string, { jobs_per_second, orders_per_second }: Figures, ratio = "") =>
  console.log(kind.padEnd(12), name.padEnd(8), cell(orders_per_second), cell(jobs_per_second), ratio.padStart(8))

const bench = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  yield* migrate("migrations")
  yield* sql`create table bench_rows (id integer primary key, done integer not null)`
  yield* sql`insert into bench_rows select n, 0 from generate_series(0, ${count}::integer) n`
  console.log(`${count} jobs, ${concurrency} at a time. Orders and jobs per second, one after the other.`)
  console.log("job          by           orders       jobs    ratio")
  for (const kind of ["nothing", "one update"] as const) {
    const limit = yield* Effect.promise(() => bare(url, kind))
    const ours = yield* queue(kind).pipe(Effect.provide(Layer.fresh(Jobs.layer)))
    print(kind, "pg", limit)
    print(kind, "queue", ours, (ours.jobs_per_second / limit.jobs_per_second).toFixed(2))
  }
})

runTool(
  Effect.gen(function* () {
    const { connection, url } = yield* ownDatabase()
    const services = Layer.provideMerge(Database.layer, pgLayer(connection, 2 * concurrency))
    yield* bench(url).pipe(Effect.provide([services, Logger.layer([])]))
  })
)
