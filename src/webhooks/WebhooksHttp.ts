import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { withETag } from "../platform/http/Precondition.ts"
import { Deliveries } from "./deliveries/Deliveries.ts"
import { catalog } from "./events/EventCatalog.ts"
import { Webhooks } from "./Webhooks.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

export const WebhooksHttp = HttpApiBuilder.group(
  contract.add(WebhooksApi),
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    return handlers.handleAll({
      list: ({ query }) => webhooks.list(query).pipe(paginate(query)),
      create: ({ payload }) => withETag(webhooks.create(payload)),
      events: () => Effect.succeed(catalog),
      get: ({ params }) => withETag(webhooks.get(params.id)),
      update: ({ params, payload }) => withETag(webhooks.update(params.id, payload)),
      remove: ({ params }) => webhooks.remove(params.id),
      logs: ({ params, query }) =>
        Effect.andThen(webhooks.get(params.id), deliveries.log(params.id, query).pipe(paginate(query))),
      test: ({ params }) => webhooks.test(params.id),
      rotateSecret: ({ params, payload }) => withETag(webhooks.rotateSecret(params.id, payload ?? {}))
    })
  })
)
