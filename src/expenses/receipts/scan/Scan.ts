import type { Reading } from "../../../platform/ocr/Reading.ts"
import { markOf, type Money, numbersIn, type Percentage } from "./Amounts.ts"
import { type DateCandidate, type DateOrder, datesIn } from "./Dates.ts"
import type { Concept } from "./Keywords.ts"
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
  const read = rows.map((row, index) => {
    const dates = datesIn(row, order)
    const skip = new Set(
      dates.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step))
    )
    const { amounts, percentages } = numbersIn(row, exponent, skip)
    const above = rows[index - 1]
    const labelled = amounts.map((money) => ({ ...money, concepts: conceptsOf(money, amounts, above) }))
    return { dates, percentages, amounts: labelled.filter(isMoney) }
  })
  return {
    rows,
    amounts: read.flatMap(({ amounts }) => amounts),
    percentages: read.flatMap(({ percentages }) => percentages),
    dates: read.flatMap(({ dates }) => dates),
    passes: Math.max(0, ...reading.pages.map((page) => page.passes.length)),
    exponent
  }
}

/** A bare integer is a quantity, a table or a part of an address unless its row says otherwise or names a currency. */
const isMoney = ({ concepts, hasDecimals, mark, row }: LabelledMoney) =>
  hasDecimals ||
  mark !== undefined ||
  (row.words.length <= 4 && row.labels.some(({ concept }) => payable.has(concept) && concepts.has(concept)))

const payable: ReadonlySet<Concept> = new Set(["due", "total", "cash", "paid"])

/** The labels between the amount before it and itself, else those left of it, else right of it, else those above. */
const conceptsOf = (money: Money, others: ReadonlyArray<Money>, above: Row | undefined): ReadonlySet<Concept> => {
  const { labels, words } = money.row
  const start = Math.max(
    -1,
    ...others.filter((other) => other.to < money.from && !other.isJoined).map((other) => other.to)
  )
  const left = labels.filter((label) => label.to <= money.from)
  const own = left.filter((label) => label.from > start)
  const near = own.length > 0 ? own : left.length > 0 ? left : labels
  const speaks = near.length > 0 || words.some((word) => /\p{L}{3}/u.test(word.text) && markOf(word.text) === undefined)
  const isBelow = above !== undefined && above.page === money.row.page && above.pass === money.row.pass
  const from = speaks || !isBelow ? near : above.labels
  return new Set(from.map((label) => label.concept))
}
