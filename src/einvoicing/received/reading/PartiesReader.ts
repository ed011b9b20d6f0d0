import { type Option, Schema } from "effect"
import { DocumentReference, ReceivedParties } from "../../invoice/ReceivedParties.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { localDay } from "../../../expenses/receipts/extraction/EmbeddedInvoice.ts"
import { fatturaBuyerName } from "../../../expenses/receipts/extraction/FatturaFacts.ts"
import { cut } from "../../../kernel/Text.ts"
import { siren_scheme } from "../../countries/FrenchCodes.ts"
import { text_characters_max } from "./Reading.ts"

const decodeParties = Schema.decodeUnknownOption(ReceivedParties)
const decodeReference = Schema.decodeUnknownOption(DocumentReference)

/** Reads a document in UBL or CII; none if it lacks a name or registration that a message about it must state. */
export const receivedParties = (root: XmlTree): Option.Option<ReceivedParties> => decodeParties(statedIn(root))

/** Reads a document in UBL or CII; none if it lacks a field that an answer has to repeat. */
export const documentReference = (root: XmlTree): Option.Option<DocumentReference> => {
  const { buyer, seller, ...document } = statedIn(root)
  return decodeReference({ ...document, seller_name: seller.name ?? null, buyer_name: buyer.name ?? null })
}

/** Reads what a document in UBL or CII states about itself and its parties; what it does not state is undefined. */
const statedIn = (root: XmlTree) => (root.name === "CrossIndustryInvoice" ? ofCii(root) : ofUbl(root))

export const buyerName = (root: XmlTree): string | undefined => {
  const name = root.name === "FatturaElettronica" ? fatturaBuyerName(root) : statedIn(root).buyer.name
  return name === undefined ? undefined : shortened(name)
}

/** Suppliers may write texts and attributes of any length. */
const shortened = (text: string) => cut(text, text_characters_max)

const shortTextAt = (tree: XmlTree | undefined, ...path: ReadonlyArray<string>) => {
  const text = textAt(tree, ...path)
  return text === undefined ? undefined : shortened(text)
}

const identifier = (element: XmlTree | undefined) =>
  element === undefined
    ? null
    : {
        scheme: shortened(element.attributes["schemeID"] ?? siren_scheme),
        value: shortened(element.text.trim())
      }

const ofUbl = (root: XmlTree) => {
  const party = (role: string) => {
    const found = at(root, role, "Party")
    const entity = at(found, "PartyLegalEntity")
    return {
      name: shortTextAt(entity, "RegistrationName"),
      register: identifier(at(entity, "CompanyID")),
      address: identifier(at(found, "EndpointID"))
    }
  }
  return {
    number: shortTextAt(root, "ID"),
    type_code: shortTextAt(root, "InvoiceTypeCode") ?? shortTextAt(root, "CreditNoteTypeCode"),
    issue_date: localDay(shortTextAt(root, "IssueDate"))?.replaceAll("-", ""),
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
      name: shortTextAt(found, "Name"),
      register: identifier(at(found, "SpecifiedLegalOrganization", "ID")),
      address: identifier(all(found, "URIUniversalCommunication").flatMap((uri) => all(uri, "URIID"))[0])
    }
  }
  return {
    number: shortTextAt(document, "ID"),
    type_code: shortTextAt(document, "TypeCode"),
    issue_date: shortTextAt(document, "IssueDateTime", "DateTimeString"),
    seller: party("SellerTradeParty"),
    buyer: party("BuyerTradeParty")
  }
}
