import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { receivedUpload } from "../../platform/http/Upload.ts"
import { EinvoiceSignatures } from "../transmissions/EinvoiceSignatures.ts"
import { Einvoices } from "../documents/Einvoices.ts"
import { EinvoicesApi } from "./EinvoicesApi.ts"
import { Submissions } from "../documents/Submissions.ts"

export const EinvoicesHttp = HttpApiBuilder.group(
  contract.add(EinvoicesApi),
  "einvoices",
  Effect.fn(function* (handlers) {
    const einvoices = yield* Einvoices
    const submissions = yield* Submissions
    const signatures = yield* EinvoiceSignatures
    return handlers
      .handle("list", ({ query }) => paginateListing(query, einvoices.list))
      .handle("submit", ({ payload }) => submissions.submit(payload))
      .handle("get", ({ params }) => einvoices.get(params.id))
      .handle("status", ({ params }) => einvoices.status(params.id))
      .handle("evidence", ({ params }) => einvoices.evidence(params.id))
      .handleRaw("sign", ({ params }) => signatures.handIn(params.id, receivedUpload))
      .handle("validate", ({ payload }) => submissions.validate(payload))
  })
)
