import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { Contacts } from "./Contacts.ts"
import { ContactsApi } from "./ContactsApi.ts"

export const ContactsHttp = HttpApiBuilder.group(
  contract.add(ContactsApi),
  "contacts",
  Effect.fn(function* (handlers) {
    const contacts = yield* Contacts
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, contacts.list),
      create: ({ payload }) => withETag(contacts.create(payload)),
      get: ({ params }) => withETag(contacts.get(params.id)),
      update: ({ params, payload }) => withETag(contacts.update(params.id, payload)),
      remove: ({ params }) => contacts.remove(params.id)
    })
  })
)
