import { Data, type Duration, Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { job } from "../../../src/platform/jobs/Jobs.ts"

interface Changes {
  readonly attempts_max?: number
  readonly concurrency?: number
  readonly time_limit?: Duration.Input
}

export const greeting = (name: string, changes: Changes = {}) =>
  job({
    name,
    payload: Schema.Struct({ to: Schema.String }),
    attempts_max: 3,
    back_off: Schedule.spaced("1 second"),
    concurrency: 2,
    time_limit: "500 millis",
    ...changes
  })

export const stateOf = Effect.fnUntraced(function* (queue: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly id: string; readonly state: string; readonly attempts: number }>`
    select id, state, attempts from jobs where queue_name = ${queue} order by sequence`
})

/** Waits until no job of the queue is pending, and returns the states of all. */
export const settled = Effect.fnUntraced(
  function* (queue: string) {
    const rows = yield* stateOf(queue)
    if (rows.length === 0 || rows.some(({ state }) => state === "pending")) return yield* Effect.fail("pending")
    return rows
  },
  Effect.retry(Schedule.spaced("50 millis")),
  Effect.timeout("100 seconds")
)

export class Busy extends Data.TaggedError("Busy") {}
