import { Schema, Struct } from "effect"
import { described } from "../../../kernel/Described.ts"
import { DocumentKind } from "../../../kernel/DocumentKind.ts"
import { nullable } from "../../../kernel/Text.ts"
import { MailTexts } from "../../../organizations/profile/BrandSettings.ts"
import { pageLanguages } from "../../../platform/pages/PageLanguage.ts"
import { SendBody } from "../Send.ts"

export const MailPreviewBody = Schema.Struct({
  kind: described(DocumentKind, "Kind of the document that the message delivers."),
  language: described(Schema.Literals(pageLanguages), "Language of the customer."),
  mail_texts: described(
    nullable(MailTexts),
    "Subjects and texts to try, in the form of the setting `mail_texts`; absent or null: the organization's own ones."
  ),
  ...Struct.pick(SendBody.fields, ["message", "attach_pdf"])
}).annotate({ identifier: "MailPreviewOptions", description: "The message to preview." })
export type MailPreviewBody = typeof MailPreviewBody.Type

export const MailPreview = Schema.Struct({
  subject: described(Schema.String, "Subject of the message.", "Invoice INV-2026-0001 from Acme"),
  text: described(Schema.String, "Text part of the message."),
  html: described(Schema.String, "HTML part of the message, as a whole document that contains the logo.")
}).annotate({ identifier: "MailPreview", description: "A message about a document that does not exist." })
export type MailPreview = typeof MailPreview.Type
