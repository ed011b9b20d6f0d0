import type { Box, Reading, ScannedPage } from "../../../platform/ocr/engines/Reading.ts"
import { invoiceNumberOf } from "../fields/References.ts"
import { vendorKeysOf } from "../memory/VendorKeys.ts"
import { folded, lettersOf } from "../scan/Keywords.ts"
import { boxOf, median } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import { chooseAmount, chooseDate, evidenceOf } from "./FieldChoice.ts"
import type { Hints } from "./Hints.ts"

/** Number of equal columns of a page. Two receipts side by side may meet at the boundary of any two columns. */
const columns = 24
/** Maximum number of gaps between lines at which a page is divided; the widest ones are tried. */
const gaps_max = 4
/** Minimum share of the lines in each part. */
const part_share_min = 0.2
/** Maximum share of lines that cross the boundary between two columns at which a page is divided. */
const crossing_share_max = 0.03
const lines_min = 5
/** Minimum distance of the lines on both sides of a gap between two receipts, in heights of a line. */
const gap_min = 2.2

/** Words in the title of a page that explains an invoice with another one. */
const specimen = /\b(?:specimen|sample|musterrechnung|beispiel\w*|exemple|voorbeeld\w*|esempio|ejemplo)\b/
/** Maximum number of words of such a title; a longer row is a sentence, e.g. with "for example". */
const title_words_max = 4

/**
 * True if a document can be divided into two parts that each have a date and a labelled total, and these differ. A tax
 * table has no date, and the slip of a card terminal repeats the date and the total, so neither counts. Undefined if the
 * document is a single page of text, because its columns and blocks are not told apart.
 */
export const showsTwoReceipts = (reading: Reading, hints: Hints): boolean | undefined => {
  if (reading.source === "ocr")
    return divisions(reading).some((parts) => {
      const [one, other] = parts.map((pages) => receiptIn({ ...reading, pages }, hints))
      return one !== undefined && other !== undefined && (one.units !== other.units || one.day !== other.day)
    })
  return reading.pages.length > 1 ? textShowsTwo(reading, hints) : undefined
}

const receiptIn = (reading: Reading, hints: Hints) => {
  const evidence = evidenceOf(reading, hints)
  const amount = chooseAmount(evidence)
  const date = chooseDate(evidence, hints.today)
  return amount?.best.features.total === 1 && date !== undefined
    ? { units: amount.best.units, day: date.best.day }
    : undefined
}

/** Successive pages that belong to one invoice, with its numbers. */
interface Part {
  readonly pages: Pages
  readonly number: string | undefined
  /** Tax numbers of the seller. */
  readonly sellers: ReadonlySet<string>
}

/**
 * The pages of an invoice repeat its date, and may show subtotals and details with totals. So only a page with another
 * invoice number or with other tax numbers begins a new part.
 */
const textShowsTwo = (reading: Reading, hints: Hints): boolean => {
  const receipts = partsOf(reading, hints).flatMap((part) => {
    const receipt = receiptIn({ ...reading, pages: part.pages }, hints)
    return receipt === undefined ? [] : [{ ...receipt, part }]
  })
  const differ = (one: (typeof receipts)[number], other: (typeof receipts)[number]) =>
    one.units !== other.units || one.day !== other.day || haveOtherNumbers(one.part, other.part)
  return receipts.some((one, at) => receipts.slice(at + 1).some((other) => differ(one, other)))
}

const partsOf = (reading: Reading, hints: Hints): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (const page of reading.pages) {
    const { scan } = evidenceOf({ ...reading, pages: [page] }, hints)
    const texts = scan.rows.map(({ text }) => text)
    if (isSpecimen(scan)) continue
    const taxKeys = vendorKeysOf(texts, [], hints.own_names).filter((key) => key.startsWith("tax:"))
    const next = { pages: [page], number: invoiceNumberOf(scan), sellers: new Set(taxKeys) }
    const current = parts.at(-1)
    if (current === undefined || isOther(current, next)) parts.push(next)
    else
      parts.splice(-1, 1, {
        pages: [...current.pages, page],
        number: current.number ?? next.number,
        sellers: new Set([...current.sellers, ...next.sellers])
      })
  }
  return parts
}

/** The row of an item, such as a "sample pack", has an amount, so it is no title. */
const isSpecimen = ({ amounts, rows }: Scan): boolean =>
  rows.some(
    (row) =>
      row.words.length <= title_words_max &&
      specimen.test(folded(row.text)) &&
      !amounts.some((money) => money.row === row)
  )

const isOther = (one: Part, other: Part): boolean =>
  haveOtherNumbers(one, other) ||
  (one.sellers.size > 0 && other.sellers.size > 0 && ![...one.sellers].some((seller) => other.sellers.has(seller)))

const haveOtherNumbers = (one: Part, other: Part): boolean =>
  one.number !== undefined && other.number !== undefined && lettersOf(one.number) !== lettersOf(other.number)

type Pages = ReadonlyArray<ScannedPage>

const divisions = ({ pages }: Reading): ReadonlyArray<readonly [Pages, Pages]> => [
  ...pages.slice(1).map((_, index) => [pages.slice(0, index + 1), pages.slice(index + 1)] as const),
  ...pages.flatMap((page) => [...sideBySide(page), ...stacked(page)].map(([one, other]) => [[one], [other]] as const))
]

const sideBySide = (page: ScannedPage) => {
  const lines = linesOf(page)
  const left = Math.min(...lines.map(({ x0 }) => x0))
  const width = Math.max(...lines.map(({ x1 }) => x1)) - left
  return Array.from({ length: columns - 1 }, (_, index) => left + (width * (index + 1)) / columns)
    .filter((x) => lines.filter(({ x0, x1 }) => x0 < x && x < x1).length <= crossing_share_max * lines.length)
    .flatMap((x) => divided(page, (box) => box.x0 + box.x1 < 2 * x))
}

const stacked = (page: ScannedPage) => {
  const lines = linesOf(page)
  const height = median(lines.map(({ y0, y1 }) => y1 - y0))
  const middles = lines.map(middle).toSorted((a, b) => a - b)
  return middles
    .slice(1)
    .map((y, index) => ({ y, gap: y - (middles[index] ?? y) }))
    .filter(({ gap }) => gap > gap_min * height)
    .toSorted((a, b) => b.gap - a.gap)
    .slice(0, gaps_max)
    .flatMap(({ y }) => divided(page, (box) => middle(box) < y))
}

/** Divides a page; returns nothing if one part is too small for a receipt. */
const divided = (page: ScannedPage, isFirst: (box: Box) => boolean) => {
  const part = (of: (box: Box) => boolean): ScannedPage => ({
    ...page,
    passes: page.passes.map((pass) => ({ ...pass, lines: pass.lines.filter(({ words }) => of(boxOf(words))) }))
  })
  const parts = [part(isFirst), part((box) => !isFirst(box))] as const
  const least = Math.max(lines_min, part_share_min * linesOf(page).length)
  return parts.every((one) => linesOf(one).length >= least) ? [parts] : []
}

/** Lines of amounts are left out, because a column of amounts is not a receipt. */
const linesOf = ({ passes }: ScannedPage): ReadonlyArray<Box> =>
  (passes[0]?.lines ?? []).flatMap(({ words }) =>
    words.some(({ text }) => /\p{L}{3}/u.test(text)) ? [boxOf(words)] : []
  )

const middle = ({ y0, y1 }: Box) => (y0 + y1) / 2
