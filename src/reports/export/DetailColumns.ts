import type { ColumnKind } from "./Export.ts"

type Detail = readonly [kind: ColumnKind, expression: string]

const json = (name: string): Detail => ["json", `x.details -> '${name}'`]
const text = (kind: ColumnKind, name: string): Detail => [kind, `x.details ->> '${name}'`]

/**
 * The optional fields of documents, one column each. A test compares them with the fields of the endpoints' answers.
 */
export const credit_note_details = {
  delivery_date: text("day", "delivery_date"),
  delivery_period: json("delivery_period"),
  delivery_address: json("delivery_address"),
  purchase_order: text("words", "purchase_order"),
  buyer_reference: text("words", "buyer_reference"),
  contract_reference: text("words", "contract_reference"),
  project_reference: text("words", "project_reference"),
  operation_nature: text("code", "operation_nature"),
  corrective_cause: json("corrective_cause")
}

const { corrective_cause: _, ...common } = credit_note_details

export const quote_details = { ...common, payee: json("payee"), payment_means: json("payment_means") }

export const invoice_details = { ...quote_details, embedded_attachment_ids: json("embedded_attachment_ids") }
