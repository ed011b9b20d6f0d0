import { type Day, daysBetween } from "../../kernel/Calendar.ts"
import type { DocumentKey } from "../../kernel/DocumentKind.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import { type Settled, settledOf } from "../printing/documents/Settled.ts"
import { intlLocale } from "../printing/DocumentFormat.ts"
import type { Labels } from "../printing/labels/en.ts"

export type DocumentRef = Pick<DocumentKey, "document" | "document_id">

export const isSame = (one: DocumentRef, other: DocumentRef): boolean =>
  one.document === other.document && one.document_id === other.document_id

type Sentence = Settled | "voided"

export interface PortalState {
  readonly name: Exclude<keyof Labels["state"], Sentence>
  readonly tone: "plain" | "good" | "bad"
  /** Reason why nothing is to be paid; null while an amount is to be paid. */
  readonly sentence: Sentence | null
}

export const stateOf = (
  invoice: Pick<Invoice, "status" | "due_date" | "refundable_amount">,
  today: Day
): PortalState => {
  const { due_date, status } = invoice
  if (status === "void") return { name: "void", tone: "bad", sentence: "voided" }
  if (status === "credited" || status === "paid") {
    return { name: status, tone: "good", sentence: settledOf(invoice) }
  }
  if (due_date < today) return { name: "overdue", tone: "bad", sentence: null }
  if (due_date === today) return { name: "due", tone: "bad", sentence: null }
  return { name: status === "partially_paid" ? "part_paid" : "open", tone: "plain", sentence: null }
}

const distance_days_max = 365

/** Writes how far a day is from today: "in 5 days", "yesterday". Null for a day that is more than a year away. */
export const distanceOf = (day: Day, today: Day, locale: string): string | null => {
  const days = daysBetween(today, day)
  if (Math.abs(days) > distance_days_max) return null
  return new Intl.RelativeTimeFormat(intlLocale(locale), { numeric: "auto" }).format(days, "day")
}

/** True for a record with a document number. A list may also contain deleted records, which have none. */
export const isIssued = <Row extends { readonly id: number }>(
  row: Row
): row is Extract<Row, { readonly number: string | null }> & { readonly number: string } =>
  "number" in row && typeof row.number === "string"
