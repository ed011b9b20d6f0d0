import { type Option, Schema } from "effect"
import { ReceivedParties } from "../../invoice/ReceivedParties.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { localDay } from "../../../expenses/receipts/extraction/EmbeddedInvoice.ts"
import { fatturaBuyerName } from "../../../expenses/receipts/extraction/FatturaFacts.ts"
import { cut } from "../../../kernel/Text.ts"
import { siren_scheme } from "../../countries/FrenchCodes.ts"

const decode = Schema.decodeUnknownOption(ReceivedParties)

/** Reads a document in UBL or CII; none if it lacks a name or registration that a message about it must state. */
export const receivedParties = (root: XmlTree): Option.Option<ReceivedParties> => decode(statedIn(root))

/** Reads what a document in UBL or CII states about itself and its parties; what it does not state is undefined. */
export const statedIn = (root: XmlTree) => (root.name === "CrossIndustryInvoice" ? ofCii(root) : ofUbl(root))

export const buyerName = (root: XmlTree): string | undefined => {
  const name = root.name === "FatturaElettronica" ? fatturaBuyerName(root) : statedIn(root).buyer.name
  return name === undefined ? undefined : cut(name, name_characters_max)
}

const name_characters_max = 255

const identifier = (element: XmlTree | undefined) =>
  element === undefined ? null : { scheme: element.attributes["schemeID"] ?? siren_scheme, value: element.text.trim() }

const ofUbl = (root: XmlTree) => {
  const party = (role: string) => {
    const found = at(root, role, "Party")
    const entity = at(found, "PartyLegalEntity")
    return {
      name: textAt(entity, "RegistrationName"),
      register: identifier(at(entity, "CompanyID")),
      address: identifier(at(found, "EndpointID"))
    }
  }
  return {
    number: textAt(root, "ID"),
    type_code: textAt(root, "InvoiceTypeCode") ?? textAt(root, "CreditNoteTypeCode"),
    issue_date: localDay(textAt(root, "IssueDate"))?.replaceAll("-", ""),
    seller: party("AccountingSupplierParty"),
    buyer: party("AccountingCustomerParty")
  }
}

const ofCii = (root: XmlTree) => {
  const document = at(root, "ExchangedDocument")
  const agreement = at(root, "SupplyChainTradeTransaction", "ApplicableHeaderTradeAgreement")
  const party = (role: string) => {
    const found = at(agreement, role)
    return {
      name: textAt(found, "Name"),
      register: identifier(at(found, "SpecifiedLegalOrganization", "ID")),
      address: identifier(all(found, "URIUniversalCommunication").flatMap((uri) => all(uri, "URIID"))[0])
    }
  }
  return {
    number: textAt(document, "ID"),
    type_code: textAt(document, "TypeCode"),
    issue_date: textAt(document, "IssueDateTime", "DateTimeString"),
    seller: party("SellerTradeParty"),
    buyer: party("BuyerTradeParty")
  }
}
