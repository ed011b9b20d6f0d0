import { Schema } from "effect"

/** What an organization brings to its customers under a number. */
export const DocumentKind = Schema.Literals(["invoice", "quote", "credit_note"])
export type DocumentKind = typeof DocumentKind.Type
