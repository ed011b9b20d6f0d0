import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { ContactId, inText } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { Contact, ContactChanges, ContactDraft, contactsQuery } from "./Contact.ts"

const params = { id: inText(ContactId) }

/** Implements the spec's "Endpoints: Contacts". */
export class ContactsApi extends HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: contactsQuery,
      success: listing(orDeletion(Contact)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: ContactDraft,
      success: created(Contact),
      error: ValidationFailed
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Contact), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ContactChanges,
      success: data(Contact),
      error: [NotFound, ValidationFailed, PreconditionFailed]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(ContactId),
      error: [NotFound, PreconditionFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/contacts") {}
