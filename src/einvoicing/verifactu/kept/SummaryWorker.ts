import { Effect, Layer } from "effect"
import { timed } from "../../../platform/jobs/Timed.ts"
import { Connections } from "../../providers/Connections.ts"
import { local_adapter } from "../AeatSettings.ts"

const interval = "15 minutes"

/**
 * Logs what happened to records that are kept here, within every six hours and before the process stops (Orden
 * HAC/1177/2024, art. 9.2).
 */
export const SummaryWorker = Layer.unwrap(
  Effect.gen(function* () {
    const connections = yield* Connections
    const summarizeAll = Effect.fnUntraced(function* (when: "due" | "stopping") {
      for (const { adapter, organization_id, provider } of yield* connections.list()) {
        if (adapter !== local_adapter) continue
        const found = yield* connections.find({ organization_id, provider })
        if (found._tag === "Some") yield* found.value.books?.summarize?.(when) ?? Effect.void
      }
    })
    return Layer.merge(
      timed({ name: "einvoices.record-summaries", every: interval, run: summarizeAll("due") }),
      Layer.effectDiscard(Effect.addFinalizer(() => Effect.ignoreCause(summarizeAll("stopping"))))
    )
  })
)
