import { Schema, Struct } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Environment } from "../../kernel/Environment.ts"
import { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { Line, Name, nullable, Text } from "../../kernel/Text.ts"
import { DocumentType, ProviderCode } from "../providers/Network.ts"

/**
 * The states of a registration (contract section 11). Only an active one is on its network; a superadmin decides about
 * the others.
 */
export const RegistrationStatus = Schema.Literals([
  "pending",
  "active",
  "rejected",
  "suspended",
  "deregistered"
]).annotate({ identifier: "RegistrationStatus" })

/** An address under which others find the entity. */
const NetworkIdentifier = Schema.Struct({
  scheme: Schema.String,
  identifier: Schema.String,
  status: Schema.Literals(["pending", "active", "failed", "inactive"]),
  networks_specification: Schema.String
})

const Roles = Schema.Struct({ acts_as_sender: Schema.Boolean, acts_as_receiver: Schema.Boolean })

/** The legal entity of an organization on the network of its country, as the API shows it. */
export const Registration = Schema.Struct({
  id: RegistrationId,
  organization_id: OrganizationId,
  status: RegistrationStatus,
  provider: ProviderCode,
  environment: Environment,
  legal_name: Schema.String,
  country_code: CountryCode,
  roles: Roles,
  identifiers: Schema.Array(NetworkIdentifier),
  document_types: Schema.Array(DocumentType),
  /** The first day on which the French directory routes to the entity; null for other schemes than FR:CTC. */
  annuaire_start_date: Schema.NullOr(Day),
  /** Null outside of Spain. */
  es_sii_registered: Schema.NullOr(Schema.Boolean),
  es_foral_territory: Schema.NullOr(Schema.String),
  rejection_reason: Schema.NullOr(Schema.String),
  submitted_at: Timestamp,
  approved_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Registration" })
export type Registration = typeof Registration.Type

/** The address of the service that a routing code of the French directory names. */
const RoutingCodeAddress = Schema.Struct({
  line1: Name,
  zip: Name,
  city: Name,
  country: nullable(CountryCode)
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

/** True while the registration prevents another one. */
export const isLive = ({ status }: Pick<StoredRegistration, "status">): boolean =>
  status === "pending" || status === "active" || status === "suspended"

/** Sets the status of a registration and of its addresses. */
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

/** The body of a registration (spec, E-invoicing). */
export const RegistrationDraft = Schema.Struct({
  organization_id: OrganizationId,
  legal_name: Name,
  country_code: CountryCode,
  city: Name,
  postal_code: Name,
  address_line1: Name,
  identifier_scheme: IdentifierScheme,
  identifier_value: IdentifierValue,
  address_line2: nullable(Line),
  state: nullable(Line),
  /** Adds an address with the country's VAT scheme. */
  vat_number: nullable(Line),
  tax_reference_id: nullable(Line),
  /** The entity has both roles when both fields are absent. */
  acts_as_sender: nullable(Schema.Boolean),
  acts_as_receiver: nullable(Schema.Boolean),
  tax_registered: nullable(Schema.Boolean),
  document_types: nullable(
    Schema.Array(DocumentType).check(
      Schema.isMaxLength(DocumentType.literals.length, { message: "may name a document type only once." }),
      Schema.isMinLength(1, { message: "must hold at least one document type." }),
      Schema.isUnique({ message: "may name a document type only once." })
    )
  ),
  provider: nullable(ProviderCode),
  annuaire_start_date: nullable(Day),
  routing_code_label: nullable(Line),
  routing_code_address: nullable(RoutingCodeAddress),
  es_sii_registered: nullable(Schema.Boolean),
  es_foral_territory: nullable(Line)
}).annotate({ identifier: "RegistrationDraft" })
export type RegistrationDraft = typeof RegistrationDraft.Type

/** The fields that PATCH changes. A provider is only checked, because switching it requires a new registration. */
export const RegistrationChanges = Schema.Struct({
  organization_id: OrganizationId,
  acts_as_sender: Schema.optionalKey(Schema.Boolean),
  acts_as_receiver: Schema.optionalKey(Schema.Boolean),
  provider: nullable(ProviderCode),
  es_sii_registered: Schema.optionalKey(Schema.Boolean),
  /** Null stands for the common territory. */
  es_foral_territory: Schema.optionalKey(Schema.NullOr(Line))
}).annotate({ identifier: "RegistrationChanges" })
export type RegistrationChanges = typeof RegistrationChanges.Type
