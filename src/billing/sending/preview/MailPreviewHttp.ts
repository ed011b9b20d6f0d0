import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../../platform/http/Contract.ts"
import { MailPreviewApi } from "./MailPreviewApi.ts"
import { MailPreviews } from "./MailPreviews.ts"

export const MailPreviewHttp = HttpApiBuilder.group(
  contract.add(MailPreviewApi),
  "mailPreview",
  Effect.fn(function* (handlers) {
    const previews = yield* MailPreviews
    return handlers.handleAll({ create: ({ payload }) => previews.create(payload) })
  })
)
