import { type Concept, folded, type Label, lettersOf } from "../scan/Keywords.ts"
import { merchantIn } from "../scan/Merchants.ts"
import { boxOf, heightOf, median, type Row } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import { onlyTrade, phrase, place, townWithState, trade } from "../scan/VendorWords.ts"
import { introduction, legalForm, lettersForZeros, nameOf, onlyLegalForm, registration } from "../scan/VendorNames.ts"
import type { Features } from "./Ranking.ts"
import type { VendorFeature } from "./Weights.ts"

export interface VendorCandidate {
  readonly name: string
  readonly letters: string
  readonly row: Row
  readonly features: Features<VendorFeature>
}

const rows_max = 16
const characters_max = 80
const letters_min = 3
/**
 * A name that contains the organization's name is not the vendor's. An organization's name with fewer letters than this
 * is not looked for in other names, because it may be in them by chance.
 */
const own_part_min = 5
/** Maximum number of candidates per recognition pass. */
const candidates_max = 80
const customer_rows = 3
/** Minimum height of large letters, as a multiple of the median height of the receipt's rows. */
const large_type_min = 1.35

const contact = /(?:https?:|www\.|@|\btel|\bfax|\bphone|\d{4,}[-/ ]?\d{3,})/i
const domain =
  /(?:www\.|@|https?:\/\/(?:www\.)?)([a-z0-9-]{3,40})\.(?:com|eu|de|fr|nl|be|es|it|at|ch|lu|net|org|co|uk|ie|shop|store)\b/gi

/** A possible vendor name near the top of a receipt: the text of one row's column, or of two or three joined rows. */
interface Head {
  readonly name: string
  readonly letters: string
  readonly row: Row
  readonly index: number
  readonly isFirstColumn: boolean
  readonly words: number
  readonly labels: ReadonlyArray<Label>
  readonly joined: ReadonlyArray<Row>
}

/** Names at the top of the first page and rows with a legal form, except the organization's own names. */
export const vendorCandidates = (scan: Scan, ownNames: ReadonlyArray<string>): ReadonlyArray<VendorCandidate> => {
  const own = ownNames.map(lettersOf).filter((name) => name.length >= letters_min)
  const isOwn = (letters: string) =>
    own.some((name) => name === letters || (name.length >= own_part_min && letters.includes(name)))
  const first = scan.rows.filter((row) => row.page === 0)
  const height = Math.max(1, median(first.map((row) => row.height)))
  const surroundings: Surroundings = {
    height,
    passes: scan.passes,
    domains: scan.rows.flatMap((row) => [...folded(row.text).matchAll(domain)].map(([, name = ""]) => lettersOf(name))),
    texts: scan.rows.map((row) => lettersOf(row.text)),
    dated: new Set(scan.dates.map(({ row }) => row))
  }
  const passes = Array.from({ length: scan.passes }, (_, pass) => first.filter((row) => row.pass === pass))
  const looks = [...passes, ...scan.heads].map((rows, look) => ({
    rows,
    onlyInHead: Number(look >= passes.length),
    heads: headsOf(rows, height).filter(({ letters }) => !isOwn(letters))
  }))
  const names = looks.flatMap(({ heads }) => heads).filter(isShortName)
  return merged(
    looks.flatMap(({ heads, onlyInHead, rows }) =>
      heads.map((head) => ({
        ...head,
        features: {
          ...featuresOf(head, rows, surroundings),
          part: Number(names.some((other) => isPartOf(head, other))),
          whole: Number(
            heads.some((other) => other.row !== head.row && other.letters.length > 3 && isPartOf(other, head))
          ),
          only_in_head: onlyInHead
        }
      }))
    )
  )
}

/** A candidate counts as a part of another name only if that name has at most this number of words. */
const name_words_max = 5
const name_rows = 8

const isShortName = ({ index, joined, name }: Head) =>
  index < name_rows && joined.length === 1 && !/\d{2}/.test(name) && name.split(" ").length <= name_words_max

const isPartOf = (part: Head, whole: Head): boolean =>
  part.letters.length < whole.letters.length && whole.letters.includes(part.letters)

const headsOf = (rows: ReadonlyArray<Row>, height: number): ReadonlyArray<Head> =>
  rows
    .flatMap((row, index): ReadonlyArray<Head> => {
      const before = rows[index - 1]
      // The candidate of the previous row already has the whole name.
      if (before !== undefined && onlyLegalForm.test(row.text) && belongTogether(before, row, height)) return []
      const single = columnsOf(row).map((column) => ({
        name: nameOf(column.text),
        isFirstColumn: column.from === 0,
        words: column.to - column.from + 1,
        joined: [row],
        labels: row.labels.filter(({ from, to }) => from >= column.from && to <= column.to)
      }))
      const next = rows[index + 1]
      const joined = joinedRows(rows, index, height).map((count) => {
        const parts = rows.slice(index, index + count)
        return {
          name: nameOf(parts.map(({ text }) => text).join(" ")),
          isFirstColumn: true,
          words: row.words.length,
          labels: row.labels,
          joined: parts
        }
      })
      // If this row and the next one belong together, this row alone is no candidate.
      const isOne = next !== undefined && index < rows_max && belongTogether(row, next, height)
      return [...joined, ...(isOne ? [] : single)].map((head) => ({
        ...head,
        row,
        index,
        letters: lettersOf(head.name)
      }))
    })
    .filter(({ index, letters, name }) => {
      const isName = letters.length >= letters_min && name.length <= characters_max
      return isName && (index < rows_max || legalForm.test(name))
    })
    .slice(0, candidates_max)

const joined_rows_max = 3

/** Returns how many rows, from this one on, may form a name: two that belong together, or all up to a legal form. */
const joinedRows = (rows: ReadonlyArray<Row>, index: number, height: number): ReadonlyArray<number> => {
  const [row, next] = [rows[index], rows[index + 1]]
  if (row === undefined || next === undefined || index >= rows_max) return []
  const counts = new Set(belongTogether(row, next, height) ? [2] : [])
  if (index < joined_rows_max) {
    for (let count = 2; count <= joined_rows_max; count++) {
      const parts = rows.slice(index, index + count)
      const [last, before] = [parts.at(-1), parts.slice(0, -1)]
      if (last === undefined || before.some(({ labels, text }) => labels.length > 0 || legalForm.test(text))) break
      if (parts.some(({ text }) => /\d{2}/.test(text)) || introduction.test(last.text) || !isSet(before.at(-1), last))
        break
      if (legalForm.test(last.text)) counts.add(count)
    }
  }
  return [...counts]
}

/** True if two rows have the same letter case, size and alignment, one close below the other. */
const isSet = (row: Row | undefined, next: Row): boolean => {
  if (row === undefined || isCapital(row.text) !== isCapital(next.text)) return false
  const [above, below] = [boxOf(row.words), boxOf(next.words)]
  const [small, tall] = [Math.min(row.height, next.height), Math.max(row.height, next.height)]
  const shift = Math.abs(above.x0 + above.x1 - below.x0 - below.x1) / 2
  return tall < 1.4 * small && below.y0 - above.y1 < small && shift < 0.25 * Math.max(above.x1 - above.x0, 1)
}

const isCapital = (text: string): boolean => text === text.toUpperCase()

/**
 * True for a large name that spans two rows, and for a name that continues in the next row with "&" or a legal form.
 */
const belongTogether = (row: Row, next: Row, height: number): boolean => {
  if (/\d/.test(lettersForZeros(`${row.text} ${next.text}`)) || row.text.length + next.text.length >= characters_max)
    return false
  const sizes = [row.height, next.height]
  const isLarge = Math.min(...sizes) > large_type_min * height && Math.max(...sizes) < 1.2 * Math.min(...sizes)
  const isOther = phrase.test(folded(next.text))
  const isTitle = [row, next].some(({ labels }) => labels.some(({ concept }) => concept === "title"))
  return (
    (isLarge && !isTitle && !isOther) ||
    row.text.endsWith("&") ||
    next.text.startsWith("& ") ||
    onlyLegalForm.test(next.text)
  )
}

interface Surroundings {
  readonly height: number
  readonly passes: number
  readonly domains: ReadonlyArray<string>
  readonly texts: ReadonlyArray<string>
  readonly dated: ReadonlySet<Row>
}

const featuresOf = (head: Head, rows: ReadonlyArray<Row>, around: Surroundings): Features<VendorFeature> => {
  const { index, labels, letters, name, row } = head
  const says = (concept: Concept) => Number(labels.some((label) => label.concept === concept))
  const features: Record<VendorFeature, number> = {
    bias: 1,
    first: Number(index === 0),
    second: Number(index === 1),
    third: Number(index === 2),
    depth: Math.min(1, index / rows_max),
    large_type: Math.min(2, Math.max(0, row.height / around.height - 1)),
    legal_form: Number(legalForm.test(name)),
    domain: Number(around.domains.some((one) => isSame(one, letters))),
    repeated: Number(around.texts.filter((text) => text.includes(letters)).length > around.passes),
    merchant: Number(merchantIn(name) !== undefined),
    contact: Number(contact.test(name)),
    title: says("title"),
    only_title: Number(labels.some(({ concept, from, to }) => concept === "title" && to - from + 1 === head.words)),
    customer: Number(rows.slice(Math.max(0, index - customer_rows), index + 1).some(startsWithCustomer)),
    identifier: says("identifier"),
    payment: Math.max(says("card"), says("paid")),
    right_column: Number(!head.isFirstColumn),
    dated: Number(around.dated.has(row)),
    digits: (name.match(/\d/g) ?? []).length / name.length,
    capitals: Number(name === name.toUpperCase()),
    short: Number(letters.length < 5),
    confidence: row.confidence,
    unsure: Math.max(0, 0.85 - row.confidence),
    small_letters: Number(name === name.toLowerCase()),
    phrase: Number(phrase.test(folded(name))),
    place: Number(place.test(name) || townWithState.test(row.text)),
    trade: Number(trade.test(folded(name))),
    joined: head.joined.length - 1,
    registered: Number(
      head.joined.some(({ text }) => registrationAt(text) > margin_max) ||
        isWithinMargin(registrationAt(rows[index + head.joined.length]?.text ?? ""))
    ),
    only_trade: Number(onlyTrade.test(folded(name))),
    part: 0,
    whole: 0,
    only_in_head: 0
  }
  return features
}

/**
 * A registration number that begins after at most this number of characters is a row of its own; a later one follows
 * the name in its row.
 */
const margin_max = 2

const registrationAt = (text: string): number => text.slice(0, characters_max).search(registration)

const isWithinMargin = (at: number): boolean => at >= 0 && at <= margin_max

const isSame = (domainLetters: string, letters: string) =>
  domainLetters.length >= 4 &&
  (letters.includes(domainLetters) || (letters.length >= 4 && domainLetters.includes(letters)))

const startsWithCustomer = ({ labels, text }: Row) =>
  labels.some(({ concept, from }) => concept === "customer" && from === 0) && !/cop/i.test(text)

/** Merges equal names, and keeps the topmost one. */
const merged = (candidates: ReadonlyArray<VendorCandidate & Head>): ReadonlyArray<VendorCandidate> =>
  [...Map.groupBy(candidates, ({ letters }) => letters).values()].flatMap((same) => {
    const [best] = same.toSorted((a, b) => a.index - b.index || b.row.confidence - a.row.confidence)
    return best === undefined ? [] : [best]
  })

interface Column {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Words belong to different columns if the gap between them is wider than this multiple of a letter's height. */
const column_gap_min = 2.2

const columnsOf = ({ words }: Row): ReadonlyArray<Column> => {
  const starts = words.flatMap((word, at) => {
    const before = words[at - 1]
    return before === undefined || word.x0 - before.x1 > column_gap_min * heightOf(word) ? [at] : []
  })
  return starts.map((from, order) => {
    const to = (starts[order + 1] ?? words.length) - 1
    return {
      from,
      to,
      text: words
        .slice(from, to + 1)
        .map(({ text }) => text)
        .join(" ")
    }
  })
}
