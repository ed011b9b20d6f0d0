import { type Concept, folded } from "../scan/Keywords.ts"
import { merchantIn } from "../scan/Merchants.ts"
import type { Features } from "./Ranking.ts"
import { heightOf, median, type Row } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"
import type { VendorFeature } from "./Weights.ts"

export interface VendorCandidate {
  readonly name: string
  readonly row: Row
  readonly features: Features<VendorFeature>
}

const rows_max = 16
const characters_max = 80
const letters_min = 3

const legalForm =
  /(?:^|[\s,])(?:gmbh(?: & co\.? ?kg)?|ag|kg|ohg|e\.? ?k\.?|ug|mbh|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?u?|s\.?a\.?|e\.?u\.?r\.?l\.?|b\.?v\.?(?:b\.?a\.?)?|n\.?v\.?|v\.?o\.?f\.?|srl|s\.?r\.?l\.?s?|s\.?p\.?a\.?|s\.?n\.?c\.?|s\.?a\.?s\.?|s\.?l\.?u?\.?|ltd|limited|plc|llc|inc|corp|co|sprl|scrl|cvba|e\.?v\.?|eg)\.?(?=$|[\s,])/i
const contact = /(?:https?:|www\.|@|\btel|\bfax|\bphone|\d{4,}[-/ ]?\d{3,})/i
const postalCode = /(?:^|[\s,-])(?:[a-z]{1,2}[- ])?\d{4,5}(?:\s?[a-z]{2})?\s+\p{L}{3}/iu
const domain =
  /(?:www\.|@|https?:\/\/(?:www\.)?)([a-z0-9-]{3,40})\.(?:com|eu|de|fr|nl|be|es|it|at|ch|lu|net|org|co|uk|ie|shop|store)\b/gi

/** Names at the head of the first page, and rows with a legal form; never one of the organization itself. */
export const vendorCandidates = (scan: Scan, ownNames: ReadonlyArray<string>): ReadonlyArray<VendorCandidate> => {
  const own = ownNames.map(lettersOf).filter((name) => name.length >= letters_min)
  const first = scan.rows.filter((row) => row.page === 0)
  const height = median(first.map((row) => row.height))
  const domains = new Set(
    scan.rows.flatMap((row) => [...folded(row.text).matchAll(domain)].map(([, name = ""]) => lettersOf(name)))
  )
  const texts = scan.rows.map((row) => lettersOf(row.text))
  const dated = new Set(scan.dates.map(({ row }) => row))
  const priced = new Set(scan.amounts.map(({ row }) => row))
  const candidates = [0, 1, 2].flatMap((pass) => {
    const rows = first.filter((row) => row.pass === pass)
    const columns = rows.flatMap((row, index) => columnsOf(row).map((column) => ({ column, index, row })))
    return columns.flatMap(({ column, index, row }): ReadonlyArray<VendorCandidate & { readonly letters: string }> => {
      const isLegal = legalForm.test(column.text)
      if (index >= rows_max && !isLegal) return []
      const name = nameOf(column.text)
      const letters = lettersOf(name)
      if (letters.length < letters_min || name.length > characters_max) return []
      if (own.some((ownName) => ownName === letters || (ownName.length >= 5 && letters.includes(ownName)))) return []
      const labels = row.labels.filter(({ from, to }) => from >= column.from && to <= column.to)
      const says = (concept: Concept) => Number(labels.some((label) => label.concept === concept))
      const customerAbove = rows
        .slice(Math.max(0, index - 3), index + 1)
        .some((other) =>
          other.labels.some(({ concept, from }) => concept === "customer" && from === 0 && !other.text.includes("cop"))
        )
      const features: Record<VendorFeature, number> = {
        bias: 1,
        first: Number(index === 0),
        second: Number(index === 1),
        third: Number(index === 2),
        depth: Math.min(1, index / rows_max),
        below_head: Number(index >= rows_max),
        large_type: Math.min(2, Math.max(0, row.height / Math.max(1, height) - 1)),
        legal_form: Number(isLegal),
        domain: Number(
          [...domains].some(
            (one) => one.length >= 4 && (letters.includes(one) || (letters.length >= 4 && one.includes(letters)))
          )
        ),
        repeated: Number(texts.filter((text) => text.includes(letters)).length > scan.passes),
        merchant: Number(merchantIn(column.text) !== undefined),
        address: says("address"),
        postal_code: Number(postalCode.test(column.text)),
        contact: Number(contact.test(column.text)),
        title: says("title"),
        only_title: Number(
          row.labels.some(({ concept, from, to }) => concept === "title" && from === 0 && to === row.words.length - 1)
        ),
        customer: Number(customerAbove),
        identifier: says("identifier"),
        payment: Math.max(says("card"), says("paid"), says("cash")),
        right_column: Number(column.from > 0),
        dated: Number(dated.has(row)),
        priced: Number(priced.has(row)),
        digits: (name.match(/\d/g) ?? []).length / name.length,
        capitals: Number(name === name.toUpperCase()),
        short: Number(letters.length < 5),
        long: Number(name.length > 36),
        many_words: Number(column.to - column.from > 4),
        noise: (name.match(/[^\p{L}\p{N}\s.,&'’+-]/gu) ?? []).length / name.length,
        confidence: row.confidence
      }
      return [{ name, row, features, letters }]
    })
  })
  return merged(candidates)
}

/** Both passes read the same name: one candidate, the better read one. */
const merged = (
  candidates: ReadonlyArray<VendorCandidate & { readonly letters: string }>
): ReadonlyArray<VendorCandidate> =>
  [...Map.groupBy(candidates, ({ letters }) => letters).values()].flatMap((same) => {
    const [best] = same.toSorted((a, b) => b.row.confidence - a.row.confidence)
    return best === undefined ? [] : [best]
  })

interface Column {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** In heights of a letter: what stands farther apart belongs to different columns. */
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

/** Without what decorates it: "*** Café Zürich ***" is "Café Zürich". */
const nameOf = (text: string): string =>
  withoutNumbers(text)
    .slice(0, 200)
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .replace(/[^\p{L}\p{N}.)!]+$/u, "")
    .replace(/\s{2,}/g, " ")

const lettersOf = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, "")

/** A number of the company's may follow its name. */
const withoutNumbers = (text: string): string => {
  const words = text.split(" ")
  const number = words.findIndex((word) => word.replace(/\D/g, "").length >= 5)
  return number > 0 ? words.slice(0, number).join(" ") : text
}
