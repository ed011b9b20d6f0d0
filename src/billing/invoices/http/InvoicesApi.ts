import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerDeleted } from "../../../customers/CustomerErrors.ts"
import { created, data, page, pageQuery, removed } from "../../../kernel/Envelope.ts"
import { InvoiceId, inText } from "../../../kernel/Ids.ts"
import { listing, orDeletion } from "../../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { Forbidden } from "../../../platform/http/Refusals.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../../../platform/http/Contract.ts"
import { RequestValidation } from "../../../platform/http/RequestValidation.ts"
import { Authorization } from "../../../platform/http/Security.ts"
import { PdfFile } from "../../printing/PdfFile.ts"
import { DocumentDelivery, SendBody } from "../../sending/Send.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../../sending/SendErrors.ts"
import { MarkPaid } from "../../payments/Payment.ts"
import { AlreadyPaid, AmountExceedsBalance } from "../../payments/PaymentErrors.ts"
import { Invoice, InvoiceSummary, MarkSent, invoicesQuery, SentInvoice } from "../Invoice.ts"
import { InvoiceChanges, InvoiceDraft } from "../writing/InvoiceDraft.ts"
import { InvoiceLocked, NonChronological } from "../InvoiceErrors.ts"
import { NumberTaken } from "../../numbering/NumberTaken.ts"
import { BooksLocked } from "../../../kernel/BooksLocked.ts"

const params = { id: inText(InvoiceId) }

export class InvoicesApi extends HttpApiGroup.make("invoices")
  .annotateMerge(
    tag(
      "Invoices",
      "An invoice begins as a draft, gets its number when it is issued, and is then settled by payments and " +
        "credit notes."
    )
  )
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: invoicesQuery,
      success: listing(orDeletion(InvoiceSummary)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List invoices",
        "The list is sorted by date of issue, newest first. Read it by page, or by `cursor` to sync it. Rows " +
          "have no lines; read these with the invoice itself."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: InvoiceDraft,
      success: created(Invoice),
      error: [ValidationFailed, NumberTaken, BooksLocked]
    }).annotateMerge(
      operation(
        "Create an invoice",
        "Creates a draft, which has no number yet: the number is given when the invoice is issued by send, " +
          "mark-sent, mark-paid or its first payment. A line without `tax_rate_ids` gets the default tax rates of " +
          "the organization. An unknown customer or tax rate is refused with 422.",
        "invoice.created"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Invoice), error: NotFound }).annotateMerge(
      operation("Get an invoice", "Returns one invoice with lines, taxes and the balance due.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: InvoiceChanges,
      success: data(Invoice),
      error: [NotFound, PreconditionFailed, InvoiceLocked, ValidationFailed, BooksLocked]
    }).annotateMerge(
      operation(
        "Update an invoice",
        "Changes the fields that the body has; `items` replaces all lines. An issued invoice is locked (422 " +
          "`invoice_locked`) except for its due date and your own data.",
        "invoice.updated",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(InvoiceId),
      error: [NotFound, PreconditionFailed, InvoiceLocked, Forbidden, BooksLocked]
    }).annotateMerge(
      operation(
        "Delete an invoice",
        "Deletes a draft. An issued invoice is refused with 422 `invoice_locked`: correct it with a credit note.",
        "attachment.deleted",
        "invoice.deleted",
        "quote.updated",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Invoice),
      error: [NotFound, ValidationFailed, NumberTaken, BooksLocked]
    }).annotateMerge(
      operation(
        "Duplicate an invoice",
        "Creates a draft with the same lines, dated today and with the same time to pay. Attachments, the time of the " +
          "delivery, the prepaid amount and the exchange rate are not copied.",
        "invoice.created"
      )
    ),
    HttpApiEndpoint.post("markPaid", "/:id/mark-paid", {
      params,
      payload: optionalBody(MarkPaid),
      success: data(Invoice),
      error: [
        NotFound,
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
        "Mark an invoice as paid",
        "Records a payment, by default of the whole balance, and issues a draft first. A draft with nothing to pay is " +
          "only issued. An amount above the balance is " +
          "refused with 422 `amount_exceeds_balance`, unless the organization allows overpayments; a paid invoice " +
          "always with 422 `already_paid`.",
        "payment.created",
        "invoice.paid",
        "invoice.partially_paid",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.post("markSent", "/:id/mark-sent", {
      params,
      payload: optionalBody(MarkSent),
      success: data(Invoice),
      error: [NotFound, InvoiceLocked, NonChronological, NumberTaken, CustomerDeleted, BooksLocked]
    }).annotateMerge(
      operation(
        "Mark an invoice as sent",
        "Issues the draft, which gives it its number and locks it, without sending anything. An invoice that is " +
          "already sent stays unchanged.",
        "invoice.sent",
        "invoice.paid"
      )
    ),
    HttpApiEndpoint.post("send", "/:id/send", {
      params,
      payload: optionalBody(SendBody),
      success: data(SentInvoice),
      error: [
        NotFound,
        ValidationFailed,
        NoRecipient,
        DeliveryFailed,
        SendInProgress,
        InvoiceLocked,
        NonChronological,
        NumberTaken,
        CustomerDeleted,
        BooksLocked,
        PdfUnavailable,
        PdfTooComplex
      ]
    })
      .annotateMerge(
        operation(
          "Send an invoice",
          "Issues the invoice and sends it by e-mail with a link to the portal and the PDF. Without `recipients` " +
            "it goes to the primary contact, then to the customer. The answer has a result per recipient. If no " +
            "message can be delivered, the answer is 422 `delivery_failed` and a draft stays a draft.",
          "invoice.updated",
          "invoice.sent",
          "invoice.paid",
          "invoice.mail_refused"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params,
      query: pageQuery,
      success: page(DocumentDelivery),
      error: NotFound
    }).annotateMerge(
      operation(
        "List the deliveries of an invoice",
        "Returns the latest result for each recipient, for 30 days. A `pending` message becomes `accepted`, or `refused` " +
          "after 7 attempts within 24 hours."
      )
    ),
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      success: PdfFile,
      error: [NotFound, PdfUnavailable, PdfTooComplex]
    }).annotateMerge(
      operation("Download the PDF of an invoice", "Returns the PDF. The PDF of a draft says that it is one.")
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/invoices") {}
