/**
 * `node scripts/bench/ocr/real.ts <folder> <hex digits>` measures how many real receipts are read correctly. The folder
 * holds images and, beside each, a JSON file of the same name with its country, currency, language and true fields.
 * Images are named by the SHA-256 of their content, and only those whose name begins with one of the digits are read.
 * Words are kept in the folder, so that a change of the extraction is measured without reading the images again.
 */
import { Effect, FileSystem } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { extract } from "../../../src/expenses/receipts/extraction/Extractor.ts"
import { childPool } from "../../../src/platform/children/ChildPool.ts"
import { languageFolder } from "../../../src/platform/ocr/LanguageData.ts"
import { runTool } from "../../Tool.ts"
import type { Words } from "./ReadingChild.ts"
import { pool_limits } from "./Readings.ts"
import { type Extracted, verdicts } from "./Score.ts"

const [folder = "", digits = "", engine = "words"] = process.argv.slice(2)
const processes = Number(process.env.BENCH_PROCESSES ?? availableParallelism())
const own_names: ReadonlyArray<string> = []

interface Labelled {
  readonly country: string
  readonly currency: string
  readonly language: string
  readonly truth: Partial<Parameters<typeof verdicts>[1]>
}

interface Measured {
  readonly name: string
  readonly label: Labelled
  readonly words: Words
  readonly extracted: Extracted
}

/** Public sets label few fields, and none labels the lines of the tax table. */
const truthOf = ({ truth }: Labelled) => ({ tax_rates: [], ...truth }) as Parameters<typeof verdicts>[1]

/** The receipt counts as handed in a month after its date, because its age tells something about other dates. */
const uploadDay = (day: string | undefined): string => {
  const month_ms = 30 * 86_400_000
  return new Date((day === undefined ? Date.now() : Date.parse(day)) + month_ms).toISOString().slice(0, 10)
}

const hintsOf = ({ country, currency, language, truth }: Labelled) => {
  return { country, currency, language, today: uploadDay(truth.expense_date), own_names: [...own_names] }
}

const names = readdirSync(folder)
  .filter((name) => /\.(?:jpe?g|png)$/.test(name) && digits.includes(name.slice(0, 1)))
  .toSorted()

const labelOf = (name: string): Labelled =>
  JSON.parse(readFileSync(join(folder, name.replace(/\.[^.]+$/, ".json")), "utf8"))

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
  const readWords = Effect.fnUntraced(function* (name: string, label: Labelled) {
    const cache = join(folder, engine, `${name}.json`)
    // Both the cache and the child are ours, so they hold what `readWords` of the child answers.
    if (existsSync(cache)) return JSON.parse(readFileSync(cache, "utf8")) as Words
    const words = (yield* pool.run({ path: join(folder, name), hints: hintsOf(label) })) as Words
    writeFileSync(cache, JSON.stringify(words))
    process.stderr.write(`${name} ${words.cpu_seconds.toFixed(1)} s\n`)
    return words
  })
  const all = yield* Effect.forEach(
    names,
    Effect.fnUntraced(function* (name) {
      const label = labelOf(name)
      const words = yield* readWords(name, label)
      const reread = (page: number, box: object) => {
        const asked = JSON.stringify([page, box])
        return Promise.resolve(words.crops.find((crop) => JSON.stringify([crop.page, crop.box]) === asked)?.texts ?? [])
      }
      const extracted = yield* Effect.promise(() => extract(words.reading, hintsOf(label), reread))
      return { name, label, words, extracted } satisfies Measured
    }),
    { concurrency: processes }
  )
  report("all", all)
  for (const [country, some] of Map.groupBy(all, ({ label }) => label.country)) report(country, some)
  if (process.env.BENCH_MISTAKES !== undefined) all.forEach(printMistakes)
})

/** The interval that holds the true share with 95 % (Wilson). */
const share = (right: number, count: number): string => {
  if (count === 0) return "-"
  const z = 1.96
  const middle = (right + (z * z) / 2) / (count + z * z)
  const reach = (z / (count + z * z)) * Math.sqrt((right * (count - right)) / count + (z * z) / 4)
  return [right / count, middle - reach, middle + reach].map((value) => (100 * value).toFixed(1)).join(" ")
}

const report = (title: string, all: ReadonlyArray<Measured>): void => {
  const judged = all.map((one) => ({ ...one, verdicts: verdicts(one.extracted, truthOf(one.label)) }))
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

const printMistakes = ({ extracted, label, name }: Measured): void => {
  const found = verdicts(extracted, truthOf(label))
  for (const field of ["amount", "expense_date", "currency", "vendor"] as const) {
    if (found[field] !== "wrong" && found[field] !== "missing") continue
    console.log(`${name} ${extracted.status} ${field}: ${extracted.fields[field]}, not ${label.truth[field]}`)
  }
}

runTool(measure)
