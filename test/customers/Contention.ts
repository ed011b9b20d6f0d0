import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../src/platform/sql/Database.ts"
import type { App } from "../support/App.ts"

const poll_interval = "5 millis"
const polls_max = 20_000

export type Lock = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>

/** Makes requests wait for the lock of a customer's row, which they get in this order. */
export const inLine = <A>(app: App, customer_id: number, requests: ReadonlyArray<() => Promise<A>>) =>
  waitingFor((sql) => sql`select id from customers where id = ${customer_id} for update`, app, requests)

/** Makes requests wait while the lock is held. Each starts when the one before waits. */
export const waitingFor = async <A>(lock: Lock, app: App, requests: ReadonlyArray<() => Promise<A>>) => {
  const started: Array<Promise<A>> = []
  const startAll = async () => {
    for (const request of requests) {
      started.push(request())
      await app.run(untilWaiting(started.length))
    }
  }
  await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { transaction } = yield* Database
      yield* transaction(Effect.andThen(Effect.orDie(lock(sql)), Effect.promise(startAll)))
    })
  )
  return Promise.all(started)
}

const untilWaiting = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  yield* waiting.pipe(
    Effect.filterOrFail((sessions) => sessions.length >= count),
    Effect.retry({ schedule: Schedule.spaced(poll_interval), times: polls_max })
  )
})
