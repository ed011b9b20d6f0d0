import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { withETag } from "../platform/http/Precondition.ts"
import { Organizations } from "./Organizations.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"

export const OrganizationsHttp = HttpApiBuilder.group(
  contract.add(OrganizationsApi),
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    return handlers.handleAll({
      list: ({ query }) => organizations.list(query).pipe(paginate(query)),
      get: ({ params }) => withETag(organizations.get(params.id)),
      update: ({ params, payload }) => withETag(organizations.update(params.id, payload))
    })
  })
)
