import type { Box, Reread, Word } from "../../../platform/ocr/engines/Reading.ts"
import { parseAmount } from "../scan/Amounts.ts"
import { datesIn } from "../scan/Dates.ts"
import { boxOf } from "../scan/Rows.ts"
import { type ChosenFields, review_threshold } from "./ChosenFields.ts"
import type { Evidence, Recheck, Rechecks } from "./FieldChoice.ts"

/** Minimum confidence at which a second reading of the same place can help. */
const confidence_min = 0.3
/** Margin around the part that is read again, as a share of its height: letters at the edge are misread. */
const margin = 0.35
const characters_max = 200

/**
 * Reads doubtful fields again, and also a date that is printed only once, because no sum would reveal its misreading.
 */
export const recheckFields = (
  { scan }: Evidence,
  { amount, date, vendor }: ChosenFields,
  reread: Reread
): Promise<Rechecks> => {
  const recheck = (page: number, box: Box, says: (text: string) => boolean | undefined): Promise<Recheck> =>
    reread(page, widened(box)).then((texts) => recheckOf(texts.map((text) => says(text.slice(0, characters_max)))))
  const money = amount?.best.amounts.toSorted((a, b) => b.confidence - a.confidence)[0]
  const shown = date?.best.dates.toSorted((a, b) => b.confidence - a.confidence)[0]
  const amountRecheck =
    amount !== undefined && money !== undefined && (isOpen(amount.confidence) || !amount.isConfirmed)
      ? recheck(money.row.page, money, (text) => saysAmount(text, scan.exponent, amount.best.units))
      : Promise.resolve(undefined)
  const dateRecheck =
    date !== undefined && shown !== undefined && date.confidence >= confidence_min && !date.isConfirmed
      ? recheck(shown.row.page, boxOf(shown.row.words.slice(shown.from, shown.to + 1)), (text) =>
          saysDate(text, date.best.day)
        )
      : Promise.resolve(undefined)
  const named = vendor?.best.row
  const vendorRecheck =
    named !== undefined && scan.passes === 1
      ? reread(named.page, widened(boxOf(named.words)))
      : Promise.resolve<ReadonlyArray<string>>([])
  return Promise.all([amountRecheck, dateRecheck, vendorRecheck]).then(([amountFound, dateFound, vendorTexts]) => ({
    ...(amountFound === undefined ? {} : { amount: amountFound }),
    ...(dateFound === undefined ? {} : { date: dateFound }),
    vendorTexts
  }))
}

const isOpen = (confidence: number) => confidence >= confidence_min && confidence < review_threshold

const recheckOf = (said: ReadonlyArray<boolean | undefined>): Recheck => {
  const answers = said.filter((answer) => answer !== undefined)
  const agreeing = answers.filter((answer) => answer).length
  return {
    agrees: said.length > 0 && agreeing === said.length ? 1 : agreeing / Math.max(1, 2 * said.length),
    differs: answers.length > 0 && agreeing === 0 ? 1 : 0
  }
}

const saysAmount = (text: string, exponent: number, units: number): boolean | undefined => {
  const words = text.split(/\s+/).filter((word) => word !== "")
  const candidates = [...words, words.join("")]
  const read = candidates
    .flatMap((word) => parseAmount(word, exponent) ?? [])
    .filter(({ hasDecimals }) => hasDecimals || exponent === 0)
  return read.length === 0 ? undefined : read.some((amount) => Math.abs(amount.units) === units)
}

const saysDate = (text: string, day: string): boolean | undefined => {
  const words = text.split(/\s+/).map((word): Word => ({ text: word, x0: 0, y0: 0, x1: 0, y1: 0, confidence: 1 }))
  const row = {
    page: 0,
    pass: 0,
    words,
    text: words.map((word) => word.text).join(" "),
    labels: [],
    position: 0,
    height: 0,
    confidence: 1
  }
  const days = datesIn(row, "unknown").map((date) => date.day)
  return days.length === 0 ? undefined : days.includes(day)
}

const widened = ({ x0, x1, y0, y1 }: Box): Box => {
  const edge = margin * (y1 - y0)
  return { x0: Math.max(0, x0 - edge), y0: Math.max(0, y0 - edge), x1: x1 + edge, y1: y1 + edge }
}
