/**
 * `node scripts/bench/ocr-pool.ts` compares the service's pool of reading processes with the `tesseract` command on the
 * same photos and models, and measures how long reading delays the process that starts the pool. BENCH_RECEIPTS and
 * BENCH_PROCESSES set the numbers.
 */
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { ReceiptReader } from "../../src/expenses/receipts/reading/ReceiptReader.ts"
import { ReceiptReaderPool } from "../../src/expenses/receipts/reading/ReceiptReaderPool.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { languageFolder } from "../../src/platform/ocr/engines/LanguageData.ts"
import { receiptPhoto } from "../../test/support/files/PrintedReceipt.ts"
import { runTool } from "../support/Tool.ts"
import { cpuOfTree } from "./parts/Cpu.ts"

const receipts = Number(process.env.BENCH_RECEIPTS ?? 12)
const processes = Number(process.env.BENCH_PROCESSES ?? availableParallelism())
const watch_interval_ms = 50
const event_loop_resolution_ms = 5
const event_loop_p99_max_ms = 50
const hints = { country: "DE", currency: "EUR", language: "de", today: "2026-03-20", own_names: [] }

interface Measured {
  readonly name: string
  readonly seconds: number
  readonly cpu_seconds: number
  /** Peak memory of the child process that used the most. */
  readonly peak_megabytes: number
}

const run = promisify(execFile)

const bench = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const photos = yield* Effect.forEach(
    Array.from({ length: receipts }, (_, at) => at),
    (at) =>
      Effect.map(receiptPhoto((at % 7) - 3), (photo) => {
        const path = join(folder, `${at}.jpg`)
        writeFileSync(path, photo)
        return path
      })
  )
  const ours = yield* pool(folder, photos)
  const theirs = yield* native(folder, photos)
  print(ours, theirs)
})

/** Reads all photos twice, and measures the second time, when the processes run already. */
const pool = (folder: string, photos: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const reader = yield* ReceiptReader
    const readAll = Effect.forEach(photos, (path) => reader.read({ path, media_type: "image/jpeg", hints }), {
      concurrency: processes
    })
    yield* readAll
    const delay = monitorEventLoopDelay({ resolution: event_loop_resolution_ms })
    delay.enable()
    const measured = yield* measure("pool, 2 passes and preparation", readAll)
    delay.disable()
    const p99 = delay.percentile(99) / 1e6 - event_loop_resolution_ms
    console.log(`Event loop of the parent: delay ${p99.toFixed(1)} ms (99 %), at most ${event_loop_p99_max_ms} wanted`)
    if (p99 > event_loop_p99_max_ms) process.exitCode = 1
    return measured
  }).pipe(Effect.provide(ReceiptReaderPool.pipe(Layer.provide(AppConfig.layer), Layer.provide(settings(folder)))))

const settings = (folder: string) =>
  ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder, OCR_PROCESSES: String(processes) } }))

/** Measures the `tesseract` command. It reads each picture twice, like the pool, but without preparing the picture. */
const native = Effect.fnUntraced(function* (folder: string, photos: ReadonlyArray<string>) {
  if (spawnSync("tesseract", ["--version"]).error !== undefined) {
    console.log("Skipped: there is no `tesseract` command to compare with (apt-get install tesseract-ocr).")
    return undefined
  }
  const packed = yield* languageFolder(folder)
  for (const file of readdirSync(packed)) {
    writeFileSync(join(folder, file.replace(/\.gz$/, "")), gunzipSync(readFileSync(join(packed, file))))
  }
  const read = (path: string) =>
    Effect.forEach(["4", "11"], (mode) =>
      Effect.promise(() =>
        run("tesseract", [path, "stdout", "--tessdata-dir", folder, "-l", "deu+eng", "--psm", mode, "tsv"], {
          env: { ...process.env, OMP_THREAD_LIMIT: "1" }
        })
      )
    )
  return yield* measure("tesseract command, 2 passes", Effect.forEach(photos, read, { concurrency: processes }))
})

const measure = <A, E, R>(name: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let peak = 0
    const watch = setInterval(() => void (peak = Math.max(peak, ...memoryOfChildren())), watch_interval_ms)
    const [started, cpu] = [performance.now(), cpuOfTree(process.pid)]
    yield* Effect.ensuring(
      work,
      Effect.sync(() => clearInterval(watch))
    )
    const measured: Measured = {
      name,
      seconds: (performance.now() - started) / 1000,
      cpu_seconds: (cpuOfTree(process.pid) - cpu) / 1000,
      peak_megabytes: peak / 1000
    }
    return measured
  })

const memoryOfChildren = (): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8")
      const isChild = status.includes(`\nPPid:\t${process.pid}\n`)
      return isChild ? [Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)] : []
    } catch {
      return []
    }
  })

const print = (ours: Measured, theirs: Measured | undefined) => {
  for (const { cpu_seconds, name, peak_megabytes, seconds } of theirs === undefined ? [ours] : [ours, theirs]) {
    const perMinute = (60 * receipts) / seconds
    console.log(
      `${name.padEnd(32)} ${perMinute.toFixed(1)} receipts/min, ${(cpu_seconds / receipts).toFixed(2)} CPU s each, ` +
        `peak ${peak_megabytes.toFixed(0)} MB`
    )
  }
  if (theirs === undefined) return
  const ratio = (of: (measured: Measured) => number) => (of(ours) / of(theirs)).toFixed(2)
  console.log(
    `pool / command: time ${ratio(({ seconds }) => seconds)}, CPU ${ratio(({ cpu_seconds }) => cpu_seconds)}, ` +
      `memory ${ratio(({ peak_megabytes }) => peak_megabytes)} (${receipts} receipts, ${processes} processes)`
  )
}

runTool(bench)
