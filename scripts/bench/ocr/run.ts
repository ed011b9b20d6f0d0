/**
 * `npm run bench:ocr` measures how many of 162 generated receipts, to which the weights were not fitted, are read
 * correctly; `BENCH_SET=training` or `development` uses other sets. `BENCH_MISTAKES=amount` lists mistakes in that
 * field; `BENCH_FRESH=1` reads the pictures again instead of using the words of the last run.
 */
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import { extract } from "../../../src/expenses/receipts/extraction/Extractor.ts"
import { runTool } from "../../support/Tool.ts"
import { openReadings, reader, type ReadReceipt } from "./Readings.ts"
import { missedAims, printMistakes, printReport, type Result } from "./Report.ts"
import { scored } from "./Score.ts"
import { sets } from "./Sets.ts"

const set = (["training", "development"] as const).find((name) => name === process.env.BENCH_SET) ?? "evaluation"
const mistakes = scored.find((field) => field === process.env.BENCH_MISTAKES)
const fresh = process.env.BENCH_FRESH === "1"
const processes = Number(process.env.BENCH_PROCESSES ?? availableParallelism())

/** Undefined if the extraction asks for a part of the page (a crop) that the stored reading lacks. */
const extracted = async ({ crops, heads = [], reading, receipt }: ReadReceipt): Promise<Result | undefined> => {
  let unknown = false
  const extraction = await extract(reading, receipt.circumstances, {
    reread: async (page, box) => {
      const asked = JSON.stringify([page, box])
      const crop = crops.find((crop) => JSON.stringify([crop.page, crop.box]) === asked)
      unknown ||= crop === undefined
      return crop?.texts ?? []
    },
    readHead: () => Promise.resolve(heads)
  })
  return unknown ? undefined : { receipt, extracted: extraction }
}

const percentile = (values: ReadonlyArray<number>, share: number): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(1)
}

const bench = Effect.gen(function* () {
  let count = 0
  const onRead = ({ duration_ms, receipt }: ReadReceipt) => {
    process.stderr.write(`${++count} read: ${receipt.name} ${(duration_ms / 1000).toFixed(1)} s\n`)
  }
  const { read, readAnew } = yield* openReadings({ processes, fresh, onRead })
  const one = Effect.fnUntraced(function* (seed: number) {
    const known = yield* read(seed)
    const result = yield* Effect.promise(() => extracted(known))
    if (result !== undefined) return { read: known, result }
    const again = yield* readAnew(seed)
    return { read: again, result: yield* Effect.promise(() => extracted(again)) }
  })
  const all = yield* Effect.forEach(sets[set], one, { concurrency: processes })
  const results = all.flatMap(({ result }) => (result === undefined ? [] : [result]))
  printReport(results)
  const durations = all.filter(({ read }) => read.reading.source === "ocr").map(({ read }) => read.duration_ms)
  const [usual, slow] = [percentile(durations, 0.5), percentile(durations, 0.95)]
  console.log(`Reading a picture took ${usual} s (median), ${slow} s (95 %), ${processes} at a time.`)
  const old = all.filter(({ read }) => read.reader !== reader).length
  if (old > 0) console.log(`${old} were read by an earlier version of the reader; BENCH_FRESH=1 reads them again.`)
  if (mistakes !== undefined) printMistakes(results, mistakes)
  const missed = missedAims(results)
  for (const sentence of missed) console.log(`Missed: ${sentence}`)
  process.exitCode = missed.length === 0 ? 0 : 1
})

runTool(bench)
