import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Hints } from "../../../src/expenses/receipts/extraction/Hints.ts"
import type { Again } from "../../../src/platform/ocr/engines/Reading.ts"
import type { Words } from "./ReadingChild.ts"
import { type Extracted, verdicts } from "./Score.ts"

type Truth = Parameters<typeof verdicts>[1]

/** Content of the JSON file that belongs to the image of a receipt: the fields that a person read on the image. */
interface Label {
  readonly country: string
  readonly currency: string
  readonly language: string
  readonly truth: Partial<Truth>
}

export interface RealReceipt {
  readonly name: string
  readonly path: string
  readonly country: string
  readonly hints: Hints
  readonly truth: Truth
}

const month_ms = 30 * 86_400_000

/** The receipt counts as uploaded a month after its date, because the extraction prefers dates of a plausible age. */
const uploadDay = (day: string | undefined): string =>
  new Date((day === undefined ? Date.now() : Date.parse(day)) + month_ms).toISOString().slice(0, 10)

/** Lists images whose name begins with one of the digits. Names are SHA-256 hashes, so digits select a random part. */
export const realReceipts = (folder: string, digits: string): ReadonlyArray<RealReceipt> =>
  readdirSync(folder)
    .filter((name) => /\.(?:jpe?g|png)$/.test(name) && digits.includes(name.slice(0, 1)))
    .toSorted()
    .map((name) => {
      const label: Label = JSON.parse(readFileSync(join(folder, name.replace(/\.[^.]+$/, ".json")), "utf8"))
      const { country, currency, language, truth } = label
      const hints = { country, currency, language, today: uploadDay(truth.expense_date), own_names: [] }
      // In the labels of all countries except Malaysia and Germany, a blank in the vendor separates two rows of the
      // receipt.
      const rows = country === "MY" || country === "DE" ? truth.vendor : truth.vendor?.replaceAll(" ", "\n")
      // The labels come from public data sets. They have few fields, and never the rows of the tax table.
      const all = { tax_rates: [], ...truth, ...(rows === undefined ? {} : { vendor: rows }) } as Truth
      return { name, path: join(folder, name), country, hints, truth: all }
    })

export const wordsFile = (folder: string, engine: string, { name }: RealReceipt) => join(folder, engine, `${name}.json`)

/** The words of an earlier reading; undefined if the image was not read yet. */
export const knownWords = (file: string): Words | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined

/**
 * Replaces the reader when the extraction asks to read a part of the image again: returns the texts of the stored
 * reading.
 */
export const againOf = ({ crops, heads = [] }: Words): Again => ({
  reread: (page, box) => {
    const asked = JSON.stringify([page, box])
    return Promise.resolve(crops.find((crop) => JSON.stringify([crop.page, crop.box]) === asked)?.texts ?? [])
  },
  readHead: () => Promise.resolve(heads)
})

/**
 * Some labels state the total before cash rounding. An expense is the amount paid, so the rounded amount is right, too.
 */
export const verdictsOf = ({ truth }: RealReceipt, { fields, status }: Extracted) => {
  const [found, label] = [fields.amount, truth.amount].map((amount) => Math.round(100 * Number(amount)))
  const isPaid = found !== undefined && label !== undefined && found === 5 * Math.round(label / 5)
  return verdicts({ fields, status }, isPaid ? { ...truth, amount: fields.amount ?? truth.amount } : truth)
}

/** Tells whether a value is right; undefined if the label does not state the field. */
export const judgeOf =
  (receipt: RealReceipt) =>
  (fields: Extracted["fields"]): boolean | undefined => {
    const found = verdictsOf(receipt, { status: "done", fields })
    const [verdict] = [found.amount, found.expense_date, found.vendor].filter(
      (one) => one === "right" || one === "wrong"
    )
    return verdict === undefined ? undefined : verdict === "right"
  }
