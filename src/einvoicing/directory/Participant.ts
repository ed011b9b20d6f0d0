import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Environment } from "../../kernel/Environment.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { Line } from "../../kernel/Text.ts"
import { DocumentType, NetworkModel, ProviderCode } from "../providers/Network.ts"

export const Network = Schema.Struct({
  code: ProviderCode,
  name: Schema.String,
  model: NetworkModel,
  countries: Schema.Array(CountryCode),
  /** False when this installation can send nothing over the network, and then with the reason. */
  supported: Schema.Boolean,
  unsupported_reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "EinvoicingNetwork" })

export const NetworkProvider = Schema.Struct({
  code: ProviderCode,
  name: Schema.String,
  countries: Schema.Array(CountryCode),
  networks: Schema.Array(ProviderCode),
  environment: Environment,
  supports_lookup: Schema.Boolean,
  capabilities: Schema.Array(Schema.Literals(["send", "receive", "lookup", "clearance"]))
}).annotate({ identifier: "NetworkProvider" })
export type NetworkProvider = typeof NetworkProvider.Type

/** Without an identifier, the organization looks up its own registered one. */
export const participantQuery = {
  organization_id: Schema.optionalKey(Schema.String),
  country_code: CountryCode,
  identifier_scheme: Schema.optionalKey(Line),
  identifier_value: Schema.optionalKey(Line),
  provider: Schema.optionalKey(ProviderCode)
}
export type ParticipantQuery = Schema.Struct.Type<typeof participantQuery>

/** The participant that the network knows under an identifier (contract section 11). */
export const FoundParticipant = Schema.Struct({
  found: Schema.Literal(true),
  identifier_scheme: Schema.String,
  identifier_value: Schema.String,
  name: Schema.String,
  country_code: CountryCode,
  network: ProviderCode,
  provider: ProviderCode,
  environment: Environment,
  document_types: Schema.Array(DocumentType)
}).annotate({ identifier: "FoundParticipant" })
export type FoundParticipant = typeof FoundParticipant.Type

/**
 * `found` is the current answer of the network, `verified` is true if any answer about this identifier was positive
 * (contract section 4).
 */
export const CustomerOnNetwork = Schema.Struct({
  customer_id: CustomerId,
  scheme: Schema.String,
  value: Schema.String,
  found: Schema.Boolean,
  verified: Schema.Boolean,
  verified_at: Schema.NullOr(Timestamp),
  provider: ProviderCode,
  environment: Environment,
  network: ProviderCode,
  /** The types that the participant receives; empty when nobody was found. */
  document_types: Schema.Array(DocumentType)
}).annotate({ identifier: "NetworkCustomer" })
export type CustomerOnNetwork = typeof CustomerOnNetwork.Type
