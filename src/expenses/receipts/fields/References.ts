import { folded } from "../scan/Keywords.ts"
import type { Scan } from "../scan/Scan.ts"

const reference_length_max = 30
const reference_digits_min = 2
/** Minimum digits of a number without a word such as "number"; a shorter one may be that of a table or a till. */
const unmarked_digits_min = 4
const referenceText = /^[#:№]?(?=.{0,29}\d)[A-Z0-9][A-Z0-9/_.-]{0,29}$/i
const numberWord = /^(?:n|n[°ºo*]|nr|no|num|numero|number|nummer|#)[.:#°º*]*$|^[#:№]$/i
const numberEnding = /(?:nr|no|number|nummer|numero|n[°º]?|#)[.:#]*$/
const documentWord = /fact|invoice|rechnung|fattura/

/** Finds the document number. Invoice numbers have priority over receipt numbers, and labelled ones over bare ones. */
export const referenceOf = (scan: Scan): string | undefined => referencesIn(scan)[0]?.text

/** Finds the document number, if the word for an invoice labels it; numbers of orders and payments do not count. */
export const invoiceNumberOf = (scan: Scan): string | undefined =>
  referencesIn(scan).find(({ isOfInvoice }) => isOfInvoice)?.text

interface Reference {
  readonly text: string
  readonly isOfInvoice: boolean
}

/** Lists the numbers of documents, the likeliest first. */
const referencesIn = (scan: Scan): ReadonlyArray<Reference> => {
  const dated = Map.groupBy(scan.dates, ({ row }) => row)
  const found = scan.rows.flatMap((row, index) =>
    row.labels
      .filter(({ concept }) => concept === "reference")
      .flatMap(({ from, to }) => {
        const texts = row.words.map(({ text }) => text)
        const label = folded(texts.slice(from, to + 1).join(" "))
        const at = texts.findIndex((text, place) => place > to && !numberWord.test(text))
        const value = texts[at] ?? ""
        const isDate = dated.get(row)?.some((date) => at >= date.from && at <= date.to) ?? false
        if (at < 0 || isDate || !isReference(value)) return []
        const isMarked =
          at > to + 1 || numberEnding.test(label) || /^[#№]/.test(value) || numberWord.test(texts[from - 1] ?? "")
        if (!isMarked && value.replace(/\D/g, "").length < unmarked_digits_min) return []
        const isOfInvoice = documentWord.test(label)
        const weight = Number(isOfInvoice) * 2 + Number(isMarked) * 3 - index / scan.rows.length
        const text = value.replace(/^[#:№]+/, "").replace(/[.,:;]+$/, "")
        return [{ weight, isOfInvoice, text: text.slice(0, reference_length_max) }]
      })
  )
  return found.toSorted((a, b) => b.weight - a.weight)
}

const isReference = (text: string) =>
  referenceText.test(text) &&
  !/^\d{1,2}[:.]\d\d(?::\d\d)?$/.test(text) &&
  text.replace(/\D/g, "").length >= reference_digits_min
