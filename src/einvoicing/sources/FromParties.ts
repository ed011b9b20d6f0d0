import { Option } from "effect"
import type {
  PostalAddress,
  PrintedCustomer,
  PrintedOrganization
} from "../../billing/correspondence/Correspondents.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { EInvoice, PartyAddress } from "../invoice/EInvoice.ts"
import { buyerRegistration, registrationIn, vatIdentifier } from "./PartyIdentifiers.ts"

export interface ElectronicAddress {
  /** The scheme of the address, as an EAS code. */
  readonly scheme: string
  readonly value: string
}

/** The electronic address of a customer, and the country of the customer's entry in the directory of the network. */
export interface Recipient extends ElectronicAddress {
  readonly country_code: string | null
}

/** `identified` tells whether the VAT identifier may be stated. */
export const sellerOf = (
  organization: PrintedOrganization,
  sender: ElectronicAddress | null,
  identified: boolean
): EInvoice["seller"] => {
  const seller_vat = vatIdentifier(organization.tax_number, organization.country)
  return {
    name: organization.name,
    trading_name: null,
    vat_identifier: identified ? seller_vat : null,
    tax_registration: (seller_vat === null ? organization.tax_number : null) ?? nationalNumber(organization),
    legal_registration: registrationIn(organization.country, organization.registration_number),
    legal_form: legalForm(organization),
    electronic_address: sender ?? nowhere,
    address: addressOf(organization, null),
    contact: {
      name: organization.contact_name ?? organization.name,
      phone: organization.contact_phone,
      email: organization.contact_email
    }
  }
}

/** `identified` tells whether the VAT identifier may be stated. */
export const buyerOf = (
  customer: PrintedCustomer,
  address: PartyAddress,
  recipient: Recipient | null,
  identified: boolean
): EInvoice["buyer"] => {
  const buyer_vat = vatIdentifier(customer.tax_number, customer.country)
  return {
    name: customer.name,
    trading_name: null,
    vat_identifier: identified ? buyer_vat : null,
    tax_registration: buyer_vat === null ? customer.tax_number : null,
    legal_registration: recipient === null ? null : buyerRegistration(address.country, recipient),
    legal_form: null,
    electronic_address: recipient ?? nowhere,
    address,
    contact: null
  }
}

const nowhere = { scheme: null, value: "" }

/** Returns the national tax number (BT-32), such as the German Steuernummer; null where BT-32 has another meaning. */
const nationalNumber = ({ country, national_tax_number }: PrintedOrganization): string | null =>
  Option.exists(einvoicingCountry(country), ({ states_tax_number }) => !states_tax_number) ? null : national_tax_number

/** Returns legal form, share capital and register court (BT-33), which the law requires of companies. */
const legalForm = ({ legal_form, register_court, share_capital }: PrintedOrganization): string | null => {
  const parts = [legal_form, share_capital, register_court].filter((part) => part !== null && part.trim() !== "")
  return parts.length === 0 ? null : parts.join(", ")
}

export const addressOf = (printed: PostalAddress, country: string | null): PartyAddress => ({
  line1: printed.address_line1,
  line2: printed.address_line2,
  city: printed.city,
  postal_code: printed.postal_code,
  subdivision: printed.state,
  country: printed.country ?? country
})
