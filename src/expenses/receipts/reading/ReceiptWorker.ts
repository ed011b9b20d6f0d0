import { Effect, Layer } from "effect"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { worker } from "../../../platform/jobs/Jobs.ts"
import { countReadings } from "./ReadingMetrics.ts"
import { ReceiptProcessor } from "./ReceiptProcessor.ts"
import { ReceiptQueue, ReceiptTextQueue } from "./ReceiptQueue.ts"

export const ReceiptWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { ocrProcesses: concurrency } = yield* AppConfig
    const ocr = yield* ReceiptProcessor
    const counted = yield* countReadings(concurrency)
    return Layer.merge(
      worker(ReceiptTextQueue, ocr.readText),
      worker({ ...ReceiptQueue, concurrency }, (key, attempt) => counted(ocr.read(key, attempt)))
    )
  })
)
