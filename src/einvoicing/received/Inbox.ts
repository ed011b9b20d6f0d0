import { Context, Effect, Layer, Schema } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now } from "../../kernel/Calendar.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { ProviderCode } from "../providers/Network.ts"
import { type Arrival, type NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { Reading, type ReceivedFacts, receivedEvent, shown } from "./Received.ts"
import { readReceived } from "./ReceivedReader.ts"
import { ReceivedRepo } from "./ReceivedRepo.ts"

/** Networks that are asked at a time, so that a slow one does not delay all others. */
const collections_max = 4

/** Takes in the documents that arrive over the networks. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** Collects the arrivals of all networks. A document that cannot be stored now is collected again later. */
    readonly collect: Effect.Effect<void>
    /** Archives an arrival with its reading and lists it. A repeated delivery changes nothing. */
    readonly take: (
      code: ProviderCode,
      environment: Provider["environment"],
      arrival: Arrival
    ) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/einvoicing/received/Inbox") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivedRepo
      const providers = yield* Providers
      const organizations = yield* Organizations
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
          // The archive numbers the documents of the organization itself, and this one belongs to its supplier.
          document_type: null,
          document_id: null,
          number,
          object_id
        })
        yield* auditLog.append(yield* callerEntry("einvoice.received", { received_id: id, number, sha256 }, [event]))
      }, transaction)

      const take: Inbox["Service"]["take"] = Effect.fn("Inbox.take")(function* (provider, environment, arrival) {
        const { bytes, organization_id, transmission_id } = arrival
        if ((yield* repo.isKnown({ organization_id, provider, transmission_id })).known) return
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const { content_type, reading } = yield* readReceived(bytes)
        const { currency, issue_date, number, supplier, total } = reading
        const paper = {
          organization_id,
          direction: "inbound",
          document_type: null,
          document_id: null,
          number,
          counterparty_name: supplier.name,
          issue_date,
          amount: total,
          currency,
          environment
        } as const
        const kept = yield* archive.keep({ ...paper, object_kind: "ubl_xml", content_type }, bytes)
        const json = canonicalJson({ transmission_id, sha256: kept.sha256, ...(yield* encode(reading)) })
        const described = { object_kind: "received_document_json", content_type: "application/json" } as const
        const { object_id: json_object_id } = yield* archive.keep(
          { ...paper, ...described },
          new TextEncoder().encode(json)
        )
        const received_at = yield* now
        const facts: ReceivedFacts = {
          ...reading,
          id: yield* repo.nextId,
          organization_id,
          provider,
          environment,
          transmission_id,
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
        yield* asSystem(organization)(store(facts))
      })

      const collectFrom = Effect.fnUntraced(function* (code: ProviderCode, provider: Provider) {
        for (const arrival of yield* provider.arrivals) {
          yield* take(code, provider.environment, arrival).pipe(
            Effect.andThen(provider.confirm(arrival)),
            Effect.catchCause((cause) =>
              Effect.logError(`the document ${arrival.transmission_id} cannot be taken in`, cause)
            )
          )
        }
      })

      const collect = Effect.gen(function* () {
        yield* Effect.forEach(
          yield* providers.inboxes,
          ({ code, provider }) =>
            Effect.catchTag(collectFrom(code, provider), "NetworkUnavailable", ({ message }: NetworkUnavailable) =>
              Effect.logWarning(`documents of ${code} cannot be collected: ${message}`)
            ),
          { concurrency: collections_max, discard: true }
        )
      }).pipe(Effect.withSpan("Inbox.collect"))

      return Inbox.of({ collect, take })
    })
  ).pipe(Layer.provide([ReceivedRepo.layer, Organizations.layer, Transmissions.layer]))
}

const Facts = Schema.toCodecJson(Schema.toType(Reading))
// Boundary: the JSON codec of a struct returns an object, but its type says only JSON.
const encode = (reading: Reading) =>
  Effect.orDie(Schema.encodeEffect(Facts)(reading)) as Effect.Effect<Readonly<Record<string, Schema.Json>>>
