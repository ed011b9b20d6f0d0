import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerId, inText } from "../kernel/Ids.ts"
import { deletableQuery, listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { operation, tag } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { InvoiceSummary, invoicesQuery, invoicesSorting } from "./invoices/Invoice.ts"
import { quotesQuery, quotesSorting, QuoteSummary } from "./quotes/Quote.ts"

const params = { id: inText(CustomerId) }

export class CustomerDocumentsApi extends HttpApiGroup.make("customerDocuments")
  .annotateMerge(tag("Customer documents", "Invoices and quotes of one customer."))
  .add(
    HttpApiEndpoint.get("invoices", "/:id/invoices", {
      params,
      query: { ...deletableQuery(invoicesSorting), status: invoicesQuery.status },
      success: listing(orDeletion(InvoiceSummary)),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "List the invoices of a customer",
        "The list is sorted by date of issue, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.get("quotes", "/:id/quotes", {
      params,
      query: { ...deletableQuery(quotesSorting), status: quotesQuery.status },
      success: listing(orDeletion(QuoteSummary)),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "List the quotes of a customer",
        "The list is sorted by date of issue, newest first. Read it by page, or by `cursor` to sync it."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
