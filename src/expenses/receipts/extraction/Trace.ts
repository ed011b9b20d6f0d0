import { Struct } from "effect"
import { cut } from "../../../kernel/Text.ts"
import type { Box, Reading } from "../../../platform/ocr/engines/Reading.ts"
import { decimalsOf } from "../fields/Currencies.ts"
import { vendorKeysOf } from "../memory/VendorKeys.ts"
import type { ReadingTrace } from "../records/ReadingTrace.ts"
import { decimalText, inDecimals } from "../scan/Amounts.ts"
import { folded } from "../scan/Keywords.ts"
import { boxOf, type Row } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import type { ChosenFields } from "./ChosenFields.ts"
import type { Hints } from "./Hints.ts"

const figures_max = 60
const label_characters_max = 40

/** Lists what later readings of the vendor's receipts can use, and the places of the chosen values. */
export const traceOf = (reading: Reading, scan: Scan, chosen: ChosenFields, { own_names }: Hints): ReadingTrace => ({
  vendor_keys: vendorKeysOf(
    scan.rows.map(({ text }) => text),
    [chosen.vendor?.best, ...(chosen.vendor?.others ?? []).map(({ candidate }) => candidate)].flatMap(
      (one) => one?.name ?? []
    ),
    own_names
  ),
  figures: figuresOf(scan, decimalsOf(chosen.extraction.fields.currency ?? "")),
  pages: pagesOf(reading),
  places: placesOf(chosen)
})

/** The pages of an electronic invoice are not read, so only the vendor's name can identify the vendor later. */
export const embeddedTrace = (reading: Reading, vendor: string | undefined): ReadingTrace => ({
  vendor_keys: vendorKeysOf([], vendor === undefined ? [] : [vendor], []),
  figures: [],
  pages: pagesOf(reading),
  places: []
})

const pagesOf = ({ pages }: Reading) => pages.map(({ height, quarters = 0, width }) => ({ width, height, quarters }))

const figuresOf = ({ amounts, exponent }: Scan, decimals: number): ReadingTrace["figures"] => {
  const figures = amounts
    .filter(({ hasDecimals, isJoined, isUnitPrice }) => (hasDecimals || exponent === 0) && !isJoined && !isUnitPrice)
    .map(({ from, row, units }) => ({
      label: labelOf(row, from),
      amount: decimalText(inDecimals(units, exponent, decimals), decimals)
    }))
  const unique = new Map(figures.map((figure) => [`${figure.label} ${figure.amount}`, figure]))
  return [...unique.values()].slice(-figures_max)
}

const labelOf = ({ words }: Row, end: number): string => {
  const before = words.slice(0, end).map(({ text }) => text)
  const label = folded(before.join(" ")).replace(/[^\p{L}]+/gu, " ")
  return cut(label.trim(), label_characters_max)
}

const placesOf = ({ amount, date, vendor }: ChosenFields): ReadingTrace["places"] => {
  const [money] = amount?.best.amounts ?? []
  const [day] = date?.best.dates ?? []
  const name = vendor?.best.row
  return [
    ...(money === undefined ? [] : [placeOf("amount", money.row.page, money)]),
    ...(day === undefined
      ? []
      : [placeOf("expense_date", day.row.page, boxOf(day.row.words.slice(day.from, day.to + 1)))]),
    ...(name === undefined ? [] : [placeOf("vendor", name.page, boxOf(name.words))])
  ]
}

const placeOf = (field: ReadingTrace["places"][number]["field"], page: number, box: Box) => ({
  field,
  page,
  ...Struct.pick(box, ["x0", "y0", "x1", "y1"])
})
