import { Schema, Struct } from "effect"
import { Timestamp } from "../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter, noClientData } from "../kernel/ClientData.ts"
import { CountryCode, SubdivisionCode } from "../kernel/Country.ts"
import { CurrencyCode } from "../kernel/Currency.ts"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { CustomerId } from "../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../kernel/Listing.ts"
import { Line, Name, Notes, nullable, Text } from "../kernel/Text.ts"
import { CustomerContact } from "./contacts/Contact.ts"

const OptionalText = Schema.NullOr(Schema.String)

// Stored codes are not checked against the ISO lists, so that a record stays readable when a list drops its code.
const Country = Schema.NullOr(Schema.String.pipe(Schema.brand("CountryCode")))
const Subdivision = Schema.NullOr(Schema.String.pipe(Schema.brand("SubdivisionCode")))
const Currency = Schema.NullOr(Schema.String.pipe(Schema.brand("CurrencyCode")))

/** The details that clients write; null means unknown. */
export const CustomerDetails = Schema.Struct({
  name: Schema.String,
  email: OptionalText,
  phone: OptionalText,
  website: OptionalText,
  tax_number: OptionalText,
  address_line1: OptionalText,
  address_line2: OptionalText,
  city: OptionalText,
  state: OptionalText,
  postal_code: OptionalText,
  country: Country,
  billing_subdivision_code: Subdivision,
  shipping_subdivision_code: Subdivision,
  language: OptionalText,
  currency: Currency,
  notes: OptionalText,
  einvoicing_identifier_scheme: OptionalText,
  einvoicing_identifier_value: OptionalText,
  ...clientData
})
export type CustomerDetails = typeof CustomerDetails.Type

export const customersSorting = { columns: ["name", "id", "updated_at"], usual: "-id" } as const

export const customersQuery = {
  ...deletableQuery(customersSorting),
  ...externalIdFilter,
  /** Searches name, email and tax number, ignoring case and accents. */
  search: Schema.optionalKey(Line)
}
export type CustomersQuery = Schema.Struct.Type<typeof customersQuery> & CursorRequest

export const Customer = Schema.Struct({
  id: CustomerId,
  ...CustomerDetails.fields,
  /**
   * Tells whether the network knew the identifier when it was last checked; changing the identifier resets the flag.
   */
  einvoicing_identifier_verified: Schema.Boolean,
  contacts: Schema.Array(CustomerContact),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Customer" })
export type Customer = typeof Customer.Type

/** The customer as shown in its documents. */
export const NamedCustomer = Schema.Struct(Struct.pick(Customer.fields, ["id", "name"])).annotate({
  identifier: "CustomerReference"
})

const Language = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}$/, { message: "must be a two-letter language code in lower case (ISO 639-1)." })
)

const IdentifierScheme = Schema.String.check(
  Schema.isPattern(/^[\w:-]{1,20}$/, { message: "must be an identifier scheme, such as 0208 or FR:SIRET." })
)
const identifier_value_characters_max = 100

export const CustomerDraft = Schema.Struct({
  name: Name,
  email: nullable(EmailAddress),
  phone: nullable(Line),
  website: nullable(Line),
  tax_number: nullable(Line),
  address_line1: nullable(Line),
  address_line2: nullable(Line),
  city: nullable(Line),
  state: nullable(Line),
  postal_code: nullable(Line),
  country: nullable(CountryCode),
  billing_subdivision_code: nullable(SubdivisionCode),
  shipping_subdivision_code: nullable(SubdivisionCode),
  language: nullable(Language),
  currency: nullable(CurrencyCode),
  notes: nullable(Notes),
  einvoicing_identifier_scheme: nullable(IdentifierScheme),
  einvoicing_identifier_value: nullable(Text(identifier_value_characters_max)),
  ...clientDataInput
}).annotate({ identifier: "CustomerDraft" })
export type CustomerDraft = typeof CustomerDraft.Type

/** Defaults of details that a draft leaves out. */
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

export const CustomerChanges = Schema.Struct({ ...CustomerDraft.fields, name: Schema.optionalKey(Name) }).annotate({
  identifier: "CustomerChanges"
})
export type CustomerChanges = typeof CustomerChanges.Type

/** The event holds what GET would answer. */
export const customerEvent = (type: `customer.${"created" | "updated" | "deleted"}`, customer: Customer) => ({
  type,
  data: { object: "customer", id: customer.id, attributes: customer }
})
