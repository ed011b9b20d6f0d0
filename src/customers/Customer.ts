import { Schema } from "effect"
import { clientData, clientDataInput, externalIdFilter, noClientData } from "../kernel/ClientData.ts"
import { CountryCode, SubdivisionCode } from "../kernel/Country.ts"
import { CurrencyCode } from "../kernel/Currency.ts"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { CustomerId } from "../kernel/Ids.ts"
import { LanguageCode } from "../kernel/Language.ts"
import { deletableQuery, type CursorRequest } from "../kernel/Listing.ts"
import { Line, Name, Notes, nullable, nullableCode, Text, WebAddress } from "../kernel/Text.ts"
import { CustomerContact } from "./Contact.ts"
import { described } from "../kernel/Described.ts"
import { recordFields } from "../kernel/RecordFields.ts"

const OptionalText = Schema.NullOr(Schema.String)

// Stored codes are not checked against the ISO lists, so that a record stays readable when a list drops its code.
const Country = Schema.NullOr(Schema.String.pipe(Schema.brand("CountryCode")))
const Subdivision = Schema.NullOr(Schema.String.pipe(Schema.brand("SubdivisionCode")))
const Currency = Schema.NullOr(Schema.String.pipe(Schema.brand("CurrencyCode")))

/** The details that clients write; null means unknown. */
export const CustomerDetails = Schema.Struct({
  name: described(Schema.String, "Name of the customer: a company or a person."),
  email: described(
    OptionalText,
    "E-mail address of the customer; null if unknown. Credit notes are sent to it, other documents only if there is no primary contact."
  ),
  phone: described(OptionalText, "Telephone number; null if unknown."),
  website: described(OptionalText, "Address of the website; null if unknown."),
  tax_number: described(OptionalText, "VAT identifier or other tax number; null if unknown.", "BE0123456749"),
  address_line1: described(OptionalText, "Street and number; null if unknown."),
  address_line2: described(OptionalText, "Further line of the address; null if there is none."),
  city: described(OptionalText, "Town; null if unknown."),
  state: described(OptionalText, "State or province; null if unknown."),
  postal_code: described(OptionalText, "Postal code; null if unknown."),
  country: described(Country, "Country as ISO 3166-1 code; null if unknown.", "BE"),
  billing_subdivision_code: described(
    Subdivision,
    "Subdivision of the country as ISO 3166-2 code; null if unknown.",
    "BE-VAN"
  ),
  shipping_subdivision_code: described(
    Subdivision,
    "Subdivision to which goods are sent, as ISO 3166-2 code; null if unknown."
  ),
  language: described(
    OptionalText,
    "Language of mails and documents as ISO 639-1 code; null for that of the organization.",
    "nl"
  ),
  currency: described(Currency, "Usual currency of the customer (ISO 4217); null for that of the organization.", "EUR"),
  notes: described(OptionalText, "Free text for members of the organization; null if there is none."),
  einvoicing_identifier_scheme: described(
    OptionalText,
    "Scheme of the identifier in an e-invoicing network; null if unknown.",
    "0208"
  ),
  einvoicing_identifier_value: described(
    OptionalText,
    "Identifier of the customer in an e-invoicing network; null if unknown.",
    "0123456749"
  ),
  ...clientData
})
export type CustomerDetails = typeof CustomerDetails.Type

export const customersSorting = { columns: ["name", "id", "updated_at"], usual: "-id" } as const

export const customersQuery = {
  ...deletableQuery(customersSorting),
  ...externalIdFilter,
  search: described(
    Schema.optionalKey(Line),
    "Text to look for in names, e-mail addresses and tax numbers, ignoring case and accents."
  )
}
export type CustomersQuery = Schema.Struct.Type<typeof customersQuery> & CursorRequest

export const Customer = Schema.Struct({
  id: CustomerId,
  ...CustomerDetails.fields,
  einvoicing_identifier_verified: described(
    Schema.Boolean,
    "True once the network has confirmed this identifier; a new identifier is not verified."
  ),
  contacts: described(Schema.Array(CustomerContact), "Contact persons of the customer."),
  ...recordFields
}).annotate({ identifier: "Customer", description: "A customer of the organization." })
export type Customer = typeof Customer.Type

export const NamedCustomer = Schema.Struct({
  id: CustomerId,
  name: described(
    Schema.String,
    "Name of the customer when the document was issued, as in the PDF; in a draft, the present name."
  )
}).annotate({
  identifier: "CustomerReference",
  description: "The customer of a document, by name. The customer's record has the present name."
})

const IdentifierScheme = Schema.String.check(
  Schema.isPattern(/^[\w:-]{1,20}$/, { message: "must be an identifier scheme, such as 0208 or FR:SIRET." })
)
const identifier_value_characters_max = 100

export const CustomerDraft = Schema.Struct({
  name: described(Name, "Name of the customer: a company or a person."),
  email: described(
    nullableCode(EmailAddress),
    "E-mail address of the customer; null if unknown. Credit notes are sent to it, other documents only if there is no primary contact."
  ),
  phone: described(nullable(Line), "Telephone number; null if unknown."),
  website: described(nullable(WebAddress), "Address of the website (http or https); null if unknown."),
  tax_number: described(nullable(Line), "VAT identifier or other tax number; null if unknown.", "BE0123456749"),
  address_line1: described(nullable(Line), "Street and number; null if unknown."),
  address_line2: described(nullable(Line), "Further line of the address; null if there is none."),
  city: described(nullable(Line), "Town; null if unknown."),
  state: described(nullable(Line), "State or province; null if unknown."),
  postal_code: described(nullable(Line), "Postal code; null if unknown."),
  country: described(nullableCode(CountryCode), "Country as ISO 3166-1 code; null if unknown.", "BE"),
  billing_subdivision_code: described(
    nullableCode(SubdivisionCode),
    "Subdivision of the country as ISO 3166-2 code; null if unknown.",
    "BE-VAN"
  ),
  shipping_subdivision_code: described(
    nullableCode(SubdivisionCode),
    "Subdivision to which goods are sent, as ISO 3166-2 code; null if unknown."
  ),
  language: described(
    nullableCode(LanguageCode),
    "Language of mails and documents as ISO 639-1 code; null for that of the organization.",
    "nl"
  ),
  currency: described(
    nullableCode(CurrencyCode),
    "Usual currency of the customer (ISO 4217); null for that of the organization.",
    "EUR"
  ),
  notes: described(nullable(Notes), "Free text for members of the organization; null for none."),
  einvoicing_identifier_scheme: described(
    nullableCode(IdentifierScheme),
    "Scheme of the identifier in an e-invoicing network; null if unknown.",
    "0208"
  ),
  einvoicing_identifier_value: described(
    nullableCode(Text(identifier_value_characters_max)),
    "Identifier of the customer in an e-invoicing network; null if unknown.",
    "0123456749"
  ),
  ...clientDataInput
}).annotate({
  identifier: "CustomerDraft",
  description: "A customer to be created; fields that are left out are null."
})
export type CustomerDraft = typeof CustomerDraft.Type

export const absent = {
  email: null,
  phone: null,
  website: null,
  tax_number: null,
  address_line1: null,
  address_line2: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
  billing_subdivision_code: null,
  shipping_subdivision_code: null,
  language: null,
  currency: null,
  notes: null,
  einvoicing_identifier_scheme: null,
  einvoicing_identifier_value: null,
  ...noClientData
}

export const CustomerChanges = Schema.Struct({
  ...CustomerDraft.fields,
  name: described(Schema.optionalKey(Name), "Name of the customer: a company or a person.")
}).annotate({
  identifier: "CustomerChanges",
  description: "The fields of a customer to change; others are kept."
})
export type CustomerChanges = typeof CustomerChanges.Type

/** The event contains the customer as GET returns it. */
export const customerEvent = (type: `customer.${"created" | "updated" | "deleted"}`, customer: Customer) => ({
  type,
  data: { object: "customer", id: customer.id, attributes: customer }
})
