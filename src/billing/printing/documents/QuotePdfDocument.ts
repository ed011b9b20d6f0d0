import type { Day } from "../../../kernel/Calendar.ts"
import type { Correspondents } from "../../correspondence/Correspondents.ts"
import { asSection, labeled, type PdfDocument, type PrintedDocument, sheetOf } from "../DocumentPdf.ts"
import { sumsOf } from "../DocumentSums.ts"
import { asLines, detailFacts, detailSections, payeeText, paymentMeansRows } from "../DetailFacts.ts"
import { taxNumberOf } from "../SellerFacts.ts"
import { labelsIn } from "../labels/Labels.ts"

interface PrintedQuote extends PrintedDocument {
  readonly status: string
  readonly valid_until: Day
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
    totals: sumsOf(quote, printing),
    due: { label: labels.total, value: format.money(quote.total) },
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
