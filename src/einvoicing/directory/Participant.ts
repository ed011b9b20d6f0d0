import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Environment } from "../../kernel/Environment.ts"
import { CustomerId, IdText } from "../../kernel/Ids.ts"
import { Line } from "../../kernel/Text.ts"
import { DocumentType, NetworkModel, ProviderCode } from "../providers/Network.ts"
import { described } from "../../kernel/Described.ts"

export const Network = Schema.Struct({
  code: ProviderCode,
  name: described(Schema.String, "Name of the network."),
  model: NetworkModel,
  countries: described(Schema.Array(CountryCode), "ISO 3166-1 codes of the countries of the network."),
  supported: described(Schema.Boolean, "True if this installation can send documents over the network."),
  unsupported_reason: described(
    Schema.NullOr(Schema.String),
    "Why nothing can be sent over the network; null if it is supported."
  )
}).annotate({ identifier: "EinvoicingNetwork", description: "An e-invoicing network." })

export const NetworkProvider = Schema.Struct({
  code: ProviderCode,
  name: described(Schema.String, "Name of the provider."),
  countries: described(Schema.Array(CountryCode), "ISO 3166-1 codes of the countries of the provider."),
  networks: described(Schema.Array(ProviderCode), "Networks that the provider connects to."),
  environment: Environment,
  supports_lookup: described(Schema.Boolean, "True if the participants of its network can be looked up."),
  capabilities: described(
    Schema.Array(Schema.Literals(["send", "receive", "lookup", "clearance"])),
    "What the provider can do."
  ),
  connection: described(
    Schema.NullOr(
      Schema.Struct({
        connected_at: described(Timestamp, "Time at which the organization was connected."),
        last_exchange_at: described(
          Schema.NullOr(Timestamp),
          "Time of the last answer of the provider; null before it."
        ),
        last_error: described(Schema.NullOr(Schema.String), "The latest failure; null after a success."),
        last_error_at: described(Schema.NullOr(Timestamp), "Time of the latest failure; null after a success."),
        paused_until: described(
          Schema.NullOr(Timestamp),
          "No request is made before this time, because the provider requested a pause or did not answer in time."
        ),
        missing_settings: described(
          Schema.Array(Schema.String),
          "Settings without which sales and payments are not reported to the tax authority (France)."
        )
      })
    ),
    "Health of the organization's connection to the provider; null for the sandbox."
  )
}).annotate({
  identifier: "NetworkProvider",
  description: "A provider that connects this installation to an e-invoicing network."
})
export type NetworkProvider = typeof NetworkProvider.Type

export const country_text = "ISO 3166-1 code of the country, which decides the network."

/** Without an identifier, the organization looks up its own registered one. */
export const participantQuery = {
  organization_id: described(
    Schema.optionalKey(IdText),
    "Id of the active organization; another one is answered with 404."
  ),
  country_code: described(CountryCode, country_text),
  identifier_scheme: described(
    Schema.optionalKey(Line),
    "Scheme of the identifier that is looked up. Without an identifier, the registered one of the organization is looked up."
  ),
  identifier_value: described(Schema.optionalKey(Line), "Identifier that is looked up, in the form of its scheme."),
  provider: described(Schema.optionalKey(ProviderCode), "Provider of the country; another one is refused.")
}
export type ParticipantQuery = Schema.Struct.Type<typeof participantQuery>

export const FoundParticipant = Schema.Struct({
  found: described(Schema.Literal(true), "Always true; if no participant has the identifier, the answer is 404."),
  identifier_scheme: described(Schema.String, "Scheme of the identifier.", "0208"),
  identifier_value: described(Schema.String, "Value of the identifier.", "0202239951"),
  name: described(Schema.NullOr(Schema.String), "Name of the participant; null if the network does not state it."),
  country_code: described(CountryCode, "ISO 3166-1 code of the country of the participant."),
  network: ProviderCode,
  provider: ProviderCode,
  environment: Environment,
  document_types: described(Schema.Array(DocumentType), "Types of documents that the participant receives.")
}).annotate({
  identifier: "FoundParticipant",
  description: "The participant that the network knows under an identifier."
})
export type FoundParticipant = typeof FoundParticipant.Type

export const CustomerOnNetwork = Schema.Struct({
  customer_id: CustomerId,
  scheme: described(Schema.String, "Scheme of the identifier of the customer.", "0208"),
  value: described(Schema.String, "Identifier of the customer.", "0202239951"),
  found: described(Schema.Boolean, "True if the network knows the identifier now."),
  verified: described(Schema.Boolean, "True if the network knew the identifier now or at an earlier check."),
  verified_at: described(
    Schema.NullOr(Timestamp),
    "Time of the first check that found this identifier; null if none did."
  ),
  provider: ProviderCode,
  environment: Environment,
  network: ProviderCode,
  document_types: described(
    Schema.Array(DocumentType),
    "Types of documents that the customer receives; empty if the network does not know the identifier."
  )
}).annotate({
  identifier: "NetworkCustomer",
  description: "What the network answers about the identifier of a customer."
})
export type CustomerOnNetwork = typeof CustomerOnNetwork.Type
