import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { ContactId, inText } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { Contact, ContactChanges, ContactDraft, contactsQuery } from "../Contact.ts"
import { TooManyContacts } from "../CustomerErrors.ts"

const params = { id: inText(ContactId) }

export class ContactsApi extends HttpApiGroup.make("contacts")
  .annotateMerge(tag("Contacts", "The contact persons of a customer; the primary contact receives documents."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: contactsQuery,
      success: listing(orDeletion(Contact)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List contacts",
        "The list is sorted by creation, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: ContactDraft,
      success: created(Contact),
      error: [ValidationFailed, TooManyContacts]
    }).annotateMerge(
      operation(
        "Create a contact",
        "Creates a contact of a customer. A new primary contact replaces the former one.",
        "contact.created",
        "contact.updated",
        "customer.updated"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Contact), error: NotFound }).annotateMerge(
      operation("Get a contact", "Returns one contact.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ContactChanges,
      success: data(Contact),
      error: [NotFound, ValidationFailed, TooManyContacts, PreconditionFailed]
    }).annotateMerge(
      operation(
        "Update a contact",
        "Changes the fields that the body has. A new primary contact replaces the former one.",
        "contact.updated",
        "customer.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(ContactId),
      error: [NotFound, PreconditionFailed]
    }).annotateMerge(operation("Delete a contact", "Deletes the contact.", "contact.deleted", "customer.updated"))
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/contacts") {}
