/**
 * `node scripts/bench/ocr/fit.ts` fits the extractor's weights and writes them. The rankers are fitted on one range of
 * seeds, then the calibrators on another; the reported figures come from a third. The same seeds give the same figures.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { issueDateCandidates } from "../../../src/expenses/receipts/fields/IssueDates.ts"
import {
  evidenceOf,
  chooseAmount,
  chooseDate,
  chooseVendor
} from "../../../src/expenses/receipts/extraction/FieldChoice.ts"
import { ranked, logistic, scoreOf } from "../../../src/expenses/receipts/fields/Ranking.ts"
import { totalCandidates } from "../../../src/expenses/receipts/fields/Totals.ts"
import { vendorCandidates } from "../../../src/expenses/receipts/fields/Vendors.ts"
import * as priors from "./Priors.ts"
import { samples } from "./Samples.ts"

type Vector = Record<string, number>
interface Instance {
  readonly candidates: ReadonlyArray<{ readonly features: Vector }>
  /** Index of the right one; -1 if none is. */
  readonly right: number
}
interface Case {
  readonly features: Vector
  readonly isRight: boolean
}

const weights_file = "src/expenses/receipts/fields/Weights.ts"
const ranking_seeds = { from: 1, count: 1_600 }
const calibration_seeds = { from: 200_001, count: 2_000 }
/** Strength with which a weight is pulled to its prior; high, because generated receipts are not real ones. */
const ranking_pull = 2
const calibration_pull = 12
const steps_max = 250
const step_size = 0.04

const own_names = ["Atelier Lumière SRL"]

const rankers = () => {
  const all = samples(ranking_seeds).map((sample) => ({
    ...sample,
    evidence: evidenceOf(sample.reading, sample.hints)
  }))
  return {
    totalWeights: fitRanker(
      all.map(({ evidence, truth }) => {
        const list = totalCandidates(evidence.scan, evidence.arithmetic, evidence.rates)
        return where(
          list,
          list.findIndex(({ units }) => (units / 100).toFixed(2) === truth.amount)
        )
      }),
      priors.totalWeights
    ),
    dateWeights: fitRanker(
      all.map(({ evidence, hints, truth }) => {
        const list = issueDateCandidates(evidence.scan, hints.today)
        return where(
          list,
          list.findIndex(({ day }) => day === truth.date)
        )
      }),
      priors.dateWeights
    ),
    vendorWeights: fitRanker(
      all.map(({ evidence, truth }) => {
        const list = vendorCandidates(evidence.scan, own_names)
        return where(
          list,
          list.findIndex(({ name }) => name.toLowerCase() === truth.vendor.toLowerCase())
        )
      }),
      priors.vendorWeights
    )
  }
}

const where = (list: ReadonlyArray<{ readonly features: object }>, right: number): Instance => ({
  candidates: list.map(({ features }) => ({ features: { ...features } as Vector })),
  right
})

const calibrators = () => {
  const judged = samples(calibration_seeds).map((sample) => {
    const evidence = evidenceOf(sample.reading, sample.hints)
    return {
      ...sample,
      amount: chooseAmount(evidence),
      date: chooseDate(evidence, sample.hints.today),
      vendor: chooseVendor(evidence, own_names)
    }
  })
  const ocr = judged.filter(({ reading }) => reading.source === "ocr")
  const text = judged.filter(({ reading }) => reading.source === "text_layer")
  const amounts = (list: typeof judged) =>
    list.flatMap(({ amount, truth }): ReadonlyArray<Case> =>
      amount === undefined
        ? []
        : [{ features: { ...amount.reasons }, isRight: (amount.best.units / 100).toFixed(2) === truth.amount }]
    )
  const dates = (list: typeof judged) =>
    list.flatMap(({ date, truth }): ReadonlyArray<Case> =>
      date === undefined ? [] : [{ features: { ...date.reasons }, isRight: date.best.day === truth.date }]
    )
  return {
    amountConfidence: fitCalibrator(amounts(ocr), priors.amountConfidence),
    amountConfidenceInText: fitCalibrator(amounts(text), priors.amountConfidenceInText),
    dateConfidence: fitCalibrator(dates(ocr), priors.dateConfidence),
    dateConfidenceInText: fitCalibrator(dates(text), priors.dateConfidenceInText),
    vendorConfidence: fitCalibrator(
      judged.flatMap(({ truth, vendor }) =>
        vendor === undefined
          ? []
          : [
              {
                features: { ...vendor.reasons } as Vector,
                isRight: vendor.best.name.toLowerCase() === truth.vendor.toLowerCase()
              }
            ]
      ),
      priors.vendorConfidence
    )
  }
}

const fitRanker = (instances: ReadonlyArray<Instance>, prior: Vector): Vector =>
  descend(prior, ranking_pull, (weights, add) => {
    for (const { candidates, right } of instances) {
      const probabilities = new Map(
        ranked(candidates, weights).map(({ candidate, probability }) => [candidate, probability])
      )
      for (const [index, candidate] of candidates.entries()) {
        add(candidate.features, (probabilities.get(candidate) ?? 0) - Number(index === right))
      }
    }
  })

const fitCalibrator = (cases: ReadonlyArray<Case>, prior: Vector): Vector =>
  descend(prior, calibration_pull, (weights, add) => {
    for (const { features, isRight } of cases) add(features, logistic(scoreOf(features, weights)) - Number(isRight))
  })

/** Runs Adam over all instances at once, so that neither order nor chance matters. */
const descend = (
  prior: Vector,
  pull: number,
  slopes: (weights: Vector, add: (features: Vector, error: number) => void) => void
): Vector => {
  const names = Object.keys(prior)
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
  return Object.fromEntries(names.map((name) => [name, Math.round((weights[name] ?? 0) * 100) / 100]))
}

/** Replaces the vectors of these names in the weights file. */
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

if (process.argv[2] === "calibrators") write(calibrators())
else {
  write(rankers())
  // A new process loads the weights that were just written.
  execFileSync(process.execPath, [import.meta.filename, "calibrators"], { stdio: "inherit" })
}
