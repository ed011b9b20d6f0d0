import { Schema } from "effect"
import type { Day } from "../../kernel/Calendar.ts"

/** The French VAT regimes, which decide how often sales and payments are reported. */
export const VatRegime = Schema.Literals(["normal_monthly", "normal_quarterly", "simplified", "franchise"])
export type VatRegime = typeof VatRegime.Type

/**
 * The invoices for which VAT on services is due when they are issued (option pour les débits): all, none, or those from
 * a day on. Payments of such invoices are not reported.
 */
export type VatOnDebits = "yes" | "no" | Day

export const isDueOnInvoice = (option: VatOnDebits, issued_on: Day): boolean =>
  option === "yes" || (option !== "no" && option <= issued_on)

export interface ReportingTerms {
  readonly regime: VatRegime
  readonly from: Day
  /** The four characters by which the authority knows the platform. */
  readonly platform: string
  readonly vat_on_debits: VatOnDebits
  /** The nature of the operation that is assumed for documents that do not state it. */
  readonly usual_nature: "goods" | "services" | "mixed" | null
  /** The nature of the operation that is assumed for purchases abroad; null if purchases are not reported. */
  readonly purchases: "goods" | "services" | "mixed" | null
}
