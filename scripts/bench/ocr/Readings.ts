import { Duration, Effect, FileSystem, Path } from "effect"
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { childPool } from "../../../src/platform/children/ChildPool.ts"
import { languageFolder } from "../../../src/platform/ocr/engines/LanguageData.ts"
import type { ReadingTask, Words } from "./ReadingChild.ts"
import type { Receipt } from "./receipts/Receipt.ts"
import { receiptOf } from "./receipts/Receipts.ts"

export interface ReadReceipt extends Words {
  readonly receipt: Omit<Receipt, "bytes">
  /** Duration of the reading, without the time that it takes to make the receipt. */
  readonly duration_ms: number
  /** Hash of the code that read the receipt. */
  readonly reader: string
}

const folder = fileURLToPath(new URL("./.cache/", import.meta.url))

const digest = (pattern: string): string => {
  const hash = createHash("sha256")
  for (const file of globSync(fileURLToPath(new URL(pattern, import.meta.url))).toSorted())
    hash.update(readFileSync(file))
  return hash.digest("hex").slice(0, 16)
}
const generator = digest("./receipts/**/*.{ts,typ}")
export const reader = digest("../../../src/platform/ocr/**/*.ts")

const cacheFile = (seed: number): string => `${folder}${generator}/${seed}.json`

const cached = (seed: number): ReadReceipt | undefined =>
  existsSync(cacheFile(seed)) ? JSON.parse(readFileSync(cacheFile(seed), "utf8")) : undefined

/** Deletes readings of receipts that an earlier version of the generator made or, with `fresh`, all readings. */
const tidy = (fresh: boolean): void => {
  for (const name of globSync(`${folder}*`)) {
    if (fresh || !name.endsWith(generator)) rmSync(name, { recursive: true })
  }
  mkdirSync(`${folder}${generator}`, { recursive: true })
}

export const pool_limits = {
  start_duration_max: "20 seconds",
  job_duration_max: "3 minutes",
  heap_megabytes_max: 512,
  memory_bytes_max: 2_000_000_000,
  memory_bytes_kept_max: 1_000_000_000,
  jobs_per_child_max: 50,
  idle_duration_max: "2 minutes",
  pause_after_failed_starts: "30 seconds"
} as const

interface ReaderOptions {
  readonly processes: number
  readonly fresh: boolean
  readonly onRead: (read: ReadReceipt) => void
}

/** Returns the words of a generated receipt, from the cache or from a pool of processes like that of the service. */
export const openReadings = Effect.fnUntraced(function* ({ fresh, onRead, processes }: ReaderOptions) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  tidy(fresh)
  const temporary = yield* files.makeTempDirectoryScoped()
  const language_folder = yield* languageFolder(temporary)
  const pool = yield* childPool({
    ...pool_limits,
    entry: new URL("./ReadingChild.ts", import.meta.url),
    arguments: [language_folder],
    size: processes
  })

  const readAnew = Effect.fnUntraced(function* (seed: number) {
    const { bytes, ...receipt } = yield* Effect.promise(() => receiptOf(seed))
    const file = path.join(temporary, receipt.name)
    yield* files.writeFile(file, bytes)
    const task: ReadingTask = { path: file, hints: receipt.circumstances }
    const [duration, answer] = yield* Effect.timed(pool.run(task))
    yield* files.remove(file)
    // The child process runs `ReadingChild.ts`, whose answers have this type.
    const words = answer as Words
    const read: ReadReceipt = { ...words, receipt, reader, duration_ms: Duration.toMillis(duration) }
    writeFileSync(cacheFile(seed), JSON.stringify(read))
    onRead(read)
    return read
  })

  return {
    read: (seed: number) =>
      Effect.suspend(() => {
        const known = cached(seed)
        return known === undefined ? readAnew(seed) : Effect.succeed(known)
      }),
    readAnew
  }
})
