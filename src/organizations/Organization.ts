import { Schema } from "effect"
import { Timestamp, TimeZone } from "../kernel/Calendar.ts"
import { CountryCode, SubdivisionCode } from "../kernel/Country.ts"
import { CurrencyCode } from "../kernel/Currency.ts"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { OrganizationId, UserId } from "../kernel/Ids.ts"
import { Line, Name, nullable, Text } from "../kernel/Text.ts"
import { SettingChanges, SettingList } from "./Settings.ts"

/** A data URL of 512 KiB in base64 has 699,051 characters and a prefix. */
const logo_characters_max = 700_000
const payment_wording_characters_max = 500

const OptionalText = Schema.NullOr(Schema.String)

/** A business that sends invoices; only its members and its tokens can see its records. */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  country: CountryCode,
  currency: CurrencyCode,
  timezone: TimeZone,
  language: Schema.String,
  subdivision_code: Schema.NullOr(SubdivisionCode),
  settings: SettingList,
  address_line1: OptionalText,
  address_line2: OptionalText,
  city: OptionalText,
  postal_code: OptionalText,
  state: OptionalText,
  contact_name: OptionalText,
  contact_email: OptionalText,
  contact_phone: OptionalText,
  /** The path of the logo's PNG; null without a logo. */
  logo: OptionalText,
  tax_number: OptionalText,
  registration_number: OptionalText,
  legal_form: OptionalText,
  /** The register that lists the business: "Amtsgericht München", "RCS Paris". */
  register_court: OptionalText,
  /** The share capital in the wording that the law requires: "10 000 €", "EUR 50.000,00 i.v." */
  share_capital: OptionalText,
  managing_directors: OptionalText,
  /** The number of the tax office, where `tax_number` is the VAT identifier: Steuernummer, codice fiscale. */
  national_tax_number: OptionalText,
  /** Printed on invoices; null stands for the sentence of the law, where there is one. */
  late_payment_penalty: OptionalText,
  early_payment_discount: OptionalText,
  website: OptionalText,
  plan: Schema.String,
  archived_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Organization" })
export type Organization = typeof Organization.Type

/** The language of mails and documents for customers without a language. */
const Language = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}$/, { message: "must be a two-letter language code in lower case (ISO 639-1)." })
)

/** The facts that the administration sets when it creates an organization. */
export const OrganizationDraft = Schema.Struct({
  name: Name,
  country: CountryCode,
  currency: CurrencyCode,
  timezone: TimeZone,
  language: Language,
  owner_id: UserId
})
export type OrganizationDraft = typeof OrganizationDraft.Type

/** Spec, Organization (update body): all fields are optional, and null clears a field. */
export const OrganizationChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  currency: Schema.optionalKey(CurrencyCode),
  timezone: Schema.optionalKey(TimeZone),
  language: Schema.optionalKey(Language),
  subdivision_code: nullable(SubdivisionCode),
  settings: Schema.optionalKey(SettingChanges),
  address_line1: nullable(Line),
  address_line2: nullable(Line),
  city: nullable(Line),
  postal_code: nullable(Line),
  state: nullable(Line),
  contact_name: nullable(Line),
  contact_email: nullable(EmailAddress),
  contact_phone: nullable(Line),
  /** A `data:` URL of a PNG, JPEG or SVG of at most 512 KiB, which is stored as PNG of at most 744 x 252 pixels. */
  logo: nullable(Text(logo_characters_max)),
  tax_number: nullable(Line),
  registration_number: nullable(Line),
  legal_form: nullable(Line),
  register_court: nullable(Line),
  share_capital: nullable(Line),
  managing_directors: nullable(Line),
  national_tax_number: nullable(Line),
  late_payment_penalty: nullable(Text(payment_wording_characters_max)),
  early_payment_discount: nullable(Text(payment_wording_characters_max)),
  website: nullable(Line),
  // Spec: `country` is immutable, but a PUT may contain the current value.
  country: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "OrganizationChanges" })
export type OrganizationChanges = typeof OrganizationChanges.Type
