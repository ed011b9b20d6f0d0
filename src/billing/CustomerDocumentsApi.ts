import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { page, pageQuery } from "../kernel/Envelope.ts"
import { CustomerId, inText } from "../kernel/Ids.ts"
import { NotFound } from "../kernel/Refusal.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { InvoiceSummary, StatusFilter } from "./invoices/Invoice.ts"
import { QuoteStatus, QuoteSummary } from "./quotes/Quote.ts"

const params = { id: inText(CustomerId) }

/** Spec, Endpoints: Customers: the documents of one of them. */
export class CustomerDocumentsApi extends HttpApiGroup.make("customerDocuments")
  .add(
    HttpApiEndpoint.get("invoices", "/:id/invoices", {
      params,
      query: { ...pageQuery, status: Schema.optionalKey(StatusFilter) },
      success: page(InvoiceSummary),
      error: NotFound
    }),
    HttpApiEndpoint.get("quotes", "/:id/quotes", {
      params,
      query: { ...pageQuery, status: Schema.optionalKey(QuoteStatus) },
      success: page(QuoteSummary),
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
