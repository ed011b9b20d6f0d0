import { Schema } from "effect"
import { OrganizationId } from "./Ids.ts"

/** What an organization brings to its customers under a number. */
export const DocumentKind = Schema.Literals(["invoice", "quote", "credit_note"])
export type DocumentKind = typeof DocumentKind.Type

/** One document, of whichever kind: `document_id` is an id of the kind's own table. */
export const DocumentKey = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})
export type DocumentKey = typeof DocumentKey.Type
