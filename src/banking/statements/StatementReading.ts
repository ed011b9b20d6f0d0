import { Context, Effect, Layer } from "effect"
import { type ChildPool, childPool } from "../../platform/children/ChildPool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { StatementFile } from "./Statement.ts"
import { InvalidStatement, type StatementRefused } from "./StatementErrors.ts"
import { fileOf, type StatementJob } from "./StatementJob.ts"
import { readStatement } from "./StatementReader.ts"

/** Largest file that is parsed in this process; it takes at most some 30 ms, which no other request notices. */
const bytes_read_here_max = 64 * 1024
const megabyte = 1_000_000

/** The largest file takes about a second; the limits leave room for a busy machine. */
const limits = {
  size: 1,
  start_duration_max: "30 seconds",
  job_duration_max: "30 seconds",
  heap_megabytes_max: 512,
  memory_bytes_max: 1_000 * megabyte,
  memory_bytes_kept_max: 300 * megabyte,
  jobs_per_child_max: 50,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "30 seconds"
} as const

/** Parses statement files; a child process parses the large ones, so that they delay no other request. */
export class StatementReading extends Context.Service<
  StatementReading,
  {
    readonly read: (job: StatementJob) => Effect.Effect<StatementFile, StatementRefused | StorageUnavailable>
  }
>()("invoicing/banking/statements/StatementReading") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entry = new URL("./StatementChild.ts", import.meta.url)
      const pool = yield* childPool({ ...limits, entry })
      return StatementReading.of({
        read: ({ bytes, ...options }) =>
          bytes.length <= bytes_read_here_max ? readStatement(bytes, options) : readApart(pool, { bytes, ...options })
      })
    })
  )
}

const readApart = Effect.fn("StatementReading.readApart")(function* (pool: ChildPool, job: StatementJob) {
  const answer = yield* pool.run(job).pipe(
    Effect.catchTags({
      ChildTimedOut: () => InvalidStatement.of("it takes too long"),
      ChildFailed: ({ reason }) =>
        Effect.andThen(
          Effect.logWarning(`a bank statement cannot be read: ${reason}`),
          InvalidStatement.of("it takes too much memory")
        ),
      ChildUnavailable: ({ reason }) =>
        Effect.andThen(Effect.logError(`no process reads bank statements: ${reason}`), StorageUnavailable.of())
    })
  )
  return yield* fileOf(answer)
})
