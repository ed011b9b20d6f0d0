import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { InvoiceId, inText, PaymentId } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { optionalBody } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { InvoiceLocked, NonChronological } from "../invoices/InvoiceErrors.ts"
import { NumberTaken } from "../numbering/NumberTaken.ts"
import { Payment, PaymentChanges, PaymentDraft, paymentsQuery, PaymentsSummary } from "./Payment.ts"
import { RefundDraft } from "./Payment.ts"
import { AlreadyPaid, AmountExceedsBalance, AmountExceedsRefundable, PaymentLocked } from "./PaymentErrors.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(PaymentId) }

/** Endpoints of the spec's section "Payments", and the payments summary of one invoice. */
export class PaymentsApi extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.get("list", "/payments", {
      query: paymentsQuery,
      success: listing(orDeletion(Payment)),
      error: ValidationFailed
    }),
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
    }),
    HttpApiEndpoint.get("get", "/payments/:id", { params, success: data(Payment), error: NotFound }),
    HttpApiEndpoint.put("update", "/payments/:id", {
      params,
      payload: PaymentChanges,
      success: data(Payment),
      error: [NotFound, PreconditionFailed, ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.delete("remove", "/payments/:id", {
      params,
      success: removed(PaymentId),
      error: [NotFound, PreconditionFailed, PaymentLocked, BooksLocked]
    }),
    HttpApiEndpoint.post("refund", "/payments/:id/refund", {
      params,
      payload: optionalBody(RefundDraft),
      success: data(Payment),
      error: [NotFound, ValidationFailed, AmountExceedsRefundable, BooksLocked]
    }),
    HttpApiEndpoint.get("summary", "/invoices/:invoiceId/payments/summary", {
      params: { invoiceId: inText(InvoiceId) },
      success: data(PaymentsSummary),
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1") {}
