import { DateTime } from "effect"
import { element, textElement, xmlDocument, type XmlPart } from "../../../platform/documents/Xml.ts"
import type { Day } from "../../../kernel/Calendar.ts"
import type { ReceivedParties } from "../../invoice/ReceivedParties.ts"
import { directory_scheme } from "../../countries/FrenchCodes.ts"

/** The statuses that this service reports, with their names and their codes of UNTDID 1373. */
const reports = {
  "204": { name: "Prise en charge", status: "45" },
  "205": { name: "Approuvée", status: "1" },
  "210": { name: "Refusée", status: "50" },
  "211": { name: "Paiement transmis", status: "47" },
  "212": { name: "Encaissée", status: "47" }
} as const

/** An amount that was paid, with tax. Only the seller's messages divide it among the tax rates, and state the day. */
export interface PaidAmount {
  readonly amount: string
  readonly currency: string
  readonly rate: string | null
  readonly received_on: Day | null
}

interface Report {
  readonly code: keyof typeof reports
  readonly document: ReceivedParties
  readonly issuer: "seller" | "buyer"
  readonly at: DateTime.Utc
  readonly reason?: { readonly code: string; readonly text: string }
  readonly paid?: ReadonlyArray<PaidAmount>
  /** True if the seller owes VAT on services when they are invoiced. */
  readonly isDueOnInvoice?: boolean
}

const namespaces = {
  "xmlns:rsm": "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100",
  "xmlns:ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
  "xmlns:qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
  "xmlns:udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
}

/** The type of life cycle messages that sellers and buyers send (BR-FR-CDV-CL-02). */
const processing_phase = "23"
const roles = { seller: "SE", buyer: "BY" } as const

/** Writes a life cycle message (CDAR) about one document. */
export const lifecycleMessage = (report: Report): string => {
  const { at, code, document, isDueOnInvoice = false, issuer, paid, reason } = report
  const stamp = stampOf(at)
  const { name, status } = reports[code]
  const { issue_date, number, seller, type_code } = document
  const other = issuer === "seller" ? "buyer" : "seller"
  const identity = `${number}_${code}_${stamp}#${type_code}_${issue_date}`
  return xmlDocument("rsm:CrossDomainAcknowledgementAndResponse", namespaces, [
    element(
      "rsm:ExchangedDocumentContext",
      element("ram:BusinessProcessSpecifiedDocumentContextParameter", textElement("ram:ID", "REGULATED")),
      element(
        "ram:GuidelineSpecifiedDocumentContextParameter",
        textElement("ram:ID", "urn.cpro.gouv.fr:1p0:CDV:invoice")
      )
    ),
    element(
      "rsm:ExchangedDocument",
      textElement("ram:ID", identity),
      element("ram:IssueDateTime", dateTime("udt", "204", stamp)),
      element("ram:SenderTradeParty", textElement("ram:RoleCode", roles[issuer])),
      element("ram:IssuerTradeParty", ...partyOf(document, issuer)),
      element("ram:RecipientTradeParty", ...partyOf(document, other), addressOf(document, other)),
      code === "212" && !isDueOnInvoice ? portal : null
    ),
    element(
      "rsm:AcknowledgementDocument",
      element("ram:MultipleReferencesIndicator", textElement("udt:Indicator", "false")),
      textElement("ram:TypeCode", processing_phase),
      element("ram:IssueDateTime", dateTime("udt", "204", stamp)),
      element(
        "ram:ReferenceReferencedDocument",
        textElement("ram:IssuerAssignedID", number),
        textElement("ram:StatusCode", status),
        textElement("ram:TypeCode", type_code),
        element("ram:FormattedIssueDateTime", dateTime("qdt", "102", issue_date)),
        textElement("ram:ProcessConditionCode", code),
        textElement("ram:ProcessCondition", name),
        element("ram:IssuerTradeParty", globalId(seller.register)),
        reason === undefined ? null : element("ram:SpecifiedDocumentStatus", ...refusalOf(reason)),
        paid === undefined ? null : element("ram:SpecifiedDocumentStatus", sequence, ...paid.map(paidPart(issuer)))
      )
    )
  ])
}

/** A received payment is also reported to the portal of the state (PPF), if VAT becomes due by the payment. */
const portal = element(
  "ram:RecipientTradeParty",
  textElement("ram:GlobalID", "0000", { schemeID: "0238" }),
  textElement("ram:Name", "PPF"),
  textElement("ram:RoleCode", "DFH")
)

const sequence = textElement("ram:SequenceNumeric", "1")

const refusalOf = ({ code, text }: NonNullable<Report["reason"]>): ReadonlyArray<XmlPart> => [
  textElement("ram:ReasonCode", code),
  textElement("ram:Reason", text),
  sequence
]

/** The codes for an amount that the seller received, and for one that the buyer paid. */
const paid_codes = { seller: "MEN", buyer: "MPA" } as const

const paidPart =
  (issuer: Report["issuer"]) =>
  ({ amount, currency, rate, received_on }: PaidAmount): XmlPart =>
    element(
      "ram:SpecifiedDocumentCharacteristic",
      textElement("ram:TypeCode", paid_codes[issuer]),
      element("ram:ValueChangedIndicator", textElement("udt:IndicatorString", "false")),
      textElement("ram:ValueAmount", amount, { currencyID: currency }),
      received_on === null
        ? null
        : element("ram:ValueDateTime", dateTime("udt", "102", received_on.replaceAll("-", ""))),
      rate === null ? null : textElement("ram:ValuePercent", rate)
    )

const globalId = ({ scheme, value }: { readonly scheme: string; readonly value: string }): XmlPart =>
  textElement("ram:GlobalID", value, { schemeID: scheme })

const partyOf = (document: ReceivedParties, party: "seller" | "buyer"): ReadonlyArray<XmlPart> => {
  const { name, register } = document[party]
  return [globalId(register), textElement("ram:Name", name), textElement("ram:RoleCode", roles[party])]
}

const addressOf = (document: ReceivedParties, party: "seller" | "buyer"): XmlPart => {
  const { address, register } = document[party]
  const { scheme, value } = address ?? { scheme: directory_scheme, value: register.value }
  return element("ram:URIUniversalCommunication", textElement("ram:URIID", value, { schemeID: scheme }))
}

const dateTime = (prefix: "udt" | "qdt", format: "102" | "204", text: string): XmlPart =>
  textElement(`${prefix}:DateTimeString`, text, { format })

/** Writes an instant as French time in 14 digits, because the format has no time zone. */
export const stampOf = (at: DateTime.Utc): string => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(DateTime.setZoneNamedUnsafe(at, "Europe/Paris"))
  return [year, month, day, hour, minute, second].map((part) => String(part).padStart(2, "0")).join("")
}
