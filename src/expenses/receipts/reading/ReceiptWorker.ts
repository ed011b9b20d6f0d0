import { Effect, Layer } from "effect"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { worker } from "../../../platform/jobs/Jobs.ts"
import { ReceiptProcessor } from "./ReceiptProcessor.ts"
import { ReceiptQueue } from "./ReceiptQueue.ts"

export const ReceiptWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { ocrProcesses: concurrency } = yield* AppConfig
    const ocr = yield* ReceiptProcessor
    return worker({ ...ReceiptQueue, concurrency }, ocr.read)
  })
)
