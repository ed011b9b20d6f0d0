import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { App } from "../App.ts"

const untilWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  yield* waiting.pipe(
    Effect.filterOrFail(({ length }) => length > 0),
    Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 400 }),
    Effect.ignore
  )
})

/**
 * Sends a request while a transaction with these SQL statements is open. Commits the transaction when the request waits
 * for one of its locks, or has ended without waiting.
 */
export const requestDuring = async <A>(app: App, statements: ReadonlyArray<string>, request: () => Promise<A>) => {
  const started = await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of statements) yield* sql.unsafe(statement)
      const answer = request()
      yield* Effect.raceFirst(
        untilWaiting,
        Effect.promise(() => answer)
      )
      return { answer }
    }).pipe((change) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(change)))
  )
  return started.answer
}
