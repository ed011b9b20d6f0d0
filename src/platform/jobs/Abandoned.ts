import { Effect } from "effect"
import { batch_max, inBatches } from "./InBatches.ts"
import type { JobStore } from "./JobStore.ts"

/** Records that are unfinished until their jobs complete them. */
interface Unended<Found, E, R> {
  readonly job: { readonly name: string }
  readonly jobIdOf: (record: Found) => string
  /** Returns records in the order of their ids. */
  readonly read: (page: { readonly after: number; readonly limit: number }) => Effect.Effect<ReadonlyArray<Found>>
  readonly giveUp: (record: Found) => Effect.Effect<void, E, R>
}

/** Gives up records whose job died, e.g. because its process was killed in the last attempt. */
export const giveUpAbandoned = Effect.fn("giveUpAbandoned")(function* <Found extends { readonly id: number }, E, R>(
  jobs: JobStore["Service"],
  { giveUp, job, jobIdOf, read }: Unended<Found, E, R>
) {
  let after = 0
  const nextBatch = Effect.gen(function* () {
    const records = yield* read({ after, limit: batch_max })
    const pending = yield* jobs.pendingIds(job.name, records.map(jobIdOf))
    for (const record of records) if (!pending.has(jobIdOf(record))) yield* giveUp(record)
    after = records.at(-1)?.id ?? after
    return records.length
  })
  yield* inBatches(batch_max, nextBatch)
})
