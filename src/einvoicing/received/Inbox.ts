import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now } from "../../kernel/Calendar.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Arrival } from "../providers/Arrival.ts"
import { type InboxOf, type NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { type ReceivedFacts, receivedEvent, shown } from "./Received.ts"
import { arrivalReader, ArrivalReader } from "./reading/ArrivalReader.ts"
import type { ReadArrival } from "./reading/ReadArrival.ts"
import { Reading } from "./reading/Reading.ts"
import { ReceivedRepo } from "./ReceivedRepo.ts"
import { unreadableFile } from "./reading/ReceivedReader.ts"
import { UnreadArrivalsRepo } from "./UnreadArrivalsRepo.ts"
import { keepSent, paperOf } from "./SentMessages.ts"

/** Maximum number of connections that are queried concurrently, so that a slow network does not delay all others. */
const collections_max = 4
/** A run that takes longer ends. The next run begins with other connections (`Connections.openable`). */
const run_time_limit = "8 minutes"
/** Maximum time for the documents of one connection, including their storage. The next run collects the others. */
const connection_time_limit = "4 minutes"
/** After so many attempts to read it, a document is stored as unreadable. The pauses between them take eight hours. */
const read_attempts_max = 10

export class Inbox extends Context.Service<
  Inbox,
  {
    /** A document that cannot be stored now is collected again in a later run. */
    readonly collect: Effect.Effect<void>
  }
>()("invoicing/einvoicing/received/Inbox") {
  static readonly readBy = (reading: Layer.Layer<ArrivalReader>) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const repo = yield* ReceivedRepo
        const unread = yield* UnreadArrivalsRepo
        const providers = yield* Providers
        const organizations = yield* Organizations
        const reader = yield* ArrivalReader
        const archive = yield* Transmissions
        const auditLog = yield* AuditLog
        const { transaction } = yield* Database

        const store = Effect.fnUntraced(function* (arrived: ReceivedFacts) {
          const facts = Option.getOrNull(yield* repo.insert(arrived))
          if (facts === null) return
          const { document_type, environment, id, number, object_id, organization_id, sha256 } = facts
          const event = yield* receivedEvent("einvoice.received", shown(facts))
          yield* archive.record({
            organization_id,
            id: `received:${facts.provider}:${facts.transmission_id}`,
            at: facts.received_at,
            direction: "inbound",
            network: facts.provider,
            environment,
            type: document_type ?? "document",
            code: null,
            reference: facts.transmission_id,
            // Only the organization's own documents have a type and an id; a received document belongs to the supplier.
            document_type: null,
            document_id: null,
            number,
            object_id
          })
          yield* auditLog.append(yield* callerEntry("einvoice.received", { received_id: id, number, sha256 }, [event]))
        }, transaction)

        const factsOf = Effect.fnUntraced(function* (
          reading: Reading,
          { content_type, counterparty_name, document_reference, kept, ...arrived }: Kept
        ) {
          const { sha256 } = kept
          const { environment, organization_id, transmission_id } = arrived
          const about = paperOf({ ...reading, organization_id, environment }, counterparty_name)
          const paper = { ...about, direction: "inbound" } as const
          const json = canonicalJson({ transmission_id, sha256, ...(yield* encode(reading)) })
          const described = { object_kind: "received_document_json", content_type: "application/json" } as const
          const { object_id: json_object_id } = yield* archive.keep(
            { ...paper, ...described },
            new TextEncoder().encode(json)
          )
          const received_at = yield* now
          const facts: ReceivedFacts = {
            ...reading,
            ...arrived,
            id: yield* repo.nextId,
            status: "received",
            refusal_reason: null,
            expense_id: null,
            duplicate_of: null,
            ...kept,
            json_object_id,
            document_reference,
            content_type,
            received_at,
            answered_at: null,
            updated_at: received_at
          }
          return facts
        })

        /** Archives a file and the content that was read from it, and stores its documents. Returns the first one. */
        const keep = Effect.fnUntraced(function* (
          { code, provider: { environment } }: InboxOf,
          { bytes, organization_id, transmission_id }: Arrival,
          { content_type, counterparty_name, document_reference, readings }: ReadArrival
        ) {
          const organization = yield* Effect.orDie(organizations.get(organization_id))
          const [first] = readings
          const about = paperOf({ ...first, organization_id, environment }, counterparty_name)
          const kept = yield* archive.keep(
            { ...about, direction: "inbound", object_kind: "ubl_xml", content_type },
            bytes
          )
          const documents = yield* Effect.forEach(readings, (reading, index) =>
            factsOf(reading, {
              organization_id,
              provider: code,
              environment,
              // The first document has the identifier of the file, by which a repeated delivery is recognized.
              transmission_id: index === 0 ? transmission_id : `${transmission_id}#${index + 1}`,
              content_type,
              counterparty_name,
              document_reference,
              kept
            })
          )
          yield* asSystem(organization)(transaction(Effect.forEach(documents, store, { discard: true })))
          return documents[0]
        })

        /** Informs the supplier that the document is stored. This message is optional, so a refusal is only logged. */
        const takeInCharge = Effect.fnUntraced(function* (
          provider: Provider,
          facts: ReceivedFacts,
          parties: ReadArrival["parties"]
        ) {
          const { is_self_billed, transmission_id } = facts
          // The messages to a supplier would name the organization as the buyer.
          if (provider.takeInCharge === undefined || is_self_billed) return
          const sent = yield* provider
            .takeInCharge({ transmission_id, parties })
            .pipe(
              Effect.catchTag("NetworkRefused", ({ message }) =>
                Effect.as(
                  Effect.logWarning(`the receipt of document ${transmission_id} cannot be confirmed: ${message}`),
                  Option.none()
                )
              )
            )
          if (Option.isSome(sent)) yield* archive.record(yield* keepSent(archive, facts, sent.value))
        })

        const take = Effect.fnUntraced(function* (inbox: InboxOf, arrival: Arrival) {
          const { code, provider } = inbox
          const { bytes, organization_id, transmission_id } = arrival
          const key = { organization_id, provider: code, transmission_id }
          const failed = Option.getOrUndefined(yield* unread.find(key))
          if (failed?.is_waiting === true) return
          const stored = yield* repo.findArrived(key)
          // A stored file is read again only if the network passes the parties in it on to the supplier.
          if (Option.isNone(stored) || provider.takeInCharge !== undefined) {
            const content = yield* reader
              .read(arrival)
              .pipe(
                Effect.catchTag("ArrivalUnread", (error) =>
                  (failed?.read_attempts ?? 0) + 1 < read_attempts_max
                    ? Effect.fail(error)
                    : Effect.succeed(unreadableFile(bytes, "The document cannot be read, even after several attempts."))
                )
              )
            const facts = Option.isSome(stored) ? stored.value : yield* keep(inbox, arrival, content)
            yield* takeInCharge(provider, facts, content.parties)
          }
          yield* provider.confirm(arrival)
          if (failed !== undefined) yield* unread.remove(key)
        })

        const collectFrom = (inbox: InboxOf) =>
          Stream.runForEach(inbox.provider.arrivals, (arrival) => {
            const { organization_id, transmission_id } = arrival
            const key = { organization_id, provider: inbox.code, transmission_id }
            const name = `the document ${transmission_id} of organization ${organization_id}`
            const postpone = (failed_step: "read" | "store", problem: string) =>
              Effect.andThen(
                Effect.logWarning(`${name} waits for the next attempt to ${failed_step} or confirm it: ${problem}`),
                unread.postpone({ ...key, failed_step, problem })
              )
            return take(inbox, arrival).pipe(
              Effect.catchTags({
                ArrivalUnread: ({ message }) => postpone("read", message),
                // A pause that the network requests is not due to the document.
                NetworkUnavailable: (error) =>
                  error.retry_after_seconds === undefined ? postpone("store", error.message) : Effect.fail(error)
              }),
              Effect.catchDefect((defect) => postpone("store", String(defect))),
              Effect.catchCause((cause) => Effect.logError(`${name} cannot be stored or confirmed`, cause))
            )
          }).pipe(
            Effect.timeoutOrElse({
              duration: connection_time_limit,
              orElse: () =>
                Effect.logWarning(`the collection of ${documentsOf(inbox)} ended after ${connection_time_limit}`)
            })
          )

        const collect = Effect.gen(function* () {
          yield* Effect.forEach(
            yield* providers.inboxes,
            (inbox) =>
              collectFrom(inbox).pipe(
                Effect.catchTag("NetworkUnavailable", ({ message }: NetworkUnavailable) =>
                  Effect.logWarning(`${documentsOf(inbox)} cannot be collected: ${message}`)
                ),
                // A malformed answer at one connection must not stop the collection of documents for all organizations.
                Effect.catchDefect((defect) => Effect.logError(`${documentsOf(inbox)} cannot be collected`, defect))
              ),
            { concurrency: collections_max, discard: true }
          )
        }).pipe(
          Effect.timeoutOrElse({
            duration: run_time_limit,
            orElse: () => Effect.logWarning(`the collection of documents ended after ${run_time_limit}`)
          }),
          Effect.withSpan("Inbox.collect")
        )

        return Inbox.of({ collect })
      })
    ).pipe(
      Layer.provide([ReceivedRepo.layer, UnreadArrivalsRepo.layer, reading, Organizations.layer, Transmissions.layer])
    )

  static readonly layer = this.readBy(arrivalReader())
}

/** Names the documents of an inbox in the log. */
const documentsOf = ({ code, organization_id }: InboxOf) =>
  `the documents of ${code}${organization_id === undefined ? "" : ` for organization ${organization_id}`}`

interface Kept extends Pick<
  ReceivedFacts,
  "organization_id" | "provider" | "environment" | "transmission_id" | "content_type" | "document_reference"
> {
  readonly counterparty_name: string | null
  readonly kept: Pick<ReceivedFacts, "object_id" | "sha256" | "size_bytes">
}

const encode = jsonRecord(Schema.toType(Reading))
