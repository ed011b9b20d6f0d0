import { element, textElement, xmlDocument, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, EmbeddedAttachment } from "../invoice/EInvoice.ts"
import { attachmentReference } from "../invoice/Written.ts"
import { amountIn } from "./CiiFigures.ts"
import { ciiLine } from "./CiiLine.ts"
import { ciiAddress, ciiParty } from "./CiiParty.ts"
import { ciiSettlement, dayElement } from "./CiiSettlement.ts"

const schema = "urn:un:unece:uncefact:data:standard:"
const namespaces = {
  "xmlns:rsm": `${schema}CrossIndustryInvoice:100`,
  "xmlns:ram": `${schema}ReusableAggregateBusinessInformationEntity:100`,
  "xmlns:qdt": `${schema}QualifiedDataType:100`,
  "xmlns:udt": `${schema}UnqualifiedDataType:100`
}

/** Writes an invoice or a credit note in CII, as EN 16931-3-3 defines it. Equal input always gives the same text. */
export const ciiDocument = (invoice: EInvoice): string => {
  const amount = amountIn(invoice.currency)
  return xmlDocument("rsm:CrossIndustryInvoice", namespaces, [
    element(
      "rsm:ExchangedDocumentContext",
      element("ram:BusinessProcessSpecifiedDocumentContextParameter", textElement("ram:ID", invoice.profile.process)),
      element("ram:GuidelineSpecifiedDocumentContextParameter", textElement("ram:ID", invoice.profile.customization))
    ),
    element(
      "rsm:ExchangedDocument",
      textElement("ram:ID", invoice.number),
      textElement("ram:TypeCode", invoice.type_code),
      dayElement("ram:IssueDateTime", invoice.issue_date),
      ...invoice.notes.map(({ subject, text }) =>
        element("ram:IncludedNote", textElement("ram:Content", text), textElement("ram:SubjectCode", subject))
      )
    ),
    element(
      "rsm:SupplyChainTradeTransaction",
      ...invoice.lines.map((line) => ciiLine(line, amount)),
      agreement(invoice),
      delivery(invoice) ?? "<ram:ApplicableHeaderTradeDelivery/>",
      ciiSettlement(invoice, amount)
    )
  ])
}

const agreement = (invoice: EInvoice): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeAgreement",
    textElement("ram:BuyerReference", invoice.buyer_reference),
    ciiParty("ram:SellerTradeParty", invoice.seller),
    // EN 16931 allows a tax number other than the VAT identifier (BT-32) for the seller only.
    ciiParty("ram:BuyerTradeParty", { ...invoice.buyer, tax_registration: null }),
    element("ram:BuyerOrderReferencedDocument", textElement("ram:IssuerAssignedID", invoice.purchase_order)),
    element("ram:ContractReferencedDocument", textElement("ram:IssuerAssignedID", invoice.contract_reference)),
    ...invoice.attachments.map(attachment),
    projectReference(invoice)
  )

/** Code of a supporting document in UNTDID 1001. */
const supporting_document = "916"

const attachment = (of: EmbeddedAttachment, index: number): XmlPart =>
  element(
    "ram:AdditionalReferencedDocument",
    textElement("ram:IssuerAssignedID", attachmentReference(index)),
    textElement("ram:TypeCode", supporting_document),
    textElement("ram:Name", of.description),
    textElement("ram:AttachmentBinaryObject", of.base64, { mimeCode: of.mime_type, filename: of.name })
  )

/** Writes the project reference (BT-11). CII also requires a name of the project, which EN 16931 does not have. */
const projectReference = ({ project_reference }: EInvoice): XmlPart =>
  project_reference === null
    ? null
    : element(
        "ram:SpecifiedProcuringProject",
        textElement("ram:ID", project_reference),
        textElement("ram:Name", "Project reference")
      )

const delivery = ({ delivery, delivery_address }: EInvoice): XmlPart =>
  element(
    "ram:ApplicableHeaderTradeDelivery",
    delivery_address === null
      ? null
      : element("ram:ShipToTradeParty", textElement("ram:Name", delivery_address.name), ciiAddress(delivery_address)),
    delivery !== null && "date" in delivery
      ? element("ram:ActualDeliverySupplyChainEvent", dayElement("ram:OccurrenceDateTime", delivery.date))
      : null
  )
