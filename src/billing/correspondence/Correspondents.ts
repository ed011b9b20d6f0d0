import { Effect, Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ItalianTaxRegime } from "../../kernel/OrganizationSettings.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"

/** Null when the value is unknown, and in snapshots that were stored before the field was printed. */
const OptionalText = Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const PostalAddress = Schema.Struct({
  address_line1: OptionalText,
  address_line2: OptionalText,
  postal_code: OptionalText,
  city: OptionalText,
  state: OptionalText,
  /** Country code with two letters (ISO 3166-1 alpha-2). */
  country: OptionalText
})
export type PostalAddress = typeof PostalAddress.Type

const party = { name: Schema.String, ...PostalAddress.fields, tax_number: OptionalText, language: OptionalText }

const PrintedCustomer = Schema.Struct(party)
export type PrintedCustomer = typeof PrintedCustomer.Type

const PrintedOrganization = Schema.Struct({
  ...party,
  /** Only e-invoices show the name of the contact. */
  contact_name: OptionalText,
  contact_email: OptionalText,
  contact_phone: OptionalText,
  website: OptionalText,
  registration_number: OptionalText,
  legal_form: OptionalText,
  /** The currency of the organization's books, in which the organization declares tax. */
  currency: Schema.NullOr(CurrencyCode).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  register_court: OptionalText,
  share_capital: OptionalText,
  managing_directors: OptionalText,
  /** A second tax number in addition to `tax_number`, e.g. the German Steuernummer. */
  national_tax_number: OptionalText,
  late_payment_penalty: OptionalText,
  early_payment_discount: OptionalText,
  iban: OptionalText,
  bic: OptionalText,
  logo: OptionalText,
  /** Hexadecimal colour, e.g. "#1a5fb4". */
  brand_color: OptionalText,
  document_footer: OptionalText,
  /** Only the e-invoices of an Italian organization state its tax regime. */
  it_tax_regime: Schema.NullOr(ItalianTaxRegime).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})
export type PrintedOrganization = typeof PrintedOrganization.Type

export const Correspondents = Schema.Struct({ customer: PrintedCustomer, organization: PrintedOrganization })
export type Correspondents = typeof Correspondents.Type

/** The correspondents as stored with an issued document, whose seal contains them. */
export interface PrintedParties {
  readonly customer: Json
  readonly organization: Json
}
