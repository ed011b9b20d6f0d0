import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, Identifier, Party, PartyAddress, Payee } from "../invoice/EInvoice.ts"
import { sellerIdentifier, tradingName } from "../invoice/Written.ts"
import { taxSchemeOf } from "./UblFigures.ts"

/** `creditor` is the creditor identifier (BT-90) of a seller that collects direct debits. */
export const ublParty = (of: Party, creditor: string | null): XmlPart => {
  const { address, contact, electronic_address, legal_form, legal_registration } = of
  return element(
    "cac:Party",
    identifier("cbc:EndpointID", electronic_address),
    element("cac:PartyIdentification", textElement("cbc:ID", sellerIdentifier(of))),
    creditorIdentifier(creditor),
    element("cac:PartyName", textElement("cbc:Name", tradingName(of))),
    addressElement("cac:PostalAddress", address),
    taxScheme(of.vat_identifier, "VAT"),
    taxScheme(of.tax_registration, "TAX"),
    element(
      "cac:PartyLegalEntity",
      textElement("cbc:RegistrationName", of.name),
      legal_registration === null ? null : identifier("cbc:CompanyID", legal_registration),
      textElement("cbc:CompanyLegalForm", legal_form)
    ),
    element(
      "cac:Contact",
      textElement("cbc:Name", contact?.name ?? null),
      textElement("cbc:Telephone", contact?.phone ?? null),
      textElement("cbc:ElectronicMail", contact?.email ?? null)
    )
  )
}

/** The payee (BG-10) collects direct debits in place of the seller, so it has the creditor identifier (BT-90). */
export const ublPayee = (payee: Payee | null, creditor: string | null): XmlPart =>
  payee === null
    ? null
    : element(
        "cac:PayeeParty",
        element("cac:PartyIdentification", payee.identifier === null ? null : identifier("cbc:ID", payee.identifier)),
        creditorIdentifier(creditor),
        element("cac:PartyName", textElement("cbc:Name", payee.name)),
        element("cac:PartyLegalEntity", textElement("cbc:CompanyID", payee.registration_number))
      )

const creditorIdentifier = (creditor: string | null): XmlPart =>
  element("cac:PartyIdentification", textElement("cbc:ID", creditor, { schemeID: "SEPA" }))

/** Writes the delivery date (BT-72) and the delivery address (BG-15). */
export const ublDelivery = ({ delivery, delivery_address }: EInvoice): XmlPart =>
  element(
    "cac:Delivery",
    delivery !== null && "date" in delivery ? textElement("cbc:ActualDeliveryDate", delivery.date) : null,
    delivery_address === null ? null : element("cac:DeliveryLocation", addressElement("cac:Address", delivery_address)),
    element("cac:DeliveryParty", element("cac:PartyName", textElement("cbc:Name", delivery_address?.name ?? null)))
  )

const addressElement = (name: string, address: PartyAddress): XmlPart =>
  element(
    name,
    textElement("cbc:StreetName", address.line1),
    textElement("cbc:AdditionalStreetName", address.line2),
    textElement("cbc:CityName", address.city),
    textElement("cbc:PostalZone", address.postal_code),
    textElement("cbc:CountrySubentity", address.subdivision),
    element("cac:Country", textElement("cbc:IdentificationCode", address.country))
  )

const identifier = (name: string, { scheme, value }: Identifier): XmlPart =>
  textElement(name, value, scheme === null || scheme === "" ? {} : { schemeID: scheme })

const taxScheme = (identifier: string | null, scheme: "VAT" | "TAX"): XmlPart =>
  identifier === null
    ? null
    : element("cac:PartyTaxScheme", textElement("cbc:CompanyID", identifier), taxSchemeOf(scheme))
