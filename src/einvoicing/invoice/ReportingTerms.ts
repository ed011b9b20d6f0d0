import { Schema } from "effect"
import type { Day } from "../../kernel/Calendar.ts"

/** The French VAT regimes, which decide how often sales and payments are reported. */
export const VatRegime = Schema.Literals(["normal_monthly", "normal_quarterly", "simplified", "franchise"])
export type VatRegime = typeof VatRegime.Type

export interface ReportingTerms {
  readonly regime: VatRegime
  readonly from: Day
  /** The four characters by which the authority knows the platform. */
  readonly platform: string
  /** True if the VAT on services is due when they are invoiced. Payments are not reported then. */
  readonly isDueOnInvoice: boolean
  /** The nature of the operation that is assumed for documents that do not state it. */
  readonly usual_nature: "goods" | "services" | "mixed" | null
  /** The nature of the operation that is assumed for purchases abroad; null if purchases are not reported. */
  readonly purchases: "goods" | "services" | "mixed" | null
}
