import { Effect, Layer, Option } from "effect"
import { timed } from "../../../platform/jobs/Timed.ts"
import type { ConnectionKey } from "../../providers/connections/Connection.ts"
import { Connections } from "../../providers/connections/Connections.ts"
import { local_adapter } from "../AeatSettings.ts"

const interval = "15 minutes"

/** Writes a summary at least every six hours and before the process stops (Orden HAC/1177/2024, art. 9.2). */
export const SummaryWorker = Layer.unwrap(
  Effect.gen(function* () {
    const connections = yield* Connections
    const summarize = Effect.fnUntraced(function* (key: ConnectionKey, when: "due" | "stopping") {
      const provider = Option.getOrUndefined(yield* connections.find(key))
      yield* provider?.books?.summarize?.(when) ?? Effect.void
    })
    const summarizeAll = Effect.fnUntraced(function* (when: "due" | "stopping") {
      for (const { adapter, ...key } of yield* connections.list()) {
        if (adapter !== local_adapter) continue
        // An organization whose certificate cannot be opened must not stop the log of the others.
        yield* Effect.catchCause(summarize(key, when), (cause) =>
          Effect.logError("the summary of kept records failed", cause)
        )
      }
    })
    return Layer.merge(
      timed({ name: "einvoices.record-summaries", every: interval, run: summarizeAll("due") }),
      Layer.effectDiscard(Effect.addFinalizer(() => Effect.ignoreCause(summarizeAll("stopping"))))
    )
  })
)
