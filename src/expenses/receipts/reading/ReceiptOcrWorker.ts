import { Effect, Layer } from "effect"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { worker } from "../../../platform/jobs/Jobs.ts"
import { ReceiptOcr } from "./ReceiptOcr.ts"
import { ReceiptOcrQueue } from "./ReceiptOcrQueue.ts"

/** Runs one job per reading process. */
export const ReceiptOcrWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { ocrProcesses: concurrency } = yield* AppConfig
    const ocr = yield* ReceiptOcr
    return worker({ ...ReceiptOcrQueue, concurrency }, ocr.read)
  })
)
