import { BigDecimal, Schema } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import type { EInvoiceTax } from "../../invoice/EInvoice.ts"

/** A report is about sales, payments or purchases abroad, never about two of them (rules G6.29 and G7.52). */
export const ReportKind = Schema.Literals(["transactions", "payments", "purchases"])
export type ReportKind = typeof ReportKind.Type

/** An initial report (IN), or one that rectifies an earlier one and replaces the whole period (RE). */
export const ReportType = Schema.Literals(["IN", "RE"])
export type ReportType = typeof ReportType.Type

/** Taxable goods, taxable services, and sales that are not taxed in France (field TT-81). */
export type SaleCategory = "TLB1" | "TPS1" | "TNT1"

export interface ReportedParty {
  /** The scheme is an ISO 6523 code. */
  readonly identifier: { readonly scheme: string; readonly value: string }
  readonly vat_identifier: string | null
  readonly country: string | null
}

/** A document to or from a business abroad (flow 10.1), with its amounts in its own currency. */
export interface ReportedInvoice {
  readonly number: string
  readonly issue_date: Day
  readonly due_date: Day | null
  readonly type_code: string
  readonly currency: string
  readonly isDueOnInvoice: boolean
  /** BT-23: type of the business process. */
  readonly process: string
  readonly original: { readonly number: string; readonly issue_date: Day } | null
  readonly seller: ReportedParty
  readonly buyer: ReportedParty
  readonly tax_in_euros: BigDecimal.BigDecimal
  readonly taxes: ReadonlyArray<EInvoiceTax>
}

/** Sales to consumers on one day (flow 10.3), in euros; credit notes are deducted. */
export interface DailySales {
  readonly date: Day
  readonly category: SaleCategory
  readonly isDueOnInvoice: boolean
  readonly documents: number
  readonly taxes: ReadonlyArray<{
    readonly rate: BigDecimal.BigDecimal
    readonly taxable_amount: BigDecimal.BigDecimal
    readonly tax_amount: BigDecimal.BigDecimal
  }>
}

/** Money received on one day for each tax rate, in euros and including tax. */
export interface DailyPayments {
  readonly date: Day
  readonly amounts: ReadonlyArray<{ readonly rate: BigDecimal.BigDecimal; readonly amount: BigDecimal.BigDecimal }>
}

/** A payment for a single document to a business abroad (flow 10.2). */
export interface InvoicePayment extends DailyPayments {
  readonly number: string
  readonly issue_date: Day
}

export type ReportContent =
  | {
      /** The organization is the seller of transactions, and the buyer of purchases. */
      readonly kind: "transactions" | "purchases"
      readonly invoices: ReadonlyArray<ReportedInvoice>
      readonly daily: ReadonlyArray<DailySales>
    }
  | {
      readonly kind: "payments"
      readonly invoices: ReadonlyArray<InvoicePayment>
      /** Payments that consumers made (flow 10.4). */
      readonly daily: ReadonlyArray<DailyPayments>
    }

interface Totals {
  /** For payments: the number of payments of single documents plus the number of daily sums. */
  readonly documents: number
  /** The total tax of sales or purchases, or the total money of payments, in euros. */
  readonly total: BigDecimal.BigDecimal
}

export const totalsOf = (content: ReportContent): Totals => {
  if (content.kind === "payments") {
    const payments = [...content.invoices, ...content.daily]
    const amounts = payments.flatMap(({ amounts }) => amounts.map(({ amount }) => amount))
    return { documents: payments.length, total: BigDecimal.sumAll(amounts) }
  }
  const taxes = content.daily.flatMap((sales) => sales.taxes.map(({ tax_amount }) => tax_amount))
  const counts = content.daily.map(({ documents }) => documents)
  // A credit note states positive amounts, and reduces what is due.
  const invoiced = content.invoices.map(({ original, tax_in_euros }) =>
    original === null ? tax_in_euros : BigDecimal.negate(tax_in_euros)
  )
  return {
    documents: counts.reduce((sum, count) => sum + count, content.invoices.length),
    total: BigDecimal.sumAll([...taxes, ...invoiced])
  }
}

export const isEmpty = ({ daily, invoices }: ReportContent): boolean => daily.length + invoices.length === 0

export const ReportProblem = Schema.Struct({ number: Schema.String, reason: Schema.String })
export type ReportProblem = typeof ReportProblem.Type
