import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { ExportBuilder } from "./ExportBuilder.ts"
import { ExportQueue } from "./ExportQueue.ts"
import { ExportUpkeep } from "./ExportUpkeep.ts"

const expiry_interval = "15 minutes"
const sweep_interval = "5 minutes"

export const ExportWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { build, giveUp } = yield* ExportBuilder
    const { endAbandoned, expire } = yield* ExportUpkeep
    return Layer.mergeAll(
      worker(ExportQueue, (key, { last }) => Effect.tapCause(build(key), () => (last ? giveUp(key) : Effect.void))),
      timed({ name: "archive.exports-expiry", every: expiry_interval, run: expire }),
      timed({ name: "archive.exports-abandoned", every: sweep_interval, run: endAbandoned })
    )
  })
)
