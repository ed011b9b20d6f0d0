import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../kernel/Envelope.ts"
import { CustomerId, inText } from "../kernel/Ids.ts"
import { listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { Authorization } from "../platform/http/Security.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Customer, CustomerChanges, CustomerDraft, customersQuery } from "./Customer.ts"
import { CustomerHasDocuments } from "./CustomerErrors.ts"

const params = { id: inText(CustomerId) }

/** Implements the spec's "Endpoints: Customers". */
export class CustomersApi extends HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: customersQuery,
      success: listing(orDeletion(Customer)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: CustomerDraft,
      success: created(Customer),
      error: ValidationFailed
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Customer), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: CustomerChanges,
      success: data(Customer),
      error: [NotFound, ValidationFailed, PreconditionFailed]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(CustomerId),
      error: [NotFound, CustomerHasDocuments, PreconditionFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
