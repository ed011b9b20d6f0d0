import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../kernel/Refusal.ts"
import { contract } from "../platform/http/Contract.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { withETag } from "../platform/http/Precondition.ts"
import { type Logo, Logos } from "./logo/Logos.ts"
import { Organizations } from "./Organizations.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"

export const OrganizationsHttp = HttpApiBuilder.group(
  contract.add(OrganizationsApi),
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const logos = yield* Logos
    return handlers.handleAll({
      list: ({ query }) => organizations.list(query).pipe(paginate(query)),
      get: ({ params }) => withETag(organizations.get(params.id)),
      update: ({ params, payload }) => withETag(organizations.update(params.id, payload)),
      logo: ({ params }) =>
        Effect.flatMap(
          logos.current(params.id),
          Option.match({ onNone: () => NotFound.of(), onSome: (logo) => Effect.succeed(fileOf(logo)) })
        )
    })
  })
)

const fileOf = ({ png, sha256 }: Logo) =>
  HttpServerResponse.uint8Array(png, {
    contentType: "image/png",
    headers: { etag: `"${sha256}"`, "x-content-type-options": "nosniff" }
  })
