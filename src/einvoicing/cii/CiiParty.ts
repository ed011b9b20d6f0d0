import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { Identifier, Party, PartyAddress } from "../invoice/EInvoice.ts"
import { tradingName } from "../invoice/Written.ts"

/** BG-4 or BG-7. */
export const ciiParty = (name: string, party: Party): XmlPart => {
  const { contact, electronic_address, legal_registration } = party
  return element(
    name,
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

/** UNTDID 1153: a VAT identifier, or another number that the tax authority gave. */
const registration = (number: string | null, scheme: "VA" | "FC"): XmlPart =>
  element("ram:SpecifiedTaxRegistration", textElement("ram:ID", number, { schemeID: scheme }))
