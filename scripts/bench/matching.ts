/**
 * `npm run bench:matching -- [seed ...]` measures the matcher. For each seed, it generates 10,000 payments, 2,000 open
 * invoices and 500 other bank movements that look like payments. `--misses` lists mistakes.
 */
import { Effect } from "effect"
import { type Miss, type Trial, trialOf } from "./parts/MatchingTrial.ts"
import { decoysOf } from "./parts/Decoys.ts"
import { worldOf } from "./parts/Payments.ts"

const size = { invoices: 2_000, expenses: 500, payments: 10_000, customers: 600, vendors: 150 }
const seeds = process.argv
  .slice(2)
  .filter((each) => /^\d+$/.test(each))
  .map(Number)
const is_listing = process.argv.includes("--misses")

const list = (title: string, misses: ReadonlyArray<Miss>) => {
  const kinds = Map.groupBy(misses, ({ kind }) => kind)
  for (const [kind, each] of kinds) {
    console.log(`  ${title}: ${kind} ${each.length}`)
    if (is_listing)
      for (const { found, line, wanted } of each.slice(0, 6))
        console.log(`    ${line}\n      pays ${wanted}\n      ${found}`)
  }
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)} %`

const print = (title: string, { confirmed, decidable, missed, right_decidable, seconds, wrong }: Trial) => {
  const precision = confirmed === 0 ? "" : `, precision ${percent(confirmed - wrong.length, confirmed)}`
  const recall = decidable === 0 ? "" : `, recall of ${decidable} decidable ${percent(right_decidable, decidable)}`
  console.log(`${title}: confirmed ${confirmed}, wrong ${wrong.length}${precision}${recall}, ${seconds.toFixed(1)} s`)
  list("wrong", wrong)
  list("missed", missed)
}

for (const seed of seeds.length > 0 ? seeds : [1, 2, 3, 4, 5, 6]) {
  print(`seed ${seed}`, await Effect.runPromise(trialOf(worldOf(seed, size))))
  print(`seed ${seed}, adversarial`, await Effect.runPromise(trialOf(decoysOf(seed, { ...size, payments: 500 }))))
}
