import { Context, Data, Effect, Layer } from "effect"
import { childPool } from "../children/ChildPool.ts"
import { fairTurns } from "../children/FairTurns.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { PictureAnswer, PictureJob } from "./PictureChild.ts"

/** The file is not a PNG, JPEG or SVG, is damaged, or has too many pixels. `problem` completes "The picture ...". */
class PictureRefused extends Data.TaggedError("PictureRefused")<{ readonly problem: string }> {}

class PicturesBusy extends Data.TaggedError("PicturesBusy")<{}> {}

const megabyte = 1_000_000

const child_limits = {
  size: 1,
  start_duration_max: "30 seconds",
  job_duration_max: "5 seconds",
  heap_megabytes_max: 128,
  memory_bytes_max: 600 * megabyte,
  memory_bytes_kept_max: 250 * megabyte,
  jobs_per_child_max: 1_000,
  idle_duration_max: "1 minute",
  pause_after_failed_starts: "10 seconds",
  low_priority: true
} as const

const turn_limits = {
  size: 1,
  held_per_owner_max: 1,
  waiting_max: 128,
  waiting_per_owner_max: 32,
  waiting_duration_max: "20 seconds"
} as const

const problems = {
  format: "must be a PNG, JPEG or SVG file.",
  pixels: "has too many pixels.",
  corrupt: "cannot be read."
} as const

/** Draws untrusted pictures as plain pixels, in a limited process without network. Scripts and metadata are lost. */
export class Pictures extends Context.Service<
  Pictures,
  {
    /** Returns a PNG of at most the size that `picture` states, with the same proportions. Organizations take turns. */
    readonly drawn: (
      picture: PictureJob,
      organization_id: OrganizationId
    ) => Effect.Effect<Uint8Array, PictureRefused | PicturesBusy>
  }
>()("invoicing/platform/images/Pictures") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const pool = yield* childPool({ ...child_limits, entry: new URL("./PictureChild.ts", import.meta.url) })
      const turns = fairTurns(turn_limits)

      const drawn = Effect.fn("Pictures.drawn")(function* (picture: PictureJob, organization_id: OrganizationId) {
        const answer = yield* pool.run(picture).pipe(
          turns.inTurn(organization_id),
          // Boundary: the child runs `PictureChild.ts`, whose answers have this type.
          Effect.map((answer) => answer as PictureAnswer),
          Effect.catchTags({
            NoTurn: () => new PicturesBusy(),
            ChildUnavailable: ({ reason }) =>
              Effect.andThen(Effect.logError(`no process draws pictures: ${reason}`), new PicturesBusy()),
            ChildTimedOut: () => new PictureRefused({ problem: "takes too long to draw." }),
            ChildFailed: ({ cause, reason }) =>
              // The system may have killed the process, e.g. because the machine lacks memory for all of its work.
              cause === "ended"
                ? Effect.andThen(Effect.logError(`a process that draws pictures ${reason}`), new PicturesBusy())
                : new PictureRefused({ problem: "takes too much memory to draw." })
          })
        )
        return "png" in answer ? answer.png : yield* new PictureRefused({ problem: problems[answer.problem] })
      })

      return Pictures.of({ drawn })
    })
  )
}
