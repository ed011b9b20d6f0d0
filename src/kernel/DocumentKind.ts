import { Schema } from "effect"
import { OrganizationId } from "./Ids.ts"

export const DocumentKind = Schema.Literals(["invoice", "quote", "credit_note"])
export type DocumentKind = typeof DocumentKind.Type

/** `document_id` is the id of the document in the table of its kind. */
export const DocumentKey = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})
export type DocumentKey = typeof DocumentKey.Type
