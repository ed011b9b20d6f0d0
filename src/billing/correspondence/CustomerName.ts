import type { DocumentKind } from "../../kernel/DocumentKind.ts"

/** SQL conditions for documents that print the correspondents of their issue, not the present ones. */
const issued: Readonly<Record<DocumentKind, (alias: string) => string>> = {
  invoice: (alias) => `${alias}.issued_at is not null`,
  quote: (alias) => `${alias}.status <> 'draft'`,
  credit_note: (alias) => `${alias}.number is not null`
}

/**
 * Returns the SQL of the customer's name on a document: the name at the time of issue, which the PDF also shows, or the
 * present name for a draft. `alias` is the alias of the document's table, and `d` that of its row of `debtors`.
 */
export const customerNameOn = (kind: DocumentKind, alias: string): string => `coalesce(
  (select k.customer ->> 'name' from document_correspondents k where k.organization_id = ${alias}.organization_id
    and k.document = '${kind}' and k.document_id = ${alias}.id and ${issued[kind](alias)}), d.name)`

/** Returns the SQL of the field `customer` of a document. */
export const customerOn = (kind: DocumentKind, alias: string): string =>
  `json_build_object('id', d.id, 'name', ${customerNameOn(kind, alias)})`
