import { Context, Data, Effect, Layer } from "effect"
import { childPool, type ChildPoolOptions } from "../../../platform/children/ChildPool.ts"
import type { Arrival } from "../../providers/Arrival.ts"
import { arrivalReaderChild } from "./ArrivalReaderChild.ts"
import { type ArrivalJob, decodeAnswer, type ReadArrival } from "./ReadArrival.ts"
import { isPdf } from "./ArrivedFile.ts"
import { readReceived, unreadableFile } from "./ReceivedReader.ts"

/** Maximum size of a file that is read in this process, which takes some milliseconds. PDF files never are. */
const small_bytes_max = 64 * 1024

const megabyte = 1_000_000

/** Limits of the child process. The largest XML takes a few seconds, but the machine may be busy. */
const limits = {
  size: 1,
  start_duration_max: "2 minutes",
  job_duration_max: "3 minutes",
  job_cpu_max: "60 seconds",
  heap_megabytes_max: 512,
  memory_bytes_max: 1_000 * megabyte,
  memory_bytes_kept_max: 250 * megabyte,
  jobs_per_child_max: 50,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "30 seconds",
  low_priority: true
} as const

/** No process could read the file in time, or the process was killed; a later attempt can succeed. */
export class ArrivalUnread extends Data.TaggedError("ArrivalUnread")<{ readonly message: string }> {}

/** Reads the files of suppliers. A child process reads PDF and large files, because they may exhaust the memory. */
export class ArrivalReader extends Context.Service<
  ArrivalReader,
  {
    /** A file that cannot be read is a result, too, so that it is read only once. */
    readonly read: (
      arrival: Pick<Arrival, "at" | "bytes" | "transmission_id" | "trusted">
    ) => Effect.Effect<ReadArrival, ArrivalUnread>
  }
>()("invoicing/einvoicing/received/reading/ArrivalReader") {}

export const arrivalReader = (changes: Partial<ChildPoolOptions> = {}) =>
  Layer.effect(
    ArrivalReader,
    Effect.gen(function* () {
      const pool = yield* childPool({ ...limits, entry: arrivalReaderChild, ...changes })

      const read: ArrivalReader["Service"]["read"] = Effect.fn("ArrivalReader.read")(function* (arrival) {
        const { at: arrived_at, bytes, transmission_id, trusted = [] } = arrival
        const unreadable = (problem: string, cause: unknown) =>
          Effect.as(
            Effect.logWarning(`the document ${transmission_id} cannot be read`, cause),
            unreadableFile(bytes, problem)
          )
        if (bytes.length <= small_bytes_max && !isPdf(bytes)) {
          return yield* readReceived(bytes, { trusted, arrived_at }).pipe(
            Effect.catchDefect((defect) => unreadable("The document cannot be read.", defect))
          )
        }
        const job: ArrivalJob = { bytes, arrived_at, trusted: trusted.map(({ raw }) => raw) }
        return yield* pool.run(job).pipe(
          Effect.flatMap((answer) => Effect.orDie(decodeAnswer(answer))),
          Effect.catchTags({
            ChildTimedOut: ({ limit }) =>
              limit === "cpu"
                ? unreadable("Reading the document takes too long.", limit)
                : Effect.fail(new ArrivalUnread({ message: "The machine is too busy to read the document in time." })),
            ChildFailed: ({ cause, reason }) => {
              if (cause === "memory") return unreadable("Reading the document takes too much memory.", reason)
              if (cause === "thrown") return unreadable("The document cannot be read.", reason)
              return Effect.fail(new ArrivalUnread({ message: `The process that read the document ${reason}.` }))
            },
            ChildUnavailable: ({ reason }) => Effect.fail(new ArrivalUnread({ message: reason }))
          })
        )
      })

      return ArrivalReader.of({ read })
    })
  )
