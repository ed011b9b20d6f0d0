import { Schema } from "effect"
import { Timestamp, TimeZone } from "../../kernel/Calendar.ts"
import { CountryCode, SubdivisionCode } from "../../kernel/Country.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { LanguageCode } from "../../kernel/Language.ts"
import { Line, Name, nullable, nullableCode, Text, WebAddress } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { SettingChanges, SettingList } from "./Settings.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"

/** Maximum length of a logo in a request: a data URL of 512 KiB is a prefix and 699,052 characters of base64. */
const logo_characters_max = 700_000
const payment_wording_characters_max = 500

const OptionalText = Schema.NullOr(Schema.String)

export const Organization = Schema.Struct({
  id: OrganizationId,
  name: described(Schema.String, "Name of the business, as printed on documents."),
  country: described(CountryCode, "Country as ISO 3166-1 code; it never changes.", "BE"),
  currency: described(
    CurrencyCode,
    "Currency of the organization (ISO 4217), in which its reports are computed.",
    "EUR"
  ),
  timezone: described(TimeZone, "Time zone that determines the current day (IANA name).", "Europe/Brussels"),
  language: described(
    Schema.String,
    "Language of mails and documents for customers without a language, as ISO 639-1 code.",
    "nl"
  ),
  subdivision_code: described(
    Schema.NullOr(SubdivisionCode),
    "Subdivision of the country as ISO 3166-2 code; null if unknown.",
    "BE-VLG"
  ),
  settings: described(SettingList, "All settings with their values."),
  address_line1: described(OptionalText, "Street and number; null if unknown."),
  address_line2: described(OptionalText, "Further line of the address; null if there is none."),
  city: described(OptionalText, "Town; null if unknown."),
  postal_code: described(OptionalText, "Postal code; null if unknown."),
  state: described(OptionalText, "State or province; null if unknown."),
  contact_name: described(OptionalText, "Contact person or department; null if unknown."),
  contact_email: described(OptionalText, "E-mail address for questions of customers; null if unknown."),
  contact_phone: described(OptionalText, "Telephone number for questions of customers; null if unknown."),
  logo: described(OptionalText, "Path of the logo, a PNG; null without one."),
  tax_number: described(OptionalText, "VAT identifier or other tax number; null if unknown.", "BE0123456749"),
  registration_number: described(OptionalText, "Number in the company register; null if unknown."),
  legal_form: described(OptionalText, "Legal form of the business; null if unknown.", "BV"),
  register_court: described(OptionalText, "Register that lists the business; null if unknown.", "RCS Paris"),
  share_capital: described(
    OptionalText,
    "Share capital in the wording that the law requires; null if unknown.",
    "10 000 €"
  ),
  managing_directors: described(OptionalText, "Names of the managing directors; null if unknown."),
  national_tax_number: described(
    OptionalText,
    "Number at the tax office, such as a Steuernummer, in countries where `tax_number` is the VAT identifier; null if unknown."
  ),
  late_payment_penalty: described(
    OptionalText,
    "Text about late payment on invoices; null for the statutory text, if the country has one."
  ),
  early_payment_discount: described(
    OptionalText,
    "Text about a discount for early payment on invoices; null for the statutory text, if the country has one."
  ),
  website: described(OptionalText, "Address of the website; null if unknown."),
  plan: described(Schema.String, "Plan of the organization; the operator sets it."),
  archived_at: described(
    Schema.NullOr(Timestamp),
    "Time at which the organization was archived, after which it can only be read; null if it is not."
  ),
  ...recordFields
}).annotate({
  identifier: "Organization",
  description: "A business that sends invoices. Only its members and its tokens see its records."
})
export type Organization = typeof Organization.Type

export const organizationEvent = recordEvent("organization", Organization)

/** Plan of a new organization. Without the setting `ARCHIVE_PLANS`, this plan does not include the archive. */
export const default_plan = "standard"

/** The fields that the administration sets when it creates an organization. */
export const OrganizationDraft = Schema.Struct({
  name: Name,
  country: CountryCode,
  currency: CurrencyCode,
  timezone: TimeZone,
  language: LanguageCode,
  owner_id: UserId
})
export type OrganizationDraft = typeof OrganizationDraft.Type

/** All fields are optional, and null clears a field that may be empty (rules/organizations.md, Fields). */
export const OrganizationChanges = Schema.Struct({
  name: described(Schema.optionalKey(Name), "Name of the business, as printed on documents."),
  currency: described(
    Schema.optionalKey(CurrencyCode),
    "Currency of the organization (ISO 4217); locked once a document exists.",
    "EUR"
  ),
  timezone: described(
    Schema.optionalKey(TimeZone),
    "Time zone that determines the current day (IANA name).",
    "Europe/Brussels"
  ),
  language: described(
    Schema.optionalKey(LanguageCode),
    "Language of mails and documents for customers without a language, as ISO 639-1 code.",
    "nl"
  ),
  subdivision_code: described(
    nullableCode(SubdivisionCode),
    "Subdivision of the country as ISO 3166-2 code; null if unknown.",
    "BE-VLG"
  ),
  settings: described(
    Schema.optionalKey(SettingChanges),
    "Settings that change, each once, at most 50; others keep their values."
  ),
  address_line1: described(nullable(Line), "Street and number; null if unknown."),
  address_line2: described(nullable(Line), "Further line of the address; null if there is none."),
  city: described(nullable(Line), "Town; null if unknown."),
  postal_code: described(nullable(Line), "Postal code; null if unknown."),
  state: described(nullable(Line), "State or province; null if unknown."),
  contact_name: described(nullable(Line), "Contact person or department; null if unknown."),
  contact_email: described(nullableCode(EmailAddress), "E-mail address for questions of customers; null if unknown."),
  contact_phone: described(nullable(Line), "Telephone number for questions of customers; null if unknown."),
  logo: described(
    nullable(Text(logo_characters_max)),
    "A `data:` URL of a PNG, JPEG or SVG of at most 512 KiB, which is stored as PNG of at most 744 x 252 pixels. Null removes it; the path that GET returns changes nothing."
  ),
  tax_number: described(nullable(Line), "VAT identifier or other tax number; null if unknown.", "BE0123456749"),
  registration_number: described(nullable(Line), "Number in the company register; null if unknown."),
  legal_form: described(nullable(Line), "Legal form of the business; null if unknown.", "BV"),
  register_court: described(nullable(Line), "Register that lists the business; null if unknown.", "RCS Paris"),
  share_capital: described(
    nullable(Line),
    "Share capital in the wording that the law requires; null if unknown.",
    "10 000 €"
  ),
  managing_directors: described(nullable(Line), "Names of the managing directors; null if unknown."),
  national_tax_number: described(
    nullable(Line),
    "Number at the tax office, such as a Steuernummer, in countries where `tax_number` is the VAT identifier; null if unknown."
  ),
  late_payment_penalty: described(
    nullable(Text(payment_wording_characters_max)),
    "Text about late payment on invoices; null for the statutory text, if the country has one."
  ),
  early_payment_discount: described(
    nullable(Text(payment_wording_characters_max)),
    "Text about a discount for early payment on invoices; null for the statutory text, if the country has one."
  ),
  website: described(nullable(WebAddress), "Address of the website (http or https); null if unknown."),
  // The country never changes, but a PUT may contain the current one (rules/organizations.md, Fields).
  country: described(Schema.optionalKey(Schema.String), "The current country; it cannot be changed.")
}).annotate({
  identifier: "OrganizationChanges",
  description: "The fields of an organization to change; others are kept, and null clears a field."
})
export type OrganizationChanges = typeof OrganizationChanges.Type
