import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { type ChildPool, childPool } from "../../platform/children/ChildPool.ts"
import { fairTurns } from "../../platform/children/FairTurns.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { InvalidStatement, type StatementRefused } from "../records/StatementErrors.ts"
import type { StatementFile } from "./StatementFile.ts"
import { fileOf, type StatementJob } from "./StatementJob.ts"
import { readStatement } from "./StatementReader.ts"

/** Largest file that is parsed in this process; it takes at most some 30 ms, which no other request notices. */
const bytes_read_here_max = 64 * 1024
const megabyte = 1_000_000

/** The largest file takes some seconds; the limits leave room for a busy machine. */
const limits = {
  size: 1,
  start_duration_max: "30 seconds",
  job_duration_max: "60 seconds",
  heap_megabytes_max: 512,
  memory_bytes_max: 1_000 * megabyte,
  memory_bytes_kept_max: 300 * megabyte,
  jobs_per_child_max: 50,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "30 seconds",
  low_priority: true
} as const

/** Large files are parsed one at a time, and organizations take turns. */
const turn_limits = {
  size: limits.size,
  held_per_owner_max: 1,
  waiting_max: 64,
  waiting_per_owner_max: 8,
  waiting_duration_max: "60 seconds"
} as const

/** Parses statement files; a child process parses the large ones, so that they delay no other request. */
export class StatementParser extends Context.Service<
  StatementParser,
  {
    readonly read: (
      job: StatementJob,
      organization_id: OrganizationId
    ) => Effect.Effect<StatementFile, StatementRefused | StorageUnavailable>
  }
>()("invoicing/banking/statements/StatementParser") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entry = new URL("./StatementChild.ts", import.meta.url)
      const pool = yield* childPool({ ...limits, entry })
      const { inTurn } = fairTurns(turn_limits)
      return StatementParser.of({
        read: ({ bytes, ...options }, organization_id) =>
          bytes.length <= bytes_read_here_max
            ? readStatement(bytes, options)
            : readApart(pool, inTurn(organization_id), { bytes, ...options })
      })
    })
  )
}

type InTurn = ReturnType<ReturnType<typeof fairTurns>["inTurn"]>

const readApart = Effect.fn("StatementParser.readApart")(function* (
  pool: ChildPool,
  inTurn: InTurn,
  job: StatementJob
) {
  const answer = yield* inTurn(pool.run(job)).pipe(
    Effect.catchTags({
      NoTurn: () => StorageUnavailable.of(),
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
