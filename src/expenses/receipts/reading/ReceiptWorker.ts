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
    const pictures = { ...ReceiptQueue, concurrency }
    const countText = yield* countReadings(ReceiptTextQueue)
    const countPicture = yield* countReadings(pictures)
    return Layer.merge(
      worker(ReceiptTextQueue, (key) => countText(ocr.readText(key))),
      worker(pictures, (key, attempt) => countPicture(ocr.read(key, attempt)))
    )
  })
)
