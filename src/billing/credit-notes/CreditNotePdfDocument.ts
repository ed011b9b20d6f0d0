import { BigDecimal, Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import type { ClearanceModel, ClearanceStamp } from "../printing/ClearanceStamps.ts"
import type { Correspondents } from "../printing/Correspondents.ts"
import { labeled, type LabeledText, type PdfDocument, plain } from "../printing/DocumentPdf.ts"
import { sheetOf, sumsOf } from "../printing/DocumentPdf.ts"
import { qrSvg } from "../printing/EpcQr.ts"
import type { CreditNoteFacts } from "./CreditNote.ts"
import { type CreditNoteLabels, creditNoteLabels } from "./CreditNoteLabels.ts"

export interface PrintedCreditNote extends Pick<
  CreditNoteFacts,
  | "number"
  | "issue_date"
  | "created_at"
  | "currency"
  | "reason"
  | "items"
  | "subtotal"
  | "rounding_adjustment"
  | "total"
  | "tax_breakdown"
> {
  readonly draft_reference: string
  readonly original_invoice: Pick<CreditNoteFacts["original_invoice"], "number" | "issue_date">
}

/** What the law of a clearance country wants on the page; the stamp is null until the authority has given one. */
interface Clearance {
  readonly model: ClearanceModel
  readonly stamp: ClearanceStamp | null
}

export interface CreditNotePdfDocument extends PdfDocument {
  readonly clearance: PdfClearance | null
}

/** What is archived of a note: the page, and the XML that its PDF carries, if any. */
export interface CreditNotePrint extends CreditNotePdfDocument {
  readonly xml: string | null
}

interface PdfClearance {
  readonly title: string
  readonly rows: ReadonlyArray<LabeledText>
  /** Long machine text under the rows. */
  readonly seal: LabeledText | null
  readonly qr: { readonly svg: string; readonly caption: string } | null
  /** Said in place of a stamp. */
  readonly missing: string | null
}

export const creditNoteTemplate = new URL("../printing/templates/credit-note.typ", import.meta.url)

/** The credit note in the customer's language, else the organization's, else English. */
export const creditNotePdf = (
  input: Correspondents & { readonly note: PrintedCreditNote; readonly clearance: Clearance | null }
): CreditNotePdfDocument => {
  const { clearance, customer, note } = input
  const discount_total = BigDecimal.sumAll(note.items.map((item) => item.discount_amount))
  const printed = { ...note, issue_date: note.issue_date ?? dayOf(note), discount_total, notes: null, terms: null }
  const { format, labels, sheet } = sheetOf(printed, note.number === null, input)
  const own = creditNoteLabels[sheet.language]
  const number = note.number ?? note.draft_reference
  const { issue_date, number: invoice_number } = note.original_invoice
  const rounding = BigDecimal.isZero(note.rounding_adjustment)
    ? []
    : [plain(labels.rounding, format.amount(note.rounding_adjustment))]
  return {
    ...sheet,
    title: `${own.credit_note} ${number}`,
    facts: labeled([
      [own.credit_note_number, number],
      [own.issue_date, note.issue_date === null ? null : format.day(note.issue_date)],
      [own.original_invoice, invoice_number],
      [own.invoice_date, format.day(issue_date)],
      [labels.your_tax_number, customer.tax_number]
    ]),
    totals: [...sumsOf(printed, labels, format), ...rounding],
    due: { label: own.amount_credited, value: format.money(note.total) },
    sections: [{ title: own.reason, text: note.reason }, ...sheet.sections],
    clearance: clearance === null ? null : clearanceOf(clearance, own)
  }
}

/** A draft has no date of its own yet; its file is dated by its first day. */
const dayOf = ({ created_at }: PrintedCreditNote) => asDay(created_at.slice(0, 10))
const asDay = Schema.decodeSync(Day)

const clearanceOf = ({ model, stamp }: Clearance, labels: CreditNoteLabels): PdfClearance => {
  const blank = { title: model.authority, rows: [], seal: null, qr: null, missing: null }
  if (stamp === null) return { ...blank, missing: labels.not_stamped }
  const { identifier, qr, seal, stamped_at } = stamp
  return {
    ...blank,
    rows: labeled([
      [model.identifier, identifier],
      // The authority's own moment, to the second, as it is verified by.
      [labels.stamped_at, `${stamped_at.slice(0, 19).replace("T", " ")} UTC`]
    ]),
    seal: seal === null ? null : { label: model.seal, value: seal },
    qr: qr === null ? null : { svg: qrSvg(qr), caption: labels.scan_to_verify }
  }
}
