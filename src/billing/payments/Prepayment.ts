import { BigDecimal, Effect } from "effect"
import { noClientData } from "../../kernel/ClientData.ts"
import { now } from "../../kernel/Calendar.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import { orNotFound } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import { withState } from "./Payment.ts"
import { paymentEntry, paymentEvent } from "./PaymentAudit.ts"
import { newPayment } from "./PaymentRules.ts"
import type { PaymentsRepo } from "./PaymentsRepo.ts"

/**
 * Books the prepaid amount of an invoice as a payment, once, so that money of it can be refunded and matched with a bank
 * line as that of other payments. No sum of the invoice changes, because they include the prepaid amount already.
 */
export const bookPrepayment = (repo: PaymentsRepo["Service"], invoices: InvoicesRepo["Service"]) =>
  Effect.fnUntraced(function* (id: InvoiceId) {
    const { id: organization_id } = yield* CurrentOrganization
    const { payment_id, ...invoice } = yield* orNotFound(invoices.lockForPayment({ organization_id, id }))
    const isBooked = (yield* repo.ofInvoice(organization_id, id)).some(({ is_prepayment }) => is_prepayment)
    if (isBooked || BigDecimal.isZero(invoice.prepaid_amount)) return
    const at = yield* now
    const instruction = {
      amount: invoice.prepaid_amount,
      currency: invoice.currency,
      payment_date: invoice.issue_date,
      payment_method: "other" as const,
      reference: null,
      notes: null,
      bank_transaction_id: null,
      ...noClientData
    }
    const payment = withState({ ...newPayment(payment_id, invoice, instruction, at), is_prepayment: true })
    const entry = yield* paymentEntry("payment.created", payment, [yield* paymentEvent("payment.created", payment)])
    const moved = { ...invoice, updated_at: at, version: invoice.version + 1 }
    // The payment has no external id, which another one might have.
    yield* repo.record(organization_id, payment, moved, entry).pipe(Effect.catchTag("ValidationFailed", Effect.die))
  })
