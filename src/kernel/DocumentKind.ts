import { Schema } from "effect"
import { OrganizationId } from "./Ids.ts"

/** Kinds of numbered documents that an organization sends to its customers. */
export const DocumentKind = Schema.Literals(["invoice", "quote", "credit_note"])
export type DocumentKind = typeof DocumentKind.Type

/** Key of a document of any kind; `document_id` is its id in the table of its kind. */
export const DocumentKey = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})
export type DocumentKey = typeof DocumentKey.Type
