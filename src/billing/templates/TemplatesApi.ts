import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { operation, tag } from "../../platform/http/Contract.ts"
import { Authentication } from "../../platform/http/Security.ts"
import { NotImplemented } from "./TemplateErrors.ts"
import { described } from "../../kernel/Described.ts"

const never = { success: Schema.Never, error: NotImplemented } as const

/** A request without a valid token gets 401 instead of 501 (rules/conventions.md, Errors). */
export class TemplatesApi extends HttpApiGroup.make("templates")
  .annotateMerge(tag("Templates", "Invoice templates are not implemented: every operation answers 501."))
  .add(
    HttpApiEndpoint.get("list", "/", never).annotateMerge(operation("List templates", "Not implemented: answers 501.")),
    HttpApiEndpoint.post("create", "/", never).annotateMerge(
      operation("Create a template", "Not implemented: answers 501.")
    ),
    HttpApiEndpoint.post("createInvoice", "/:templateId/create-invoice", {
      params: { templateId: described(Schema.String, "Id of a template.") },
      ...never
    }).annotateMerge(operation("Create an invoice from a template", "Not implemented: answers 501."))
  )
  .middleware(Authentication)
  .prefix("/api/v1/templates") {}
