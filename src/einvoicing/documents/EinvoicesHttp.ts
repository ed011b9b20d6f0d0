import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { Einvoices } from "./Einvoices.ts"
import { EinvoicesApi } from "./EinvoicesApi.ts"
import { Submissions } from "./Submissions.ts"

export const EinvoicesHttp = HttpApiBuilder.group(
  contract.add(EinvoicesApi),
  "einvoices",
  Effect.fn(function* (handlers) {
    const einvoices = yield* Einvoices
    const submissions = yield* Submissions
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, einvoices.list),
      submit: ({ payload }) => submissions.submit(payload),
      get: ({ params }) => einvoices.get(params.id),
      status: ({ params }) => einvoices.status(params.id),
      evidence: ({ params }) => einvoices.evidence(params.id),
      validate: ({ payload }) => submissions.validate(payload)
    })
  })
)
