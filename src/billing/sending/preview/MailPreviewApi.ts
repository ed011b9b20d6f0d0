import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../../kernel/Envelope.ts"
import { inText, OrganizationId } from "../../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { operation, tag } from "../../../platform/http/Contract.ts"
import { RequestValidation } from "../../../platform/http/RequestValidation.ts"
import { Authorization } from "../../../platform/http/Security.ts"
import { MailPreview, MailPreviewBody } from "./MailPreview.ts"

export class MailPreviewApi extends HttpApiGroup.make("mailPreview")
  .annotateMerge(tag("Mail preview", "Messages to customers, before they are sent."))
  .add(
    HttpApiEndpoint.post("create", "/:id/mail-preview", {
      params: { id: inText(OrganizationId) },
      payload: MailPreviewBody,
      success: data(MailPreview),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "Preview a mail",
        "Returns the message with which a document of 121.00 would be sent to a customer, with the organization's brand. " +
          "Nothing is stored or sent."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/organizations") {}
