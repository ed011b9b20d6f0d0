import { BigDecimal, Context, Effect, Layer } from "effect"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { CreditNotes } from "../credit-notes/writing/CreditNotes.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import { type PaymentFacts, refundableOf, withoutPrepayment } from "../payments/Payment.ts"
import { Payments } from "../payments/Payments.ts"
import { documentFormat } from "../printing/DocumentFormat.ts"
import type { LabeledText, PdfDocument } from "../printing/DocumentPdf.ts"
import { labelsIn } from "../printing/labels/Labels.ts"
import { isIssued } from "./PortalState.ts"

/** Maximum number of credit notes with a row of their own; one row has the sum of all others. */
const credit_notes_max = 100

export interface Settlement {
  /** The payments of which the organization still has a part, after refunds. */
  readonly payments: ReadonlyArray<PaymentFacts>
  /** Rows between the total and the amount due; empty while nothing was paid or credited. */
  readonly rows: ReadonlyArray<LabeledText & { readonly detail?: string; readonly strong: boolean }>
}

/** Explains what remains to be paid of an invoice: each payment with its date, and each credit note. */
export class Settlements extends Context.Service<
  Settlements,
  {
    readonly of: (
      invoice: Invoice,
      sheet: Pick<PdfDocument, "language" | "region">
    ) => Effect.Effect<Settlement, never, CurrentOrganization>
  }
>()("invoicing/billing/portal/Settlements") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const payments = yield* Payments
      const creditNotes = yield* CreditNotes

      const of: Settlements["Service"]["of"] = Effect.fn("Settlements.of")(function* (invoice, sheet) {
        const { amount_credited, amount_paid, id: invoice_id } = invoice
        if (BigDecimal.isZero(amount_paid) && BigDecimal.isZero(amount_credited)) return { payments: [], rows: [] }
        const booked = withoutPrepayment(yield* payments.ofInvoice(invoice_id))
        const page = { invoice_id, status: "sent", sort: "id", per_page: credit_notes_max } as const
        const credited = (yield* creditNotes.list(page)).rows.filter(isIssued)
        const kept = booked.filter((payment) => BigDecimal.isPositive(refundableOf(payment)))
        return { payments: kept, rows: rowsOf(invoice, booked, credited, sheet) }
      })

      return Settlements.of({ of })
    })
  ).pipe(Layer.provide([Payments.layer, CreditNotes.layer]))
}

interface Credit {
  readonly number: string
  readonly total: BigDecimal.BigDecimal
}

const rowsOf = (
  invoice: Invoice,
  payments: ReadonlyArray<PaymentFacts>,
  credits: ReadonlyArray<Credit>,
  { language, region }: Pick<PdfDocument, "language" | "region">
): Settlement["rows"] => {
  const { details, document: labels } = labelsIn[language]
  const format = documentFormat(language, `${language}-${region}`, invoice.currency)
  const row = (label: string, amount: BigDecimal.BigDecimal, strong = false) => ({
    label,
    value: format.money(amount),
    strong
  })
  const less = (label: string, amount: BigDecimal.BigDecimal, detail?: string) => ({
    ...row(label, BigDecimal.negate(amount)),
    ...(detail === undefined ? {} : { detail })
  })
  const { amount_credited, amount_refunded, balance_due, prepaid_amount, refundable_amount, total } = invoice
  const other_credits = BigDecimal.subtract(amount_credited, BigDecimal.sumAll(credits.map((note) => note.total)))
  return [
    row(labels.total, total),
    ...(BigDecimal.isZero(prepaid_amount) ? [] : [less(details.prepaid, prepaid_amount)]),
    ...payments.map(({ amount, payment_date }) => less(labels.paid, amount, format.day(payment_date))),
    ...(BigDecimal.isZero(amount_refunded) ? [] : [row(labels.refunded, amount_refunded)]),
    ...credits.map((note) => less(labels.credited, note.total, note.number)),
    ...(BigDecimal.isZero(other_credits) ? [] : [less(labels.credited, other_credits)]),
    ...(BigDecimal.isZero(refundable_amount) ? [] : [row(labels.overpaid, refundable_amount)]),
    row(labels.amount_due, balance_due, true)
  ]
}
