/**
 * `node scripts/bench/ocr/real.ts <folder> <hex digits>` measures how many real receipts are read correctly. Beside
 * each image is a JSON file of the same name with country, currency, language and true fields. Images are named by
 * their SHA-256; the digits select those that are read. The folder keeps the words, so that a change of the extraction
 * is measured without reading again.
 */
import { Effect, FileSystem } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { extract } from "../../../src/expenses/receipts/extraction/Extractor.ts"
import { childPool } from "../../../src/platform/children/ChildPool.ts"
import { languageFolder } from "../../../src/platform/ocr/engines/LanguageData.ts"
import { runTool } from "../../support/Tool.ts"
import type { Words } from "./ReadingChild.ts"
import { pool_limits } from "./Readings.ts"
import { againOf, knownWords, type RealReceipt, realReceipts, verdictsOf, wordsFile } from "./RealReadings.ts"
import type { Extracted } from "./Score.ts"

const [folder = "", digits = "", engine = "words"] = process.argv.slice(2)
const processes = Number(process.env.BENCH_PROCESSES ?? availableParallelism())

interface Measured {
  readonly receipt: RealReceipt
  readonly words: Words
  readonly extracted: Extracted
}

const measure = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const temporary = yield* files.makeTempDirectoryScoped()
  mkdirSync(join(folder, engine), { recursive: true })
  const pool = yield* childPool({
    ...pool_limits,
    entry: new URL("./ReadingChild.ts", import.meta.url),
    arguments: [yield* languageFolder(temporary)],
    size: processes
  })
  const readWords = Effect.fnUntraced(function* (receipt: RealReceipt) {
    const file = wordsFile(folder, engine, receipt)
    const known = knownWords(file)
    if (known !== undefined) return known
    // The child process runs `ReadingChild.ts`, whose answers have this type.
    const words = (yield* pool.run({ path: receipt.path, hints: receipt.hints })) as Words
    writeFileSync(file, JSON.stringify(words))
    process.stderr.write(`${receipt.name} ${words.cpu_seconds.toFixed(1)} s\n`)
    return words
  })
  const all = yield* Effect.forEach(
    realReceipts(folder, digits),
    Effect.fnUntraced(function* (receipt) {
      const words = yield* readWords(receipt)
      const extracted = yield* Effect.promise(() => extract(words.reading, receipt.hints, againOf(words)))
      return { receipt, words, extracted } satisfies Measured
    }),
    { concurrency: processes }
  )
  report("all", all)
  for (const [country, some] of Map.groupBy(all, ({ receipt }) => receipt.country)) report(country, some)
  if (process.env.BENCH_MISTAKES !== undefined) all.forEach(printMistakes)
})

/** Returns a share in percent, and the ends of its 95 % confidence interval (by Wilson's formula). */
const share = (right: number, count: number): string => {
  if (count === 0) return "-"
  const z = 1.96
  const middle = (right + (z * z) / 2) / (count + z * z)
  const reach = (z / (count + z * z)) * Math.sqrt((right * (count - right)) / count + (z * z) / 4)
  return [right / count, middle - reach, middle + reach].map((value) => (100 * value).toFixed(1)).join(" ")
}

const report = (title: string, all: ReadonlyArray<Measured>): void => {
  const judged = all.map((one) => ({ ...one, verdicts: verdictsOf(one.receipt, one.extracted) }))
  console.log(`${title}: ${all.length} receipts; percent right, with the ends of the 95 % interval`)
  for (const field of ["amount", "expense_date", "vendor", "currency", "tax_amount"] as const) {
    const said = judged.filter(({ verdicts }) => verdicts[field] !== "unsaid")
    const right = said.filter(({ verdicts }) => verdicts[field] === "right").length
    console.log(`  ${field.padEnd(14)} ${share(right, said.length)} of ${said.length}`)
  }
  const done = judged.filter(({ extracted }) => extracted.status === "done")
  const wrong = done.filter(({ verdicts }) =>
    [verdicts.amount, verdicts.expense_date, verdicts.currency].some((one) => one === "wrong")
  )
  console.log(`  done           ${share(done.length, judged.length)}`)
  console.log(`  done and right ${share(done.length - wrong.length, done.length)}`)
  const seconds = all.map(({ words }) => words.cpu_seconds)
  console.log(`  CPU seconds    ${(seconds.reduce((sum, value) => sum + value, 0) / all.length).toFixed(2)} (mean)`)
}

const printMistakes = ({ extracted, receipt }: Measured): void => {
  const { name, truth } = receipt
  const found = verdictsOf(receipt, extracted)
  for (const field of ["amount", "expense_date", "currency", "vendor"] as const) {
    if (found[field] !== "wrong" && found[field] !== "missing") continue
    console.log(
      `${name} ${extracted.status} ${field}: ${extracted.fields[field]}, not ${truth[field]?.replaceAll("\n", " / ")}`
    )
  }
}

runTool(measure)
