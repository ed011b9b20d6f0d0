import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Hints } from "../../../../src/expenses/receipts/extraction/Hints.ts"
import { ReceiptReader } from "../../../../src/expenses/receipts/reading/ReceiptReader.ts"
import { receiptReaderPool } from "../../../../src/expenses/receipts/reading/ReceiptReaderPool.ts"
import type { ChildPoolOptions } from "../../../../src/platform/children/ChildPool.ts"
import { AppConfig } from "../../../../src/platform/config/AppConfig.ts"

export const german: Hints = { country: "DE", currency: "EUR", language: "de", today: "2026-03-20", own_names: [] }

export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "receipts-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** Limits for a busy machine, where readers of low priority would get almost no processor time. */
const limits = { start_duration_max: "2 minutes", job_duration_max: "3 minutes", low_priority: false } as const

/** A pool of two readers with its own data folder. */
export const readerPool = (changes: Partial<ChildPoolOptions> = {}) =>
  Layer.unwrap(
    Effect.map(temporaryFolder, (folder) =>
      receiptReaderPool({ ...limits, ...changes }).pipe(
        Layer.provide(AppConfig.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder } }))),
        Layer.provide(NodeServices.layer)
      )
    )
  )

export const written = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const path = join(yield* temporaryFolder, "receipt")
  yield* Effect.promise(() => writeFile(path, bytes))
  return path
})

/** Reads a file as the service does, from a folder of its own. */
export const read = Effect.fnUntraced(function* (bytes: Uint8Array, hints = german, media_type = "image/jpeg") {
  const path = yield* written(bytes)
  return yield* ReceiptReader.use((reader) => reader.read({ path, media_type, hints }))
}, Effect.scoped)

export const readText = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const path = yield* written(bytes)
  return yield* ReceiptReader.use((reader) => reader.readText({ path, media_type: "application/pdf", hints: german }))
}, Effect.scoped)
