import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { InvoiceId, inText, PaymentId } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, optionalBody, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { Invoice } from "../invoices/Invoice.ts"
import { InvoiceLocked, NonChronological } from "../invoices/InvoiceErrors.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import { Payment, PaymentChanges, PaymentDraft, paymentsQuery, PaymentsSummary, RefundDraft } from "./Payment.ts"
import { AlreadyPaid, AmountExceedsBalance, AmountExceedsRefundable, PaymentLocked } from "./PaymentErrors.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"

const params = { id: inText(PaymentId) }

export class PaymentsApi extends HttpApiGroup.make("payments")
  .annotateMerge(tag("Payments", "Money received for invoices, and refunds of it."))
  .add(
    HttpApiEndpoint.get("list", "/payments", {
      query: paymentsQuery,
      success: listing(orDeletion(Payment)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List payments",
        "The list is sorted by date of payment, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("create", "/payments", {
      payload: PaymentDraft,
      success: created(Payment),
      error: [
        ValidationFailed,
        AlreadyPaid,
        AmountExceedsBalance,
        InvoiceLocked,
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked
      ]
    }).annotateMerge(
      operation(
        "Record a payment",
        "Records money received for an invoice, in the currency of the invoice, and issues a draft first. More " +
          "than the balance is refused with 422 `amount_exceeds_balance`, unless the organization allows " +
          "overpayments.",
        "payment.created",
        "invoice.paid",
        "invoice.partially_paid",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.get("get", "/payments/:id", { params, success: data(Payment), error: NotFound }).annotateMerge(
      operation("Get a payment", "Returns one payment with the refunds.")
    ),
    HttpApiEndpoint.put("update", "/payments/:id", {
      params,
      payload: PaymentChanges,
      success: data(Payment),
      error: [NotFound, PreconditionFailed, ValidationFailed, BooksLocked]
    }).annotateMerge(
      operation(
        "Update a payment",
        "Changes date, method, reference, notes and your own data. The amount cannot be changed: delete the " +
          "payment and record another one.",
        "payment.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/payments/:id", {
      params,
      success: removed(PaymentId),
      error: [NotFound, PreconditionFailed, PaymentLocked, BooksLocked]
    }).annotateMerge(
      operation(
        "Delete a payment",
        "Deletes the payment, so the balance of its invoice increases again. A refunded or reconciled payment is " +
          "refused with 422 `payment_locked`.",
        "payment.deleted",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.post("refund", "/payments/:id/refund", {
      params,
      payload: optionalBody(RefundDraft),
      success: data(Payment),
      error: [NotFound, ValidationFailed, AmountExceedsRefundable, BooksLocked]
    }).annotateMerge(
      operation(
        "Refund a payment",
        "Records a refund, by default of everything that is left of the payment. More than that is refused " +
          "with 422 `amount_exceeds_refundable`. The balance of the invoice grows again.",
        "payment.refunded",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.post("refundInvoice", "/invoices/:invoiceId/refund", {
      params: { invoiceId: inText(InvoiceId) },
      payload: optionalBody(RefundDraft),
      success: data(Invoice),
      error: [NotFound, ValidationFailed, AmountExceedsRefundable, BooksLocked]
    }).annotateMerge(
      operation(
        "Refund an invoice",
        "Records refunds of the `refundable_amount` of the invoice, by which payments and credit notes exceed its " +
          "total. They reduce the latest payments first, and then the amount that was paid before the invoice " +
          "(`prepaid_amount`), which becomes a payment with `is_prepayment: true`. More than `refundable_amount` is " +
          "refused with 422 `amount_exceeds_refundable`.",
        "payment.created",
        "payment.refunded",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.get("summary", "/invoices/:invoiceId/payments/summary", {
      params: { invoiceId: inText(InvoiceId) },
      success: data(PaymentsSummary),
      error: NotFound
    }).annotateMerge(
      operation(
        "Summarize the payments of an invoice",
        "Returns the paid, refunded and credited amounts, and the balance."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1") {}
