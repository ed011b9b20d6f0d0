import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { Identifier, Party, PartyAddress, Payee } from "../invoice/EInvoice.ts"
import { sellerIdentifier, tradingName } from "../invoice/Written.ts"

/** Writes the seller (BG-4) or the buyer (BG-7). */
export const ciiParty = (name: string, party: Party): XmlPart => {
  const { contact, electronic_address, legal_registration } = party
  return element(
    name,
    textElement("ram:ID", sellerIdentifier(party)),
    textElement("ram:Name", party.name),
    textElement("ram:Description", party.legal_form),
    element(
      "ram:SpecifiedLegalOrganization",
      legal_registration === null ? null : identifier("ram:ID", legal_registration),
      textElement("ram:TradingBusinessName", tradingName(party))
    ),
    element(
      "ram:DefinedTradeContact",
      textElement("ram:PersonName", contact?.name ?? null),
      element("ram:TelephoneUniversalCommunication", textElement("ram:CompleteNumber", contact?.phone ?? null)),
      element("ram:EmailURIUniversalCommunication", textElement("ram:URIID", contact?.email ?? null))
    ),
    ciiAddress(party.address),
    element("ram:URIUniversalCommunication", identifier("ram:URIID", electronic_address)),
    registration(party.vat_identifier, "VA"),
    registration(party.tax_registration, "FC")
  )
}

/** Writes the payee (BG-10). CII has different elements for identifiers with and without a scheme. */
export const ciiPayee = (payee: Payee | null): XmlPart =>
  payee === null
    ? null
    : element(
        "ram:PayeeTradeParty",
        payee.identifier === null
          ? null
          : identifier(payee.identifier.scheme === null ? "ram:ID" : "ram:GlobalID", payee.identifier),
        textElement("ram:Name", payee.name),
        element("ram:SpecifiedLegalOrganization", textElement("ram:ID", payee.registration_number))
      )

export const ciiAddress = (address: PartyAddress): XmlPart =>
  element(
    "ram:PostalTradeAddress",
    textElement("ram:PostcodeCode", address.postal_code),
    textElement("ram:LineOne", address.line1),
    textElement("ram:LineTwo", address.line2),
    textElement("ram:CityName", address.city),
    textElement("ram:CountryID", address.country),
    textElement("ram:CountrySubDivisionName", address.subdivision)
  )

const identifier = (name: string, { scheme, value }: Identifier): XmlPart =>
  textElement(name, value, scheme === null || scheme === "" ? {} : { schemeID: scheme })

/** Writes a tax number. In UNTDID 1153, VA is a VAT identifier and FC another number of the tax authority. */
const registration = (number: string | null, scheme: "VA" | "FC"): XmlPart =>
  element("ram:SpecifiedTaxRegistration", textElement("ram:ID", number, { schemeID: scheme }))
