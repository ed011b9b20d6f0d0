import type { Reading } from "../../../platform/ocr/engines/Reading.ts"
import { type AmountForm, type Money, numbersIn, type Percentage } from "./Amounts.ts"
import { markOf } from "./CurrencyMarks.ts"
import { type DateCandidate, type DateOrder, datesIn } from "./Dates.ts"
import type { Concept, Label } from "./Keywords.ts"
import type { Row } from "./Rows.ts"

export interface LabelledMoney extends Money {
  readonly concepts: ReadonlySet<Concept>
}

/** Everything that was found on a receipt before the values are chosen. */
export interface Scan {
  readonly rows: ReadonlyArray<Row>
  /** The rows of each further reading of the top of the first page; empty before the first such reading. */
  readonly heads: ReadonlyArray<ReadonlyArray<Row>>
  readonly amounts: ReadonlyArray<LabelledMoney>
  /** True if a total was left out, because it is larger than the amounts of the currency's receipts. */
  readonly isCutOff: boolean
  readonly percentages: ReadonlyArray<Percentage>
  readonly dates: ReadonlyArray<DateCandidate>
  readonly passes: number
  readonly exponent: number
}

export const scanOf = (reading: Reading, rows: ReadonlyArray<Row>, form: AmountForm, order: DateOrder): Scan => {
  const read = rows.map((row) => {
    const dates = datesIn(row, order)
    const skip = new Set(
      dates.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step))
    )
    return { row, dates, ...numbersIn(row, form, skip) }
  })
  return {
    rows,
    heads: [],
    amounts: withoutMeasures(labelled(read).filter(isMoney)),
    isCutOff: labelled(read.map(({ oversized, row }) => ({ row, amounts: oversized }))).some(isLargeTotal),
    percentages: read.flatMap(({ percentages }) => percentages),
    dates: read.flatMap(({ dates }) => dates),
    passes: Math.max(0, ...reading.pages.map((page) => page.passes.length)),
    exponent: form.exponent
  }
}

interface ReadRow {
  readonly row: Row
  readonly amounts: ReadonlyArray<Money>
}

/**
 * Amounts alone in a row take the labels of the row above, unless that row has its own amounts or its labels are taken.
 * In that case, a single amount takes the labels of the row below, because crumpled paper can move a label under its
 * amount.
 */
const labelled = (rows: ReadonlyArray<ReadRow>): ReadonlyArray<LabelledMoney> => {
  const taken = new Set<Row>()
  const free = (row: Row, neighbour: ReadRow | undefined) =>
    neighbour !== undefined &&
    neighbour.row.page === row.page &&
    neighbour.row.pass === row.pass &&
    neighbour.row.labels.length > 0 &&
    !neighbour.amounts.some(({ hasDecimals }) => hasDecimals) &&
    !taken.has(neighbour.row)
      ? neighbour.row
      : undefined
  return rows.flatMap(({ amounts, row }, index) => {
    if (amounts.length === 0 || speaks(row)) {
      return amounts.map((money) => ({ ...money, concepts: conceptsOf(ownLabels(money, amounts)) }))
    }
    const lender = free(row, rows[index - 1]) ?? (amounts.length === 1 ? free(row, rows[index + 1]) : undefined)
    if (lender !== undefined) taken.add(lender)
    return amounts.map((money) => ({ ...money, concepts: conceptsOf(lender?.labels ?? []) }))
  })
}

const speaks = ({ labels, words }: Row) =>
  labels.length > 0 || words.some((word) => /\p{L}{3}/u.test(word.text) && markOf(word.text) === undefined)

/** "Total incl. VAT" and "Total excl. VAT" label a total, but "VAT included in total" labels a tax. */
const conceptsOf = (labels: ReadonlyArray<Label>): ReadonlySet<Concept> => {
  const concepts = new Set(labels.map(({ concept }) => concept))
  const isTotal = concepts.has("total") || concepts.has("due")
  if (!isTotal || !concepts.has("tax") || !(concepts.has("inclusive") || concepts.has("subtotal"))) return concepts
  const [first] = labels.toSorted((a, b) => a.from - b.from)
  const last = labels.findLast(({ concept }) => concept !== "inclusive" && concept !== "tax")
  if (first?.concept === "tax" && last?.concept === "total" && concepts.has("inclusive")) concepts.delete("total")
  else concepts.delete("tax")
  return concepts
}

/** Prefers labels between the previous amount and this one, then labels to its left, then those to its right. */
const ownLabels = (money: Money, others: ReadonlyArray<Money>): ReadonlyArray<Label> => {
  const before = others.filter((other) => other.to < money.from && !other.isJoined).map((other) => other.to)
  const left = money.row.labels.filter((label) => label.to <= money.from)
  const own = left.filter((label) => label.from > Math.max(-1, ...before))
  if (own.length > 0) return own
  return left.length > 0 ? left : money.row.labels
}

/** A number without decimals needs a currency or a label in its row; otherwise it may be a quantity. */
const isMoney = ({ concepts, hasDecimals, mark, row }: LabelledMoney) =>
  hasDecimals ||
  mark !== undefined ||
  (row.words.length <= 4 && row.labels.some(({ concept }) => payable.has(concept) && concepts.has(concept)))

/**
 * True for a number with groups or decimals beside the label of a total. Most other large numbers are not paid: they
 * identify a record, or state the share capital of a company in the footer of its invoice.
 */
const isLargeTotal = (money: LabelledMoney) => {
  const words = money.row.words.slice(money.from, money.to + 1)
  const isGrouped = /\d[.,'’ ]\d{3}(?!\d)/.test(words.map(({ text }) => text).join(" "))
  const hasDecimals = isGrouped && money.hasDecimals
  const isTotal = money.concepts.has("due") || money.concepts.has("total")
  return isTotal && (isGrouped || money.hasDecimals) && isMoney({ ...money, hasDecimals })
}

/** Drops quantities: in "9.505 L ... $19.00" the point is the decimal sign, so 9.505 is litres, not thousands. */
const withoutMeasures = (amounts: ReadonlyArray<LabelledMoney>): ReadonlyArray<LabelledMoney> => {
  const decimal = new Set(amounts.filter(({ hasDecimals }) => hasDecimals).map((money) => signOf(money)))
  return decimal.size !== 1
    ? amounts
    : amounts.filter((money) => money.hasDecimals || money.from !== money.to || !decimal.has(signOf(money)))
}

const signOf = ({ row, to }: LabelledMoney) => /[.,](?=\d+\D*$)/.exec(row.words[to]?.text ?? "")?.[0]

const payable: ReadonlySet<Concept> = new Set(["due", "total", "cash", "paid"])
