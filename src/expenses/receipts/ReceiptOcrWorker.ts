import { Effect, Layer } from "effect"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { ReceiptOcr } from "./ReceiptOcr.ts"
import { ReceiptOcrQueue } from "./ReceiptOcrQueue.ts"
import { ReceiptUpkeep } from "./ReceiptUpkeep.ts"

const sweep_interval = "5 minutes"

/** One job per process that reads; what lost its job is ended by the clock. */
export const ReceiptOcrWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { ocrProcesses: concurrency } = yield* AppConfig
    const ocr = yield* ReceiptOcr
    const upkeep = yield* ReceiptUpkeep
    return Layer.merge(
      worker({ ...ReceiptOcrQueue, concurrency }, ocr.read),
      timed({ name: "receipts.abandoned", every: sweep_interval, run: upkeep.endAbandoned })
    )
  })
)
