import { Context, Effect, Layer, Option, Schema } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now } from "../../kernel/Calendar.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { ProviderCode } from "../providers/Network.ts"
import type { Arrival } from "../providers/Arrival.ts"
import { type NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { type ReceivedFacts, receivedEvent, shown } from "./Received.ts"
import { arrivalReader, ArrivalReader, type ArrivalUnread } from "./reading/ArrivalReader.ts"
import type { ReadArrival } from "./reading/ReadArrival.ts"
import { Reading } from "./reading/Reading.ts"
import { ReceivedRepo } from "./ReceivedRepo.ts"
import { keepSent, paperOf } from "./SentMessages.ts"

/** Maximum number of connections that are queried concurrently, so that a slow network does not delay all others. */
const collections_max = 4
/** A run that takes longer ends. The next run begins with other connections (`Connections.list`). */
const run_time_limit = "8 minutes"

export class Inbox extends Context.Service<
  Inbox,
  {
    /** A document that cannot be stored now is collected again in a later run. */
    readonly collect: Effect.Effect<void>
    /**
     * Archives a file and the content that was read from it, and stores its documents. If the arrival is already
     * stored, returns its first document.
     */
    readonly take: (
      code: ProviderCode,
      environment: Provider["environment"],
      arrival: Arrival
    ) => Effect.Effect<ReceivedFacts, StorageUnavailable | ArrivalUnread>
  }
>()("invoicing/einvoicing/received/Inbox") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivedRepo
      const providers = yield* Providers
      const organizations = yield* Organizations
      const reader = yield* ArrivalReader
      const archive = yield* Transmissions
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const store = Effect.fnUntraced(function* (facts: ReceivedFacts) {
        if (!(yield* repo.insert(facts))) return
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

      const factsOf = Effect.fnUntraced(function* (reading: Reading, { content_type, kept, ...arrived }: Kept) {
        const { sha256 } = kept
        const { environment, organization_id, transmission_id } = arrived
        const paper = { ...paperOf({ ...reading, organization_id, environment }), direction: "inbound" } as const
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
          ...kept,
          json_object_id,
          content_type,
          received_at,
          answered_at: null,
          updated_at: received_at
        }
        return facts
      })

      const keep = Effect.fnUntraced(function* (
        provider: ProviderCode,
        environment: Provider["environment"],
        { bytes, organization_id, transmission_id }: Arrival,
        { content_type, readings }: ReadArrival
      ) {
        const earlier = yield* repo.findArrived({ organization_id, provider, transmission_id })
        if (Option.isSome(earlier)) return earlier.value
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const [first] = readings
        const paper = { ...paperOf({ ...first, organization_id, environment }), direction: "inbound" } as const
        const kept = yield* archive.keep({ ...paper, object_kind: "ubl_xml", content_type }, bytes)
        const documents = yield* Effect.forEach(readings, (reading, index) =>
          factsOf(reading, {
            organization_id,
            provider,
            environment,
            // The first document has the identifier of the file, by which a repeated delivery is recognized.
            transmission_id: index === 0 ? transmission_id : `${transmission_id}#${index + 1}`,
            content_type,
            kept
          })
        )
        yield* asSystem(organization)(transaction(Effect.forEach(documents, store, { discard: true })))
        return documents[0]
      })

      const take: Inbox["Service"]["take"] = Effect.fn("Inbox.take")(function* (provider, environment, arrival) {
        return yield* keep(provider, environment, arrival, yield* reader.read(arrival))
      })

      /** Informs the supplier that the document is stored. This message is optional, so a refusal is only logged. */
      const takeInCharge = Effect.fnUntraced(function* (
        provider: Provider,
        facts: ReceivedFacts,
        parties: ReadArrival["parties"]
      ) {
        const { transmission_id } = facts
        if (provider.takeInCharge === undefined) return
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

      const collectFrom = Effect.fnUntraced(function* (code: ProviderCode, provider: Provider) {
        for (const arrival of yield* provider.arrivals) {
          yield* reader.read(arrival).pipe(
            Effect.flatMap((content) =>
              Effect.flatMap(keep(code, provider.environment, arrival, content), (facts) =>
                takeInCharge(provider, facts, content.parties)
              )
            ),
            Effect.andThen(provider.confirm(arrival)),
            Effect.catchCause((cause) =>
              Effect.logError(`the document ${arrival.transmission_id} cannot be stored`, cause)
            )
          )
        }
      })

      const collect = Effect.gen(function* () {
        yield* Effect.forEach(
          yield* providers.inboxes,
          ({ code, provider }) =>
            collectFrom(code, provider).pipe(
              Effect.catchTag("NetworkUnavailable", ({ message }: NetworkUnavailable) =>
                Effect.logWarning(`documents of ${code} cannot be collected: ${message}`)
              ),
              // A malformed answer at one connection must not stop the collection of documents for all organizations.
              Effect.catchDefect((defect) => Effect.logError(`documents of ${code} cannot be collected`, defect))
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

      return Inbox.of({ collect, take })
    })
  ).pipe(Layer.provide([ReceivedRepo.layer, arrivalReader(), Organizations.layer, Transmissions.layer]))
}

interface Kept extends Pick<
  ReceivedFacts,
  "organization_id" | "provider" | "environment" | "transmission_id" | "content_type"
> {
  readonly kept: Pick<ReceivedFacts, "object_id" | "sha256" | "size_bytes">
}

const Facts = Schema.toCodecJson(Schema.toType(Reading))
// Boundary: the JSON codec of a struct returns an object, but its type says only JSON.
const encode = (reading: Reading) =>
  Effect.orDie(Schema.encodeEffect(Facts)(reading)) as Effect.Effect<Readonly<Record<string, Schema.Json>>>
