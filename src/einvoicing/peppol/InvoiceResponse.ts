import { DateTime, Option, Schema } from "effect"
import { isDay, Timestamp } from "../../kernel/Calendar.ts"
import { Line } from "../../kernel/Text.ts"
import { all, at, textAt, type XmlTree } from "../../platform/documents/XmlTree.ts"
import { element, textElement, xmlDocument } from "../../platform/documents/Xml.ts"
import { credit_note_types } from "../../expenses/receipts/extraction/EmbeddedInvoice.ts"
import type { DocumentReference } from "../invoice/ReceivedParties.ts"
import { DocumentType } from "../providers/Network.ts"
import type { ParticipantIdentifier, Progress } from "../providers/Provider.ts"
import { messageTree, statedStatus } from "../received/reading/StatedStatus.ts"

const specification = "urn:fdc:peppol.eu:poacc:trns:invoice_response:3"
const ubl = "urn:oasis:names:specification:ubl:schema:xsd"

/** The identifiers of the Invoice Response (Peppol BIS 63, version 3). */
export const response_service = {
  document_type: `${ubl}:ApplicationResponse-2::ApplicationResponse##${specification}::2.1`,
  process: "urn:fdc:peppol.eu:poacc:bis:invoice_response:3"
}

/** True if the type belongs to a message about a document, such as an Invoice Response, and not to a document. */
export const isMessage = (document_type: string): boolean => document_type.includes(":ApplicationResponse-2::")

interface Response {
  readonly id: string
  readonly at: DateTime.Utc
  readonly code: "AP" | "RE" | "PD"
  readonly reason: string | null
  readonly document_reference: DocumentReference
  readonly seller: ParticipantIdentifier
  readonly buyer: ParticipantIdentifier
}

const namespaces = {
  xmlns: `${ubl}:ApplicationResponse-2`,
  "xmlns:cac": `${ubl}:CommonAggregateComponents-2`,
  "xmlns:cbc": `${ubl}:CommonBasicComponents-2`
}

export const invoiceResponse = (response: Response): string => {
  const { at: instant, buyer, code, document_reference, id, reason, seller } = response
  const { buyer_name, issue_date, number, seller_name, type_code } = document_reference
  const [date, time = ""] = DateTime.formatIso(instant).split("T")
  return xmlDocument("ApplicationResponse", namespaces, [
    textElement("cbc:CustomizationID", specification),
    textElement("cbc:ProfileID", response_service.process),
    textElement("cbc:ID", id),
    textElement("cbc:IssueDate", date ?? null),
    textElement("cbc:IssueTime", time.replace(/\.\d+/, "")),
    element("cac:SenderParty", ...partyOf(buyer, buyer_name)),
    element("cac:ReceiverParty", ...partyOf(seller, seller_name)),
    element(
      "cac:DocumentResponse",
      element(
        "cac:Response",
        textElement("cbc:ResponseCode", code),
        reason === null ? null : element("cac:Status", ...clarificationOf(reason))
      ),
      element(
        "cac:DocumentReference",
        textElement("cbc:ID", number),
        textElement("cbc:IssueDate", issue_date.replace(/^(\d{4})(\d{2})/, "$1-$2-")),
        textElement("cbc:DocumentTypeCode", type_code)
      )
    )
  ])
}

/** If the party has no name, its address is used, because the message requires a name. */
const partyOf = ({ scheme, value }: ParticipantIdentifier, name: string | null) => [
  textElement("cbc:EndpointID", value, { schemeID: scheme }),
  element("cac:PartyLegalEntity", textElement("cbc:RegistrationName", name ?? value))
]

/** A reason that begins with a code of the list OPStatusReason and a colon. `OTH` is any other reason. */
const clarified = /^(NON|REF|LEG|REC|QUA|DEL|PRI|QTY|ITM|PAY|UNR|FIN|OTH):\s*(\S.*)$/s

const clarificationOf = (reason: string) => {
  const [, code = "OTH", text = reason] = clarified.exec(reason) ?? []
  return [
    textElement("cbc:StatusReasonCode", code, { listID: "OPStatusReason" }),
    textElement("cbc:StatusReason", text)
  ]
}

export const ReceivedResponse = Schema.Struct({
  number: Schema.String,
  document_type: DocumentType,
  code: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** The time that the message states, as UTC if it has no zone; null if it states none. */
  stated_at: Schema.NullOr(Timestamp)
})
export type ReceivedResponse = typeof ReceivedResponse.Type

/** Reads an Invoice Response; none when the text is another message. */
export const receivedResponse = (xml: string): Option.Option<ReceivedResponse> => {
  const root = Option.getOrUndefined(messageTree(xml))
  const response = at(root, "DocumentResponse", "Response")
  const reference = at(root, "DocumentResponse", "DocumentReference")
  if (root?.name !== "ApplicationResponse") return Option.none()
  const isCreditNote = credit_note_types.has(textAt(reference, "DocumentTypeCode") ?? "")
  const reasons = all(response, "Status").flatMap((status) => {
    const parts = [textAt(status, "StatusReasonCode"), textAt(status, "StatusReason")]
    return parts.filter((part) => part !== undefined).join(": ") || []
  })
  const stated = statedStatus({ number: textAt(reference, "ID"), code: textAt(response, "ResponseCode"), reasons })
  const document_type: DocumentType = isCreditNote ? "credit_note" : "invoice"
  return Option.map(stated, (status) => ({ ...status, document_type, stated_at: statedTime(root) }))
}

/** Without a time, the message may have been written until the end of its day. */
const statedTime = (root: XmlTree): Timestamp | null => {
  const [date = "", time = "23:59:59"] = [textAt(root, "IssueDate"), textAt(root, "IssueTime")]
  const day = date.slice(0, day_length)
  const text = `${day}T${time}${zone.test(time) ? "" : "Z"}`
  return isDay(day) ? Option.getOrNull(decodeTimestamp(text)) : null
}

const decodeTimestamp = Schema.decodeUnknownOption(Timestamp)

/** A date in XML may have a time zone after these characters. */
const day_length = "2026-07-01".length
const zone = /(?:Z|[+-]\d\d:\d\d)$/

export const ReceivedLevelResponse = Schema.Struct({
  /** The identifier of the envelope whose document the response is about. */
  envelope_id: Line,
  code: Schema.Literals(["AB", "AP", "RE"])
})

const decodeLevelResponse = Schema.decodeUnknownOption(ReceivedLevelResponse)

/** Reads a Message Level Response, which a recipient's access point sends; none when the text is another message. */
export const receivedLevelResponse = (xml: string): Option.Option<typeof ReceivedLevelResponse.Type> =>
  Option.flatMap(messageTree(xml), (root) =>
    decodeLevelResponse({
      envelope_id: textAt(at(root, "DocumentResponse", "DocumentReference"), "ID"),
      code: textAt(at(root, "DocumentResponse", "Response"), "ResponseCode")
    })
  )

/** Returns the state that a status code (UNCL4343) means. Any answer proves that the recipient has the document. */
export const progressOf = (code: string): Progress => progress[code] ?? "delivered"

/** A buyer who pays has accepted the invoice, and may report only the payment. */
const progress: Readonly<Record<string, Progress>> = { AP: "accepted", PD: "accepted", RE: "rejected" }
