import { Context, Effect, type Option, Schema } from "effect"
import type { Day, Timestamp } from "../../kernel/Calendar.ts"
import type { CountryCode } from "../../kernel/Country.ts"
import type { Environment } from "../../kernel/Environment.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { type DocumentType, networks, type ProviderCode } from "./Network.ts"
import { ProviderNotConfigured } from "./ProviderErrors.ts"

/** The electronic address of a participant: `{ scheme: "0208", value: "0202239951" }`. */
export interface ParticipantIdentifier {
  readonly scheme: string
  readonly value: string
}

/** Somebody whom documents can be sent to. */
export interface Participant extends ParticipantIdentifier {
  readonly name: string
  readonly country_code: CountryCode
  /** What they can receive. */
  readonly document_types: ReadonlyArray<DocumentType>
}

interface NetworkRoles {
  readonly acts_as_sender: boolean
  readonly acts_as_receiver: boolean
}

/** A legal entity with all its addresses, as the network shall know it. */
export interface Enrollment {
  /** Whose it is. One entity each: to enroll it again replaces what the network knew. */
  readonly organization_id: OrganizationId
  readonly legal_name: string
  readonly country_code: CountryCode
  readonly identifiers: ReadonlyArray<ParticipantIdentifier>
  readonly roles: NetworkRoles
  readonly document_types: ReadonlyArray<DocumentType>
  /** First day on which documents can be sent to it; null: at once. */
  readonly routable_from: Day | null
  /** What the Spanish authority asks, of a Spanish entity only. */
  readonly spanish: { readonly sii_registered: boolean; readonly foral_territory: string | null } | null
}

export interface Transmission {
  /** A UUID chosen by the caller: the same on every attempt, so that a repeated transmission is not a second one. */
  readonly transmission_id: string
  readonly document_type: DocumentType
  /** The number printed on the document. One sender's second live document of that number is refused. */
  readonly number: string
  readonly sender: ParticipantIdentifier
  readonly recipient: ParticipantIdentifier
  /** UBL 2.1, the bytes that were archived. */
  readonly xml: Uint8Array
  /** SHA-256 of `xml` in lower-case hexadecimal. */
  readonly sha256: string
}

const Body = Schema.Struct({ content_type: Schema.String, bytes: Schema.Uint8Array })

/** The bodies of a request to a network and of its answer, as they went over the wire; the archive keeps them. */
export const Exchange = Schema.Struct({ request: Body, response: Body })
export type Exchange = typeof Exchange.Type

/** The network has the document; its messages tell what becomes of it. */
export interface Acceptance {
  /** How the network names the transmission. */
  readonly reference: string
  readonly at: Timestamp
  readonly exchange: Exchange
}

/** Where a document has come to; contract section 11 has the table of the networks' own codes. */
export type Progress = "submitted" | "sent" | "delivered" | "accepted" | "rejected" | "failed"

/** Evidence as it came over the wire. */
interface NetworkReceipt {
  /** Such as `as4_receipt`, `message_level_status`, `invoice_response`, `lifecycle_status`. */
  readonly type: string
  readonly content_type: string
  readonly bytes: Uint8Array
}

export interface NetworkMessage {
  /** Unique on the network. The same message may be handed out many times. */
  readonly id: string
  readonly at: Timestamp
  /** In the words of the network: "AB", "RE", "203". */
  readonly code: string
  readonly source: "network" | "recipient" | "authority"
  /** Null: told in `network_status` only. */
  readonly progress: Progress | null
  /** Why, when the news is bad. */
  readonly reason: string | null
  readonly receipt: NetworkReceipt | null
}

/** Why a network may refuse for good. */
const RefusalCode = Schema.Literals([
  "recipient_unknown",
  "recipient_incapable",
  "sender_unknown",
  "duplicate",
  "malformed_document",
  "identifier_taken",
  "refused"
])

/** For good: the same request would be refused again. */
export class NetworkRefused extends Schema.TaggedError<NetworkRefused>()("NetworkRefused", {
  code: RefusalCode,
  message: Schema.String,
  /** Of a submission only. */
  exchange: Schema.optionalKey(Exchange)
}) {}

/** For now: no connection, no answer in time, maintenance. Trying again later can succeed. */
export class NetworkUnavailable extends Schema.TaggedError<NetworkUnavailable>()("NetworkUnavailable", {
  message: Schema.String
}) {}

export type Answer<A> = Effect.Effect<A, NetworkRefused | NetworkUnavailable>

/** Port: one network as seen from here. Everything that changes something may be repeated. */
export interface Provider {
  readonly environment: Environment
  /** None: nobody has this address. Absent: the network has no directory to ask. */
  readonly lookup?: (identifier: ParticipantIdentifier) => Effect.Effect<Option.Option<Participant>, NetworkUnavailable>
  readonly enroll: (enrollment: Enrollment) => Answer<void>
  /** Of an enrolled entity. */
  readonly update: (enrollment: Enrollment) => Answer<void>
  /** Also of one that the network does not know. */
  readonly withdraw: (organization_id: OrganizationId) => Answer<void>
  readonly submit: (transmission: Transmission) => Answer<Acceptance>
  /** Every message about the transmission so far, the oldest first; none for one that the network does not know. */
  readonly poll: (transmission_id: string) => Effect.Effect<ReadonlyArray<NetworkMessage>, NetworkUnavailable>
}

/** The adapters that this installation is configured with. */
export class Providers extends Context.Service<
  Providers,
  {
    readonly find: (code: ProviderCode) => Option.Option<Provider>
    readonly require: (code: ProviderCode) => Effect.Effect<Provider, ProviderNotConfigured>
  }
>()("invoicing/einvoicing/providers/Provider/Providers") {}

export const providersFrom = (find: Providers["Service"]["find"]): Providers["Service"] =>
  Providers.of({
    find,
    require: (code) => Effect.mapError(Effect.fromOption(find(code)), () => ProviderNotConfigured.of(networks[code]))
  })

/** The adapter for work in the background, which waits until an operator configures one again. */
export const configured = (providers: Providers["Service"], code: ProviderCode) =>
  Effect.mapError(providers.require(code), ({ message }) => new NetworkUnavailable({ message }))
