import { Effect } from "effect"
import type { NewTransmission } from "../../archive/objects/Transmission.ts"
import type { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import type { DocumentReference } from "../invoice/ReceivedParties.ts"
import type { SentMessage } from "../providers/Provider.ts"
import type { ReceivedFacts } from "./Received.ts"

/** Returns the fields by which the filters of the archive find all objects about a received document. */
export const paperOf = (
  facts: Pick<ReceivedFacts, "organization_id" | "environment" | "number" | "issue_date" | "total" | "currency">,
  counterparty_name: string | null
) => {
  const { currency, environment, issue_date, number, organization_id, total } = facts
  // Only the organization's own documents have a type and an id; a received document belongs to the supplier.
  const document = { document_type: null, document_id: null, number, issue_date, amount: total, currency }
  return { organization_id, environment, ...document, counterparty_name }
}

/**
 * Returns the fields of a document that an answer to the supplier repeats; null if the document lacks them. The other
 * fields of the document replace them if it arrived before they were kept.
 */
export const referenceOf = (facts: ReceivedFacts): DocumentReference | null => {
  const { document_reference, document_type, issue_date, number, supplier } = facts
  if (document_reference !== null || number === null || issue_date === null) return document_reference
  const type_code = document_type === "credit_note" ? "381" : "380"
  return { number, type_code, issue_date: issue_date.replaceAll("-", ""), seller_name: supplier.name, buyer_name: null }
}

/** Archives a message to a supplier once, and returns the exchange. Must run outside of any transaction. */
export const keepSent = Effect.fnUntraced(function* (
  archive: Transmissions["Service"],
  facts: ReceivedFacts,
  { at, code, receipt, reference }: SentMessage
) {
  const { environment, number, organization_id, provider: network, supplier, transmission_id } = facts
  const { bytes, content_type, type } = receipt
  const kind = { object_kind: "evidence", direction: "outbound", content_type } as const
  const { object_id } = yield* archive.keep({ ...paperOf(facts, supplier.name), ...kind }, bytes)
  const exchange: NewTransmission = {
    organization_id,
    id: `received:${network}:${transmission_id}:${code}`,
    at,
    direction: "outbound",
    network,
    environment,
    type,
    code,
    reference,
    document_type: null,
    document_id: null,
    number,
    object_id
  }
  return exchange
})
