import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CustomerId, inText } from "../kernel/Ids.ts"
import { deletableQuery, listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { InvoiceSummary, invoicesSorting, StatusFilter } from "./invoices/Invoice.ts"
import { quotesSorting, QuoteStatus, QuoteSummary } from "./quotes/Quote.ts"

const params = { id: inText(CustomerId) }

/** Endpoints of the spec's section "Customers" for the documents of one customer. */
export class CustomerDocumentsApi extends HttpApiGroup.make("customerDocuments")
  .add(
    HttpApiEndpoint.get("invoices", "/:id/invoices", {
      params,
      query: { ...deletableQuery(invoicesSorting), status: Schema.optionalKey(StatusFilter) },
      success: listing(orDeletion(InvoiceSummary)),
      error: [NotFound, ValidationFailed]
    }),
    HttpApiEndpoint.get("quotes", "/:id/quotes", {
      params,
      query: { ...deletableQuery(quotesSorting), status: Schema.optionalKey(QuoteStatus) },
      success: listing(orDeletion(QuoteSummary)),
      error: [NotFound, ValidationFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
