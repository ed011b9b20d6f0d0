import { Effect } from "effect"
import { batch_max, eachBatch } from "./InBatches.ts"
import type { JobStore } from "./JobStore.ts"

/** Records that are unfinished until their jobs complete them. */
interface Unended<Found, E, R> {
  /** The queues of the jobs, in the order in which a job may be moved from one to the next. */
  readonly queues: ReadonlyArray<{ readonly name: string }>
  readonly jobIdOf: (record: Found) => string
  /** Returns records in the order of their ids. */
  readonly read: (page: { readonly after: number; readonly limit: number }) => Effect.Effect<ReadonlyArray<Found>>
  readonly giveUp: (record: Found) => Effect.Effect<void, E, R>
}

/** Gives up records whose job died, e.g. because its process was killed in the last attempt. */
export const giveUpAbandoned = Effect.fn("giveUpAbandoned")(function* <Found extends { readonly id: number }, E, R>(
  jobs: JobStore["Service"],
  { giveUp, jobIdOf, queues, read }: Unended<Found, E, R>
) {
  const next = (last: Found | undefined) => read({ after: last?.id ?? 0, limit: batch_max })
  const handle = Effect.fnUntraced(function* (records: ReadonlyArray<Found>) {
    const ids = records.map(jobIdOf)
    const pending = yield* Effect.forEach(queues, ({ name }) => jobs.pendingIds(name, ids))
    const isPending = (id: string) => pending.some((some) => some.has(id))
    for (const record of records) if (!isPending(jobIdOf(record))) yield* giveUp(record)
  })
  yield* eachBatch(batch_max, next, handle)
})
