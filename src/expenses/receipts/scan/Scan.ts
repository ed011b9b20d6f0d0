import type { Reading } from "../../../platform/ocr/Reading.ts"
import { type Money, numbersIn, type Percentage } from "./Amounts.ts"
import { markOf } from "./CurrencyMarks.ts"
import { type DateCandidate, type DateOrder, datesIn } from "./Dates.ts"
import type { Concept, Label } from "./Keywords.ts"
import type { Row } from "./Rows.ts"

/** An amount with the keywords that stand for it. */
export interface LabelledMoney extends Money {
  readonly concepts: ReadonlySet<Concept>
}

/** Everything that was found on a receipt before anything is concluded. */
export interface Scan {
  readonly rows: ReadonlyArray<Row>
  readonly amounts: ReadonlyArray<LabelledMoney>
  readonly percentages: ReadonlyArray<Percentage>
  readonly dates: ReadonlyArray<DateCandidate>
  readonly passes: number
  readonly exponent: number
}

export const scanOf = (reading: Reading, rows: ReadonlyArray<Row>, exponent: number, order: DateOrder): Scan => {
  const read = rows.map((row) => {
    const dates = datesIn(row, order)
    const skip = new Set(
      dates.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step))
    )
    return { row, dates, ...numbersIn(row, exponent, skip) }
  })
  return {
    rows,
    amounts: labelled(read).filter(isMoney),
    percentages: read.flatMap(({ percentages }) => percentages),
    dates: read.flatMap(({ dates }) => dates),
    passes: Math.max(0, ...reading.pages.map((page) => page.passes.length)),
    exponent
  }
}

interface ReadRow {
  readonly row: Row
  readonly amounts: ReadonlyArray<Money>
}

/**
 * Gives amounts their labels. A row of amounts alone takes those of the row above, or, where those have an amount of
 * their own, one amount takes those of the row below: on crumpled paper a label slips under its amount. Each row of
 * labels is taken once.
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

const conceptsOf = (labels: ReadonlyArray<Label>) => new Set(labels.map(({ concept }) => concept))

/** The labels between the amount before it and itself, else those left of it, else right of it. */
const ownLabels = (money: Money, others: ReadonlyArray<Money>): ReadonlyArray<Label> => {
  const before = others.filter((other) => other.to < money.from && !other.isJoined).map((other) => other.to)
  const left = money.row.labels.filter((label) => label.to <= money.from)
  const own = left.filter((label) => label.from > Math.max(-1, ...before))
  if (own.length > 0) return own
  return left.length > 0 ? left : money.row.labels
}

/** A bare integer is a quantity, a table or a part of an address unless its row says otherwise or names a currency. */
const isMoney = ({ concepts, hasDecimals, mark, row }: LabelledMoney) =>
  hasDecimals ||
  mark !== undefined ||
  (row.words.length <= 4 && row.labels.some(({ concept }) => payable.has(concept) && concepts.has(concept)))

const payable: ReadonlySet<Concept> = new Set(["due", "total", "cash", "paid"])
