import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Invoice, SentInvoice } from "../billing/invoices/Invoice.ts"
import { described } from "../kernel/Described.ts"
import { created, data } from "../kernel/Envelope.ts"
import { ValidationFailed } from "../kernel/Refusal.ts"
import { accepted, preferHeaders } from "../operations/Operation.ts"
import { TooManyOperations } from "../operations/OperationErrors.ts"
import { operation, tag, UsesOtherSystems } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { CreateInvoices, outcomeOf, removalQuery, SendInvoices, UpdateInvoices } from "./Batch.ts"
import { BatchFailed, BatchTooLarge } from "./BatchErrors.ts"

const error = [ValidationFailed, BatchTooLarge, BatchFailed] as const

const RemovedItem = Schema.Struct({ id: described(Schema.Int, "Id that the record had.") }).annotate({
  identifier: "RemovedItem",
  description: "A record that a batch removed."
})

export class BatchApi extends HttpApiGroup.make("batch")
  .annotateMerge(tag("Batch", "Up to 100 records in one request, each with its own result."))
  .add(
    HttpApiEndpoint.post("createInvoices", "/invoices/create", {
      payload: CreateInvoices,
      headers: preferHeaders,
      success: [created(outcomeOf(Invoice)), accepted],
      error: [...error, TooManyOperations]
    }).annotateMerge(
      operation(
        "Create invoices",
        "Creates up to 100 drafts. Each succeeds or fails by itself; `atomic` makes it all or nothing. If every " +
          "one fails, the answer is 422 with the same results. `Prefer: respond-async` runs the batch in the " +
          "background.",
        "invoice.created"
      )
    ),
    HttpApiEndpoint.post("sendInvoices", "/invoices/send", {
      payload: SendInvoices,
      headers: preferHeaders,
      success: [data(outcomeOf(SentInvoice)), accepted],
      error: [...error, TooManyOperations]
    })
      .annotateMerge(
        operation(
          "Send invoices",
          "Sends up to 100 invoices by e-mail, over an e-invoicing network or both. Each has its own result. " +
            "The network also requires the scope `einvoicing:submit`; without it, this channel of an item fails " +
            "with `missing_scope`. `Prefer: respond-async` runs the batch in the background.",
          "invoice.updated",
          "invoice.sent",
          "invoice.paid",
          "invoice.mail_refused",
          "einvoice.created",
          "einvoice.updated",
          "einvoice.sent",
          "einvoice.delivered",
          "einvoice.failed"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("updateInvoices", "/invoices/update", {
      payload: UpdateInvoices,
      success: data(outcomeOf(Invoice)),
      error
    }).annotateMerge(
      operation(
        "Update invoices",
        "Changes up to 100 invoices. Each succeeds or fails by itself; `atomic` makes it all or nothing.",
        "invoice.updated",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/resources", {
      query: removalQuery,
      success: data(outcomeOf(RemovedItem)),
      error
    }).annotateMerge(
      operation(
        "Delete records",
        "Deletes up to 100 records of one kind, under the rules of their own DELETE. It " +
          "needs the scope and the permission of that kind.",
        "attachment.deleted",
        "invoice.deleted",
        "invoice.updated",
        "quote.updated",
        "quote.deleted",
        "customer.deleted",
        "customer.updated",
        "contact.deleted",
        "payment.deleted",
        "expense.updated",
        "expense.deleted",
        "webhook.deleted"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/batch") {}
