/**
 * `node scripts/bench/ocr/fitting/fit.ts <folder> <engine>` fits the weights in `Weights.ts` to generated receipts and to the
 * real ones of the folder, whose words `real.ts` has read. Rankers choose the best candidate of a field; calibrators
 * estimate how likely the choice is right. A ranker does better on the receipts that it was fitted to, so calibrators
 * are fitted to other receipts. The same receipts give the same weights. With the third argument `calibrators`, only
 * the calibrators of amounts and dates are fitted; with `vendors`, only the ranker and the calibrator of vendors.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { chooseFields } from "../../../../src/expenses/receipts/extraction/ChosenFields.ts"
import {
  chooseAmount,
  chooseDate,
  chooseVendor,
  type Evidence,
  evidenceOf
} from "../../../../src/expenses/receipts/extraction/FieldChoice.ts"
import { withHeads } from "../../../../src/expenses/receipts/extraction/Extractor.ts"
import type { Hints } from "../../../../src/expenses/receipts/extraction/Hints.ts"
import { recheckFields } from "../../../../src/expenses/receipts/extraction/Recheck.ts"
import { issueDateCandidates } from "../../../../src/expenses/receipts/fields/IssueDates.ts"
import { ranked, logistic, scoreOf } from "../../../../src/expenses/receipts/fields/Ranking.ts"
import { totalCandidates } from "../../../../src/expenses/receipts/fields/Totals.ts"
import { vendorCandidates } from "../../../../src/expenses/receipts/fields/Vendors.ts"
import type { Heads, Reading, Reread } from "../../../../src/platform/ocr/engines/Reading.ts"
import * as priors from "./Priors.ts"
import { againOf, judgeOf, knownWords, realReceipts, wordsFile } from "../RealReadings.ts"
import { samples } from "../Samples.ts"
import type { Extracted } from "../Score.ts"

type Vector = Record<string, number>
interface Instance {
  readonly candidates: ReadonlyArray<{ readonly features: Vector }>
  /** Indexes of the right candidates: several if, for example, a name is right both with and without its next row. */
  readonly right: ReadonlySet<number>
}
interface Case {
  readonly features: Vector
  readonly isRight: boolean
}

const weights_file = "src/expenses/receipts/fields/Weights.ts"
const ranking_seeds = { from: 1, count: 1_600 }
const calibration_seeds = { from: 200_001, count: 2_000 }
/** Strength with which a weight is pulled to its prior, because generated receipts differ from real ones. */
const ranking_pull = 2
const calibration_pull = 12
const steps_max = 250
const step_size = 0.04

/** Weights that stay at their priors, because public data sets do not state when a receipt was uploaded. */
const assumed = new Set(["future", "recent", "old"])

const own_names = ["Atelier Lumière SRL"]

/**
 * First hexadecimal digits of the names of the real receipts for fitting. The others are for measurements: 8, 9, a and
 * c after each fit, and 0 to 3 for the final acceptance.
 */
const ranking_digits = "bdef"
const calibration_digits = "4567"
/** Vendor names vary most, so their ranker gets more receipts. Their calibrator has few weights, so it gets fewer. */
const vendor_ranking_digits = "bdef45"
const vendor_calibration_digits = "67"
/** A real receipt counts as much as this number of generated ones. */
const real_weight = 8

const [folder = "", engine = "words", stage] = process.argv.slice(2)

interface Example {
  readonly reading: Reading
  readonly hints: Hints
  readonly heads?: Heads
  readonly reread?: Reread
  /** Undefined if the label does not state the field. */
  readonly isRight: (fields: Extracted["fields"]) => boolean | undefined
}

const generated = (seeds: typeof ranking_seeds): ReadonlyArray<Example> =>
  samples(seeds).map(({ hints, reading, truth }) => ({
    hints: { ...hints, own_names },
    reading,
    isRight: ({ amount, expense_date, vendor }) =>
      (amount !== undefined && amount === truth.amount) ||
      (expense_date !== undefined && expense_date === truth.date) ||
      (vendor !== undefined && vendor.toLowerCase() === truth.vendor.toLowerCase())
  }))

const real = (digits: string): ReadonlyArray<Example> =>
  realReceipts(folder, digits).flatMap((receipt) => {
    const words = knownWords(wordsFile(folder, engine, receipt))
    if (words === undefined) return []
    const { heads = [], reading } = words
    const { reread } = againOf(words)
    const example = { hints: receipt.hints, reading, heads, reread, isRight: judgeOf(receipt) }
    return Array.from({ length: real_weight }, () => example)
  })

const amountOf = (units: number, { scan: { exponent } }: Evidence) => ({
  amount: (units / 10 ** exponent).toFixed(exponent)
})

type Judged = Example & { readonly evidence: Evidence }

const withEvidence = (examples: ReadonlyArray<Example>): ReadonlyArray<Judged> =>
  examples.map((example) => {
    const { heads = [], hints, reading } = example
    return { ...example, evidence: withHeads(evidenceOf(reading, hints), heads, reading) }
  })

const instances = <A extends { readonly features: object }>(
  all: ReadonlyArray<Judged>,
  list: (one: Judged) => ReadonlyArray<A>,
  fields: (candidate: A, evidence: Evidence) => Extracted["fields"]
) =>
  all.flatMap((one) => {
    const candidates = list(one)
    const verdict = candidates.map((candidate) => one.isRight(fields(candidate, one.evidence)))
    return verdict.every((one) => one === undefined) ? [] : [where(candidates, verdict)]
  })

const rankers = () => {
  const all = withEvidence([...generated(ranking_seeds), ...real(ranking_digits)])
  return {
    totalWeights: fitRanker(
      instances(
        all,
        ({ evidence }) => totalCandidates(evidence.scan, evidence.arithmetic, evidence.rates),
        ({ units }, evidence) => amountOf(units, evidence)
      ),
      priors.totalWeights
    ),
    dateWeights: fitRanker(
      instances(
        all,
        ({ evidence, hints }) => issueDateCandidates(evidence.scan, hints.today),
        ({ day }) => ({ expense_date: day })
      ),
      priors.dateWeights
    )
  }
}

const vendorRanker = () => ({
  vendorWeights: fitRanker(
    instances(
      withEvidence([...generated(ranking_seeds), ...real(vendor_ranking_digits)]),
      ({ evidence, hints }) => vendorCandidates(evidence.scan, hints.own_names),
      ({ name }) => ({ vendor: name })
    ),
    priors.vendorWeights
  )
})

const given = (reasons: Readonly<Record<string, number | undefined>>): Vector =>
  Object.fromEntries(Object.entries(reasons).map(([name, value]) => [name, value ?? 0]))

const vendorCalibrator = () => ({
  vendorConfidence: fitCalibrator(
    withEvidence([...generated(calibration_seeds), ...real(vendor_calibration_digits)]).flatMap(
      ({ evidence, hints, isRight }) => {
        const choice = chooseVendor(evidence, hints.own_names)
        const verdict = choice && isRight({ vendor: choice.best.name })
        return choice === undefined || verdict === undefined
          ? []
          : [{ features: given(choice.reasons), isRight: verdict }]
      }
    ),
    priors.vendorConfidence
  )
})

const where = (
  list: ReadonlyArray<{ readonly features: object }>,
  verdicts: ReadonlyArray<boolean | undefined>
): Instance => ({
  candidates: list.map(({ features }) => ({ features: { ...features } as Vector })),
  right: new Set(verdicts.flatMap((verdict, index) => (verdict === true ? [index] : [])))
})

const judged = async ({ hints, isRight, reading, reread }: Example) => {
  const evidence = evidenceOf(reading, hints)
  const rechecks = reread === undefined ? {} : await recheckFields(evidence, chooseFields(evidence, hints), reread)
  const cases = <A extends { readonly reasons: object }>(
    choice: A | undefined,
    fields: (choice: A) => Extracted["fields"]
  ): ReadonlyArray<Case> => {
    const verdict = choice && isRight(fields(choice))
    return choice === undefined || verdict === undefined ? [] : [{ features: { ...choice.reasons }, isRight: verdict }]
  }
  return {
    source: reading.source,
    amounts: cases(chooseAmount(evidence, rechecks.amount), ({ best }) => amountOf(best.units, evidence)),
    dates: cases(chooseDate(evidence, hints.today, rechecks.date), ({ best }) => ({ expense_date: best.day }))
  }
}

const calibrators = async () => {
  const all = await Promise.all([...generated(calibration_seeds), ...real(calibration_digits)].map(judged))
  const ocr = all.filter(({ source }) => source === "ocr")
  const text = all.filter(({ source }) => source === "text_layer")
  return {
    amountConfidence: fitCalibrator(
      ocr.flatMap(({ amounts }) => amounts),
      priors.amountConfidence
    ),
    amountConfidenceInText: fitCalibrator(
      text.flatMap(({ amounts }) => amounts),
      priors.amountConfidenceInText
    ),
    dateConfidence: fitCalibrator(
      ocr.flatMap(({ dates }) => dates),
      priors.dateConfidence
    ),
    dateConfidenceInText: fitCalibrator(
      text.flatMap(({ dates }) => dates),
      priors.dateConfidenceInText
    )
  }
}

const fitRanker = (instances: ReadonlyArray<Instance>, prior: Vector): Vector =>
  descend(prior, ranking_pull, (weights, add) => {
    for (const { candidates, right } of instances) {
      const probabilities = new Map(
        ranked(candidates, weights).map(({ candidate, probability }) => [candidate, probability])
      )
      const chances = candidates.map((candidate) => probabilities.get(candidate) ?? 0)
      const sum = chances.reduce((total, chance, index) => total + (right.has(index) ? chance : 0), 0)
      for (const [index, candidate] of candidates.entries()) {
        const chance = chances[index] ?? 0
        add(candidate.features, chance - (right.has(index) ? chance / sum : 0))
      }
    }
  })

const fitCalibrator = (cases: ReadonlyArray<Case>, prior: Vector): Vector =>
  descend(prior, calibration_pull, (weights, add) => {
    for (const { features, isRight } of cases) add(features, logistic(scoreOf(features, weights)) - Number(isRight))
  })

/** Runs the optimizer Adam. Every step uses all instances, so neither their order nor chance affects the result. */
const descend = (
  prior: Vector,
  pull: number,
  slopes: (weights: Vector, add: (features: Vector, error: number) => void) => void
): Vector => {
  const names = Object.keys(prior).filter((name) => !assumed.has(name))
  const weights = { ...prior }
  const mean = Object.fromEntries(names.map((name) => [name, 0]))
  const square = { ...mean }
  for (let step = 1; step <= steps_max; step++) {
    const slope: Vector = Object.fromEntries(
      names.map((name) => [name, pull * ((weights[name] ?? 0) - (prior[name] ?? 0))])
    )
    slopes(weights, (features, error) => {
      for (const name of names) slope[name] = (slope[name] ?? 0) + error * (features[name] ?? 0)
    })
    for (const name of names) {
      const value = slope[name] ?? 0
      mean[name] = 0.9 * (mean[name] ?? 0) + 0.1 * value
      square[name] = 0.999 * (square[name] ?? 0) + 0.001 * value * value
      const unbiased = mean[name] / (1 - 0.9 ** step)
      weights[name] =
        (weights[name] ?? 0) - (step_size * unbiased) / (Math.sqrt(square[name] / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, Math.round(weight * 100) / 100]))
}

const write = (vectors: Record<string, Vector>) => {
  const text = Object.entries(vectors).reduce(
    (file, [name, vector]) => {
      const body = Object.entries(vector)
        .map(([feature, weight]) => `  ${feature}: ${weight}`)
        .join(",\n")
      return file.replace(new RegExp(`(export const ${name}(?:: [^=]*)? = )\\{[^}]*\\}`), `$1{\n${body}\n}`)
    },
    readFileSync(weights_file, "utf8")
  )
  writeFileSync(weights_file, text)
  execFileSync("oxfmt", ["--write", weights_file])
}

/** Runs another stage in a new process, which loads the weights that were just written. */
const then = (next: string) =>
  execFileSync(process.execPath, [import.meta.filename, folder, engine, next], { stdio: "inherit" })

if (stage === "calibrators") write(await calibrators())
else if (stage === "vendor calibrator") write(vendorCalibrator())
else if (stage === "vendors") {
  write(vendorRanker())
  then("vendor calibrator")
} else {
  write(rankers())
  then("calibrators")
  then("vendors")
}
