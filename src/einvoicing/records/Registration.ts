import { Schema, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Environment } from "../../kernel/Environment.ts"
import { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { Line, Name, nullable, nullableCode, Text, unlessNull } from "../../kernel/Text.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"
import { described } from "../../kernel/Described.ts"

/**
 * See rules/e-invoicing.md, Registration. Only an active registration is on its network. A superadmin approves,
 * rejects, suspends and ends registrations.
 */
export const RegistrationStatus = Schema.Literals([
  "pending",
  "active",
  "rejected",
  "suspended",
  "deregistered"
]).annotate({
  identifier: "RegistrationStatus",
  description:
    "`pending`: waits for the approval of an administrator; `active`: on the network, in France from `annuaire_start_date` on; `rejected`: not approved; `suspended`: paused by an administrator; `deregistered`: ended."
})

/** An address under which other participants find the legal entity. */
const NetworkIdentifier = Schema.Struct({
  scheme: described(Schema.String, "Scheme of the identifier.", "0208"),
  identifier: described(Schema.String, "Value of the identifier.", "0202239951"),
  status: described(
    Schema.Literals(["pending", "active", "failed", "inactive"]),
    "Whether others can find the entity on the network by the identifier: `pending`: not yet; `active`: yes, in the French directory from `annuaire_start_date` on; `failed`: refused; `inactive`: no longer."
  ),
  networks_specification: described(
    Schema.String,
    "Document format that the identifier receives.",
    "peppol-bis-billing-3"
  )
})

const Roles = Schema.Struct({
  acts_as_sender: described(Schema.Boolean, "True if the entity sends documents."),
  acts_as_receiver: described(Schema.Boolean, "True if the entity receives documents.")
})

export const Registration = Schema.Struct({
  id: RegistrationId,
  organization_id: OrganizationId,
  status: RegistrationStatus,
  provider: ProviderCode,
  environment: Environment,
  legal_name: described(Schema.String, "Legal name of the entity."),
  country_code: described(CountryCode, "ISO 3166-1 code of the country of the entity, which decides the network."),
  roles: described(Roles, "What the entity does on the network."),
  identifiers: described(Schema.Array(NetworkIdentifier), "Addresses under which others find the entity."),
  document_types: described(Schema.Array(DocumentType), "Types of documents that the entity exchanges."),
  annuaire_start_date: described(
    Schema.NullOr(Day),
    "First day on which the French directory routes to the entity; null for other schemes than FR:CTC."
  ),
  es_sii_registered: described(
    Schema.NullOr(Schema.Boolean),
    "True if the entity is registered for the Spanish SII; null outside of Spain."
  ),
  es_foral_territory: described(
    Schema.NullOr(Schema.String),
    "Spanish foral territory of the entity; null for the common territory and outside of Spain."
  ),
  rejection_reason: described(
    Schema.NullOr(Schema.String),
    "Why an administrator or the network rejected the registration; null if neither did."
  ),
  submitted_at: described(Timestamp, "Time of the registration."),
  approved_at: described(Schema.NullOr(Timestamp), "Time of the approval; null before it.")
}).annotate({
  identifier: "Registration",
  description: "The legal entity of the organization on the e-invoicing network of its country."
})
export type Registration = typeof Registration.Type

/** The postal address of the department that a routing code of the French directory identifies. */
const RoutingCodeAddress = Schema.Struct({
  line1: described(Name, "Street and number."),
  zip: described(Name, "Postal code."),
  city: described(Name, "City."),
  country: described(nullableCode(CountryCode), "ISO 3166-1 code of the country. Default: `FR`.")
})

/** The registration with all submitted fields, which a superadmin reads before the approval. */
export const StoredRegistration = Schema.Struct({
  ...Struct.omit(Registration.fields, ["roles"]),
  ...Roles.fields,
  city: Schema.String,
  postal_code: Schema.String,
  address_line1: Schema.String,
  address_line2: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String),
  vat_number: Schema.NullOr(Schema.String),
  tax_reference_id: Schema.NullOr(Schema.String),
  tax_registered: Schema.NullOr(Schema.Boolean),
  routing_code_label: Schema.NullOr(Schema.String),
  routing_code_address: Schema.NullOr(
    Schema.Struct({ line1: Schema.String, zip: Schema.String, city: Schema.String, country: CountryCode })
  ),
  updated_at: Timestamp
})
export type StoredRegistration = typeof StoredRegistration.Type

export const shown = (stored: StoredRegistration): Registration => ({
  ...Struct.pick(stored, [
    "id",
    "organization_id",
    "status",
    "provider",
    "environment",
    "legal_name",
    "country_code",
    "identifiers",
    "document_types",
    "annuaire_start_date",
    "es_sii_registered",
    "es_foral_territory",
    "rejection_reason",
    "submitted_at",
    "approved_at"
  ]),
  roles: { acts_as_sender: stored.acts_as_sender, acts_as_receiver: stored.acts_as_receiver }
})

/** True while the registration prevents a new one. */
export const isLive = ({ status }: Pick<StoredRegistration, "status">): boolean =>
  status === "pending" || status === "active" || status === "suspended"

export const inStatus = (
  stored: StoredRegistration,
  status: StoredRegistration["status"],
  addresses: StoredRegistration["identifiers"][number]["status"]
): StoredRegistration => ({
  ...stored,
  status,
  identifiers: stored.identifiers.map((identifier) => ({ ...identifier, status: addresses }))
})

const identifier_characters_max = 100

const IdentifierScheme = Schema.String.check(
  Schema.isPattern(/^[\w:-]{1,20}$/, { message: "must be an identifier scheme, such as 0208 or FR:SIRET." })
)
const IdentifierValue = Text(identifier_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." }))

export const RegistrationDraft = Schema.Struct({
  organization_id: OrganizationId,
  legal_name: described(Name, "Legal name of the entity."),
  country_code: described(CountryCode, "ISO 3166-1 code of the country of the entity, which decides the network."),
  city: described(Name, "City of the entity."),
  postal_code: described(Name, "Postal code of the entity."),
  address_line1: described(Name, "Street and number of the entity."),
  identifier_scheme: described(
    IdentifierScheme,
    "Scheme of the main identifier; it must be one that the country requires or allows.",
    "0208"
  ),
  identifier_value: described(
    IdentifierValue,
    "Main identifier of the entity, in the form of its scheme.",
    "0202239951"
  ),
  address_line2: described(nullable(Line), "Second line of the address."),
  state: described(nullable(Line), "State or province of the entity."),
  vat_number: described(
    nullable(Line),
    "VAT number of the entity; it adds an address with the VAT scheme of the country."
  ),
  tax_reference_id: described(nullable(Line), "Number of the entity at its tax authority."),
  acts_as_sender: described(nullable(Schema.Boolean), "True if the entity sends documents. Default: true."),
  acts_as_receiver: described(nullable(Schema.Boolean), "True if the entity receives documents. Default: true."),
  tax_registered: described(nullable(Schema.Boolean), "True if the entity is registered for VAT."),
  document_types: described(
    nullable(
      Schema.Array(DocumentType).check(
        Schema.isMaxLength(DocumentType.literals.length, { message: "may name a document type only once." }),
        Schema.isMinLength(1, { message: "must hold at least one document type." }),
        Schema.isUnique({ message: "may name a document type only once." })
      )
    ),
    "Types of documents that the entity exchanges. Default: all."
  ),
  provider: described(
    nullable(ProviderCode),
    "Provider of the country; another one is refused. Default: that of the country."
  ),
  annuaire_start_date: described(
    nullable(Day),
    "First day on which the French directory routes to the entity, at the earliest in two days, which is the default. Only for the scheme FR:CTC."
  ),
  routing_code_label: described(
    nullable(Line),
    "Name of the service to which a French routing code belongs. Required for a routing code."
  ),
  routing_code_address: described(
    nullable(RoutingCodeAddress),
    "Address of the service to which a French routing code belongs. Required for a routing code."
  ),
  es_sii_registered: described(
    nullable(Schema.Boolean),
    "True if the entity is registered for the Spanish SII. Required in Spain, ignored elsewhere."
  ),
  es_foral_territory: described(
    nullable(Line),
    "Spanish foral territory of the entity; null for the common territory. Ignored outside of Spain."
  )
}).annotate({
  identifier: "RegistrationDraft",
  description: "The legal entity to be registered with the e-invoicing network of its country."
})
export type RegistrationDraft = typeof RegistrationDraft.Type

/** PATCH cannot change the provider, because another provider requires a new registration. */
export const RegistrationChanges = Schema.Struct({
  organization_id: OrganizationId,
  acts_as_sender: described(
    unlessNull(Schema.Boolean),
    "True if the entity sends documents; null changes nothing. One role must stay enabled."
  ),
  acts_as_receiver: described(
    unlessNull(Schema.Boolean),
    "True if the entity receives documents; null changes nothing. One role must stay enabled."
  ),
  provider: described(nullable(ProviderCode), "Provider of the registration, as a check; another one is refused."),
  es_sii_registered: described(
    unlessNull(Schema.Boolean),
    "True if the entity is registered for the Spanish SII; null changes nothing. Given together with `es_foral_territory`."
  ),
  es_foral_territory: described(
    nullable(Line),
    "Spanish foral territory of the entity; null for the common territory. Given together with `es_sii_registered`, except for a null that changes nothing."
  )
}).annotate({
  identifier: "RegistrationChanges",
  description: "The fields of a registration to change; others are kept."
})
export type RegistrationChanges = typeof RegistrationChanges.Type
