import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { NotImplemented } from "./TemplateErrors.ts"
import { TemplatesApi } from "./TemplatesApi.ts"

const refuse = () => NotImplemented.of()

export const TemplatesHttp = HttpApiBuilder.group(
  contract.add(TemplatesApi),
  "templates",
  Effect.fn(function* (handlers) {
    return handlers.handleAll({ list: refuse, create: refuse, createInvoice: refuse })
  })
)
