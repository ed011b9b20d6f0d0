import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authentication } from "../../platform/http/Security.ts"
import { NotImplemented } from "./TemplateErrors.ts"

const never = { success: Schema.Never, error: NotImplemented } as const

/** Spec, Endpoints: Credit notes and templates. A request without a valid token gets 401 before 501. */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/", never),
    HttpApiEndpoint.post("create", "/", never),
    HttpApiEndpoint.post("createInvoice", "/:templateId/create-invoice", {
      params: { templateId: Schema.String },
      ...never
    })
  )
  .middleware(Authentication)
  .prefix("/api/v1/templates") {}
