import { Effect, Schema } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"

/** Null where nothing is known, and in what was kept before this was printed. */
const OptionalText = Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const PostalAddress = Schema.Struct({
  address_line1: OptionalText,
  address_line2: OptionalText,
  postal_code: OptionalText,
  city: OptionalText,
  state: OptionalText,
  /** ISO 3166-1 alpha-2. */
  country: OptionalText
})
export type PostalAddress = typeof PostalAddress.Type

const party = { name: Schema.String, ...PostalAddress.fields, tax_number: OptionalText, language: OptionalText }

const PrintedCustomer = Schema.Struct(party)
export type PrintedCustomer = typeof PrintedCustomer.Type

const PrintedOrganization = Schema.Struct({
  ...party,
  /** On e-invoices only. */
  contact_name: OptionalText,
  contact_email: OptionalText,
  contact_phone: OptionalText,
  website: OptionalText,
  registration_number: OptionalText,
  legal_form: OptionalText,
  /** The currency of its books, in which it declares tax. */
  currency: Schema.NullOr(CurrencyCode).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  register_court: OptionalText,
  share_capital: OptionalText,
  managing_directors: OptionalText,
  /** Such as the German Steuernummer, beside `tax_number`. */
  national_tax_number: OptionalText,
  late_payment_penalty: OptionalText,
  early_payment_discount: OptionalText,
  iban: OptionalText,
  bic: OptionalText
})
export type PrintedOrganization = typeof PrintedOrganization.Type

/** Who reads a document, and who writes it. */
export const Correspondents = Schema.Struct({ customer: PrintedCustomer, organization: PrintedOrganization })
export type Correspondents = typeof Correspondents.Type
