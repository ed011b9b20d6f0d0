import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { refusal } from "../../kernel/Refusal.ts"
import { Authentication } from "../../platform/http/Security.ts"

/** The spec names the template operations and has them answer 501, always. */
export class NotImplemented extends Schema.Error<NotImplemented>("NotImplemented")(
  refusal("NotImplemented", "not_implemented"),
  { httpApiStatus: 501 }
) {
  static of() {
    return new NotImplemented({ message: "Invoice templates are not implemented." })
  }
}

const never = { success: Schema.Never, error: NotImplemented } as const

/** Spec, Endpoints: Credit notes and templates. Whoever shows no live token hears that first. */
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
