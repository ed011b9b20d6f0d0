import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../kernel/Envelope.ts"
import { CustomerId, inText } from "../kernel/Ids.ts"
import { listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { operation, tag } from "../platform/http/Contract.ts"
import { Authorization } from "../platform/http/Security.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Customer, CustomerChanges, CustomerDraft, customersQuery } from "./Customer.ts"
import { CustomerHasDocuments } from "./CustomerErrors.ts"

const params = { id: inText(CustomerId) }

export class CustomersApi extends HttpApiGroup.make("customers")
  .annotateMerge(tag("Customers", "Whom an organization invoices."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: customersQuery,
      success: listing(orDeletion(Customer)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List customers",
        "The list is sorted by creation, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CustomerDraft,
      success: created(Customer),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "Create a customer",
        "Creates a customer; only `name` is required. The identifier of an e-invoicing network needs both its " +
          "scheme and its value, and the check digits must fit.",
        "customer.created"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Customer), error: NotFound }).annotateMerge(
      operation("Get a customer", "Returns one customer with the contacts.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: CustomerChanges,
      success: data(Customer),
      error: [NotFound, ValidationFailed, PreconditionFailed]
    }).annotateMerge(
      operation(
        "Update a customer",
        "Changes the fields that the body has. A new identifier of an e-invoicing network has to be verified again.",
        "customer.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(CustomerId),
      error: [NotFound, CustomerHasDocuments, PreconditionFailed]
    }).annotateMerge(
      operation(
        "Delete a customer",
        "Deletes the customer with the contacts. A customer with a numbered draft, or with a document other than a " +
          "draft, is refused with 422 `customer_has_documents`, because these documents must be kept.",
        "contact.deleted",
        "customer.deleted"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
