import { BigDecimal, Schema } from "effect"
import { Day } from "../../../kernel/Calendar.ts"
import { creditNoteDetails } from "../../details/Details.ts"
import { detailFacts, detailSections } from "../DetailFacts.ts"
import type { ClearanceModel, ClearanceStamp } from "../ClearanceStamps.ts"
import { asSection, labeled, type LabeledText, type PdfDocument, type Printed, sheetOf } from "../DocumentPdf.ts"
import { convertedTaxOf, exchangeRateOf, plain, sumsOf } from "../DocumentSums.ts"
import { isText } from "../DocumentFormat.ts"
import { qrSvg } from "../EpcQr.ts"
import { creditWording, taxNumberOf } from "../SellerFacts.ts"
import type { CreditNoteFacts } from "../../credit-notes/CreditNote.ts"
import type { PageLanguage } from "../../../platform/pages/PageLanguage.ts"
import type { Labels } from "../labels/en.ts"
import { creditNoteNameIn, labelsIn } from "../labels/Labels.ts"

export interface PrintedCreditNote extends Pick<
  CreditNoteFacts,
  | "number"
  | "issue_date"
  | "created_at"
  | "currency"
  | "exchange_rate"
  | "credit_note_type_code"
  | "details"
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

/**
 * A credit note shows its clearance by a tax authority. The stamp is null until the authority has issued it.
 */
interface Clearance {
  readonly model: ClearanceModel
  readonly stamp: ClearanceStamp | null
}

export interface CreditNotePdfDocument extends PdfDocument {
  readonly clearance: PdfClearance | null
}

/** The archived content of a note: the page, and the XML embedded in its PDF, if any. */
export interface CreditNotePrint extends CreditNotePdfDocument {
  readonly xml: string | null
}

interface PdfClearance {
  readonly title: string
  readonly rows: ReadonlyArray<LabeledText>
  /** The authority's digital seal, a long text that is printed below the rows. */
  readonly seal: LabeledText | null
  readonly qr: { readonly svg: string; readonly caption: string } | null
  /** The text shown when there is no stamp. */
  readonly missing: string | null
}

export const creditNoteTemplate = new URL("../templates/credit-note.typ", import.meta.url)

export const creditNotePdf = (
  input: Printed & { readonly note: PrintedCreditNote; readonly clearance: Clearance | null }
): CreditNotePdfDocument => {
  const { clearance, customer, note } = input
  const discount_total = BigDecimal.sumAll(note.items.map((item) => item.discount_amount))
  const printed = { ...note, issue_date: note.issue_date ?? dayOf(note), discount_total, notes: null, terms: null }
  const printing = sheetOf(printed, note.number === null, input)
  const { format, labels, sheet } = printing
  const own = labelsIn[sheet.language].credit_note
  const details = creditNoteDetails.answer(note.details)
  const number = note.number ?? note.draft_reference
  const { issue_date, number: invoice_number } = note.original_invoice
  const rounding = BigDecimal.isZero(note.rounding_adjustment)
    ? []
    : [plain(labels.rounding, format.money(note.rounding_adjustment))]
  const name = creditNoteNameIn(input.organization.country)
  return {
    ...sheet,
    title: `${own[name]} ${number}`,
    facts: labeled([
      [own[`${name}_number`], number],
      [own.issue_date, note.issue_date === null ? null : format.day(note.issue_date)],
      [own.original_invoice, invoice_number],
      [own.invoice_date, format.day(issue_date)],
      taxNumberOf(customer, "yours", sheet.language),
      [own.type, typeOf(note, { ...own.types, "381": own[name] })],
      exchangeRateOf(note, printing),
      ...detailFacts(details, printing)
    ]),
    totals: [...sumsOf(printed, printing), ...convertedTaxOf(note, printing), ...rounding],
    due: { label: own.amount_credited, value: format.money(note.total) },
    sections: [
      { title: own.reason, text: note.reason },
      ...labeled(detailSections(details, customer.country, printing)).map(asSection),
      ...sheet.sections,
      ...labeled([[labels.tax_notes, creditWording(input, taxOf(note), sheet.language)]]).map(asSection)
    ],
    clearance: clearance === null ? null : clearanceOf(clearance, own, input.sandbox === true ? sheet.language : null)
  }
}

const taxOf = ({ tax_breakdown }: PrintedCreditNote) =>
  BigDecimal.sumAll(tax_breakdown.map(({ tax_amount }) => tax_amount))

/** A draft has no issue date yet, so its PDF is dated with the day on which the draft was created. */
const dayOf = ({ created_at }: PrintedCreditNote) => asDay(created_at.slice(0, 10))
const asDay = Schema.decodeSync(Day)

/** Returns the code with its name, e.g. "381 – Credit note" (UNTDID 1001). */
const typeOf = (
  { credit_note_type_code: code }: PrintedCreditNote,
  names: { readonly [code: string]: string }
): string | null => {
  return code === null ? null : [code, names[code]].filter(isText).join(" – ")
}

const clearanceOf = (
  { model, stamp }: Clearance,
  labels: Labels["credit_note"],
  simulated_in: PageLanguage | null
): PdfClearance => {
  const blank = { title: model.authority, rows: [], seal: null, qr: null, missing: null }
  if (simulated_in !== null) {
    const { not_cleared, reference } = labelsIn[simulated_in].sandbox
    return { ...blank, missing: not_cleared, rows: labeled([[reference, stamp?.identifier ?? null]]) }
  }
  if (stamp === null) return { ...blank, missing: labels.not_stamped }
  const { identifier, qr, seal, stamped_at } = stamp
  return {
    ...blank,
    rows: labeled([
      [model.identifier, identifier],
      // The time of the stamp is printed to the second, because verification needs the authority's exact time.
      [labels.stamped_at, `${stamped_at.slice(0, 19).replace("T", " ")} UTC`]
    ]),
    seal: seal === null ? null : { label: model.seal, value: seal },
    qr: qr === null ? null : { svg: qrSvg(qr), caption: labels.scan_to_verify }
  }
}
