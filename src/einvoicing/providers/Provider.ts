import { type BigDecimal, Context, Effect, Option, Schema, type Stream } from "effect"
import type { Day, Timestamp, TimeZone } from "../../kernel/Calendar.ts"
import type { CountryCode } from "../../kernel/Country.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { Environment } from "../../kernel/Environment.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { ReportingTerms } from "../invoice/ReportingTerms.ts"
import type { DocumentReference, ReceivedParties } from "../invoice/ReceivedParties.ts"
import type { Arrival } from "./Arrival.ts"
import { type DocumentType, networks, type ProviderCode } from "./Network.ts"
import { ProviderNotConfigured } from "./ProviderErrors.ts"
import type { RecordBooks } from "./RecordBooks.ts"
import type { RecordComparison } from "./RecordComparison.ts"
import type { Signing } from "./Signing.ts"

/** The electronic address of a participant: `{ scheme: "0208", value: "0202239951" }`. */
export interface ParticipantIdentifier {
  readonly scheme: string
  readonly value: string
}

export interface Participant extends ParticipantIdentifier {
  /** Null when the directory of the network does not know it. */
  readonly name: string | null
  /** Null if neither the directory nor the scheme of the address determines it. */
  readonly country_code: CountryCode | null
  readonly document_types: ReadonlyArray<DocumentType>
}

/** A legal entity with all its addresses, as the network has to store it. */
export interface Enrollment {
  /** The owner of the entity. An organization has one entity, so enrolling again replaces it. */
  readonly organization_id: OrganizationId
  readonly legal_name: string
  readonly country_code: CountryCode
  readonly identifiers: ReadonlyArray<ParticipantIdentifier>
  readonly roles: { readonly acts_as_sender: boolean; readonly acts_as_receiver: boolean }
  readonly document_types: ReadonlyArray<DocumentType>
  /** The first day on which documents can be sent to the entity; null if they can be sent immediately. */
  readonly routable_from: Day | null
  /** The fields that the Spanish authority requires; null for other countries. */
  readonly spanish: { readonly sii_registered: boolean; readonly foral_territory: string | null } | null
}

export interface Transmission {
  /** A UUID that the caller chose, the same on every attempt, so that a repetition is not a second transmission. */
  readonly transmission_id: string
  readonly document_type: DocumentType
  /** A network refuses a second document of a sender with this number, unless the first one was rejected or failed. */
  readonly number: string
  readonly sender: ParticipantIdentifier
  readonly recipient: ParticipantIdentifier
  /** The archived bytes: XML, or a signed file around it. */
  readonly xml: Uint8Array
  /** SHA-256 of `xml` in lower-case hexadecimal. */
  readonly sha256: string
}

const Body = Schema.Struct({ content_type: Schema.String, bytes: Schema.Uint8Array })

/** The request to a network and its answer, as they went over the wire. The archive keeps both. */
export const Exchange = Schema.Struct({ request: Body, response: Body })
export type Exchange = typeof Exchange.Type

/** The network has the document and reports its status in messages. */
export interface Acceptance {
  /** The identifier that the network gave to the transmission. */
  readonly reference: string
  readonly at: Timestamp
  /** Null if an earlier attempt was accepted, because the exchange of that attempt is already archived. */
  readonly exchange: Exchange | null
}

/** The status of a document, to which the codes of the networks are mapped (rules/e-invoicing.md, Documents). */
export type Progress = "submitted" | "sent" | "delivered" | "accepted" | "rejected" | "failed"

/** A receipt as it came over the wire. */
interface NetworkReceipt {
  /** E.g. `as4_receipt`, `message_level_status`, `invoice_response` or `lifecycle_status`. */
  readonly type: string
  readonly content_type: string
  readonly bytes: Uint8Array
}

export interface NetworkMessage {
  /** Unique on the network, because polls may return the same message many times. */
  readonly id: string
  readonly at: Timestamp
  /** The status code of the network, e.g. "AB", "RE" or "203". */
  readonly code: string
  readonly source: "network" | "recipient" | "authority"
  /** Null for a code that changes only `network_status`. */
  readonly progress: Progress | null
  readonly reason: string | null
  readonly receipt: NetworkReceipt | null
  /** The identifier that an authority gives to the document, in place of the reference of its submission. */
  readonly reference?: string
}

const RefusalCode = Schema.Literals([
  "recipient_unknown",
  "recipient_incapable",
  "sender_unknown",
  "duplicate",
  "malformed_document",
  "identifier_taken",
  "refused"
])

/** A permanent refusal, unless `is_until_later` is true: then the same request can succeed on a later day. */
export class NetworkRefused extends Schema.TaggedError<NetworkRefused>()("NetworkRefused", {
  code: RefusalCode,
  message: Schema.String,
  is_until_later: Schema.optionalKey(Schema.Boolean),
  /** The request and the answer of a refused submission; absent for other requests. */
  exchange: Schema.optionalKey(Exchange)
}) {}

/** A temporary failure, such as no connection, a timeout or maintenance; a later attempt can succeed. */
export class NetworkUnavailable extends Schema.TaggedError<NetworkUnavailable>()("NetworkUnavailable", {
  message: Schema.String,
  retry_after_seconds: Schema.optionalKey(Schema.Finite),
  /** True if this attempt certainly sent nothing. */
  is_unsent: Schema.optionalKey(Schema.Boolean)
}) {}

export type Answer<A> = Effect.Effect<A, NetworkRefused | NetworkUnavailable>

/** A message about a document, from the organization to its trading partner. */
export interface SentMessage {
  readonly at: Timestamp
  readonly code: string
  /** The identifier that the network gave to the message. */
  readonly reference: string
  /** The message as it was sent. */
  readonly receipt: NetworkReceipt
}

/** The report of a payment, which counts once the network has checked it. */
export type SentReport = SentMessage & { readonly isChecked: boolean }

export interface Response {
  readonly transmission_id: string
  readonly organization_id: OrganizationId
  readonly document_reference: DocumentReference | null
  readonly answer: "accepted" | "rejected"
  readonly reason: string | null
}

/** A document of a supplier that is stored. */
export interface StoredArrival {
  readonly transmission_id: string
  /** The parties as the document states them; null if it does not state them. */
  readonly parties: ReceivedParties | null
}

/** Money that the organization received for an invoice that it sent over the network, and did not return. */
export interface ReceivedPayment {
  /** Unique among the payments to all organizations, so that a repeated report counts once. */
  readonly id: string
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
  readonly received_on: Day
  readonly at: Timestamp
  readonly invoice: Uint8Array
}

/** Money that the organization paid for an invoice that it received over the network. */
export interface SentPayment extends Pick<Response, "transmission_id" | "document_reference"> {
  readonly amount: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
}

/** Sends a message, and returns it if it must be archived as evidence. A repeated message counts once. */
type Telling<About, Sent = SentMessage> = (about: About) => Answer<Option.Option<Sent>>

/** Reports sales and payments to a tax authority. A report is not a document for a recipient. */
export interface Reporting {
  /** Null while settings are missing; then nothing is reported. */
  readonly terms: ReportingTerms | null
  readonly missing_settings: ReadonlyArray<string>
  /** The same report may be submitted again. */
  readonly submit: (report: Pick<Transmission, "transmission_id" | "number" | "xml">) => Answer<Acceptance>
  /** Returns the verdict on a submitted report; none before the verdict. */
  readonly verdict: (transmission_id: string) => Effect.Effect<Option.Option<NetworkMessage>, NetworkUnavailable>
  /** Returns the tax authority's statuses of an accepted report since the given time, the oldest first. */
  readonly statuses: (transmission_id: string, since: Timestamp) => ReturnType<Provider["poll"]>
}

interface Writing {
  readonly organization_id: OrganizationId
  readonly transmission_id: string
  readonly timezone: TimeZone
}

/** Port to one network for one organization. Every call that changes something can be repeated. */
export interface Provider {
  readonly name: string
  readonly environment: Environment
  /** The calls that use stored data only, so that their outcome says nothing about the provider. None if absent. */
  readonly offline?: ReadonlyArray<"enroll" | "update" | "withdraw" | "poll" | "arrivals" | "confirm" | "respond">
  /** Checks that the provider can be reached with the credentials of the organization. */
  readonly check: Answer<void>
  /** Returns none when nobody has this address. The method is absent when the network has no directory. */
  readonly lookup?:
    | ((identifier: ParticipantIdentifier) => Effect.Effect<Option.Option<Participant>, NetworkUnavailable>)
    | undefined
  readonly enroll: (enrollment: Enrollment) => Answer<void>
  readonly update: (enrollment: Enrollment) => Answer<void>
  /** Removes an organization's entity from the network. Succeeds if the network has no such entity. */
  readonly withdraw: (organization_id: OrganizationId) => Answer<void>
  /** Writes the XML in the caller's transaction. Absent unless the XML depends on the preceding documents. */
  readonly write?: (invoice: EInvoice, writing: Writing) => Effect.Effect<string>
  readonly signing?: Signing
  readonly submit: (transmission: Transmission) => Answer<Acceptance>
  /** Cancels the record of a document; may be repeated. Absent where documents cannot be cancelled. */
  readonly cancel?: (cancellation: Writing & { readonly ordered_at: Timestamp }) => Answer<void>
  /** Compares our records of a month (2026-03) with the authority's. Absent if no records are sent to an authority. */
  readonly compare?: (month: string) => Answer<RecordComparison>
  /** The invoicing records (as VERI*FACTU requires) that this service stores; absent for networks without them. */
  readonly books?: RecordBooks
  /**
   * Returns the messages about a transmission, the oldest first; none if the network does not know it. Messages that do
   * not name the transmission are found by the fields of `document`.
   */
  readonly poll: (
    transmission_id: string,
    document: Pick<Transmission, "number" | "document_type">
  ) => Effect.Effect<ReadonlyArray<NetworkMessage>, NetworkUnavailable>
  /**
   * The documents that arrived and are not confirmed yet, the oldest first. Each should be fetched only when pulled.
   * The stream leaves out documents that cannot be fetched, and ends at a failure of the network.
   */
  readonly arrivals: Stream.Stream<Arrival, NetworkUnavailable>
  /** Confirms to the network that an arrival is stored. */
  readonly confirm: (arrival: Pick<Arrival, "transmission_id">) => Effect.Effect<void, NetworkUnavailable>
  /** Tells the supplier that its document is stored. Absent if the network has no such message. */
  readonly takeInCharge?: Telling<StoredArrival> | undefined
  readonly respond: Telling<Response>
  readonly tellPayment?: Telling<SentPayment> | undefined
  readonly reportPayment?: Telling<ReceivedPayment, SentReport> | undefined
  /** Absent if the network accepts no reports of sales. */
  readonly reporting?: Reporting
}

/** A provider that may have documents for organizations of this installation. */
export interface InboxOf {
  readonly code: ProviderCode
  /** Absent for the simulated network, which has the documents of all organizations. */
  readonly organization_id?: OrganizationId
  readonly provider: Provider
}

export class Providers extends Context.Service<
  Providers,
  {
    /** Returns none when the organization has no connection to the network, or none in the given environment. */
    readonly find: (
      organization_id: OrganizationId,
      code: ProviderCode,
      environment?: Environment
    ) => Effect.Effect<Option.Option<Provider>>
    readonly require: (
      organization_id: OrganizationId,
      code: ProviderCode,
      environment?: Environment
    ) => Effect.Effect<Provider, ProviderNotConfigured>
    readonly inboxes: Effect.Effect<ReadonlyArray<InboxOf>>
  }
>()("invoicing/einvoicing/providers/Provider/Providers") {}

export const providersFrom = ({ find, inboxes }: Pick<Providers["Service"], "find" | "inboxes">) =>
  Providers.of({
    find,
    inboxes,
    require: (organization_id, code, environment) =>
      Effect.flatMap(
        find(organization_id, code, environment),
        Option.match({ onNone: () => ProviderNotConfigured.of(networks[code]), onSome: Effect.succeed })
      )
  })

interface Owned {
  readonly organization_id: OrganizationId
  readonly provider: ProviderCode
  /** A document of the sandbox never goes to a real network, nor a real one to the sandbox. */
  readonly environment: Environment
}

/** A missing provider counts as an outage, so that a job waits until an operator configures it again. */
export const configured = (
  providers: Providers["Service"],
  { environment, organization_id, provider }: Owned
): Effect.Effect<Provider, NetworkUnavailable> =>
  Effect.mapError(
    providers.require(organization_id, provider, environment),
    ({ message }) => new NetworkUnavailable({ message })
  )
