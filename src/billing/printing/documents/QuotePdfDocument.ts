import { BigDecimal } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { Correspondents } from "../../correspondence/Correspondents.ts"
import { asSection, labeled, type PdfDocument, type PrintedDocument, type Printing, sheetOf } from "../DocumentPdf.ts"
import { plain, sumsOf } from "../DocumentSums.ts"
import { asLines, detailFacts, detailSections, payeeText, paymentMeansRows } from "../DetailFacts.ts"
import { taxNumberOf } from "../SellerFacts.ts"
import { labelsIn } from "../labels/Labels.ts"

interface PrintedQuote extends PrintedDocument {
  readonly status: string
  readonly valid_until: Day
  readonly prepaid_amount: BigDecimal.BigDecimal
}

export interface QuotePdfDocument extends PdfDocument {
  /** The signature fields, while the quote can still be accepted. */
  readonly acceptance: { readonly title: string; readonly fields: ReadonlyArray<string> } | null
}

export const quoteTemplate = new URL("../templates/quote.typ", import.meta.url)

export const quotePdf = (input: Correspondents & { readonly quote: PrintedQuote }): QuotePdfDocument => {
  const { customer, quote } = input
  const printing = sheetOf(quote, quote.status === "draft", input)
  const { format, labels, sheet } = printing
  const words = labelsIn[sheet.language].quote
  const number = quote.number ?? quote.draft_reference
  const open = quote.status === "draft" || quote.status === "sent"
  return {
    ...sheet,
    title: `${words.quote} ${number}`,
    facts: labeled([
      [words.quote_number, number],
      [words.quote_date, format.day(quote.issue_date)],
      [words.valid_until, format.day(quote.valid_until)],
      taxNumberOf(customer, "yours", sheet.language),
      ...detailFacts(quote, printing)
    ]),
    ...totalsOf(quote, printing),
    sections: [
      ...labeled([
        ...detailSections(quote, customer.country, printing),
        [
          labels.payment,
          asLines(labeled([...paymentMeansRows(quote, printing), [labels.beneficiary, payeeText(quote)]]))
        ]
      ]).map(asSection),
      ...sheet.sections
    ],
    acceptance: open ? { title: words.accepted, fields: [words.place_and_date, words.name_and_signature] } : null
  }
}

/** An amount that is paid in advance leaves less to pay on the invoice than the total of the quote. */
const totalsOf = (quote: PrintedQuote, printing: Printing): Pick<PdfDocument, "totals" | "due"> => {
  const { format, labels, sheet } = printing
  const [sums, total] = [sumsOf(quote, printing), format.money(quote.total)]
  if (BigDecimal.isZero(quote.prepaid_amount)) return { totals: sums, due: { label: labels.total, value: total } }
  const prepaid = plain(labelsIn[sheet.language].details.prepaid, format.money(BigDecimal.negate(quote.prepaid_amount)))
  const left = BigDecimal.subtract(quote.total, quote.prepaid_amount)
  return {
    totals: [...sums, { label: labels.total, value: total, strong: true }, prepaid],
    due: { label: labels.amount_due, value: format.money(left) }
  }
}
