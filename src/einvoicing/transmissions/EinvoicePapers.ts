import { Context, Effect, Layer, type Option } from "effect"
import type { KeptPaper, Paper } from "../../archive/objects/Transmission.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { Exchange } from "../providers/Provider.ts"
import { documentTypeOf, type EinvoiceFacts, type EinvoiceKey, type Message } from "../documents/Einvoice.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { SubmittedDocuments } from "../documents/SubmittedDocuments.ts"

type Kind = Pick<Paper, "object_kind" | "direction" | "content_type">

const json = "application/json"
const encoded = (text: string) => new TextEncoder().encode(text)

/** Archives everything about a submission, with the document's number, date and amount, by which it can be found. */
export class EinvoicePapers extends Context.Service<
  EinvoicePapers,
  {
    readonly keep: (facts: EinvoiceFacts, kind: Kind, bytes: Uint8Array) => Effect.Effect<KeptPaper, StorageUnavailable>
    /** Archives two bodies: that of the request which submitted the document, and that of the network's answer. */
    readonly keepExchange: (facts: EinvoiceFacts, exchange: Exchange) => Effect.Effect<void, StorageUnavailable>
    /** Archives the status and the history of a submission as they were right after the given message. */
    readonly keepSnapshot: (key: EinvoiceKey & Pick<Message, "message_id">) => Effect.Effect<void, StorageUnavailable>
    readonly keepEvent: (key: EinvoiceKey, body: string) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/einvoicing/transmissions/EinvoicePapers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const documents = yield* SubmittedDocuments
      const organizations = yield* Organizations
      const archive = yield* Transmissions

      const keep = Effect.fn("EinvoicePapers.keep")(function* (facts: EinvoiceFacts, kind: Kind, bytes: Uint8Array) {
        const { environment, number, organization_id, recipient } = facts
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const document = yield* Effect.orDie(asSystem(organization)(documents.get(facts)))
        const { currency, id: document_id, issue_date, total: amount } = document
        const described = { counterparty_name: recipient.name, issue_date, amount, currency, environment }
        const named = { document_type: documentTypeOf(facts), document_id, number }
        return yield* archive.keep({ organization_id, ...kind, ...named, ...described }, bytes)
      })

      const keepExchange = Effect.fn("EinvoicePapers.keepExchange")(function* (
        facts: EinvoiceFacts,
        { request, response }: Exchange
      ) {
        const { content_type } = request
        yield* keep(facts, { object_kind: "request_body", direction: "outbound", content_type }, request.bytes)
        const answered = { object_kind: "response_body", direction: "inbound" } as const
        yield* keep(facts, { ...answered, content_type: response.content_type }, response.bytes)
      })

      const keepSnapshot = Effect.fn("EinvoicePapers.keepSnapshot")(function* ({
        message_id,
        ...key
      }: EinvoiceKey & Pick<Message, "message_id">) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const facts = yield* existing(repo.find(key))
        const messages = yield* repo.messages(key)
        const place = messages.findIndex((message) => message.message_id === message_id)
        if (place < 0) return yield* Effect.die(new Error(`einvoice ${key.id} has no message ${message_id}`))
        const told = messages.slice(0, place + 1)
        const kind = { object_kind: "status_snapshot", direction: "inbound", content_type: json } as const
        yield* keep(facts, kind, encoded(snapshotText(facts, told)))
      })

      const keepEvent = Effect.fn("EinvoicePapers.keepEvent")(function* (key: EinvoiceKey, body: string) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const kind = { object_kind: "webhook_event", direction: "outbound", content_type: json } as const
        yield* keep(yield* existing(repo.find(key)), kind, encoded(body))
      })

      return EinvoicePapers.of({ keep, keepExchange, keepSnapshot, keepEvent })
    })
  ).pipe(Layer.provide([EinvoicesRepo.layer, SubmittedDocuments.layer, Organizations.layer, Transmissions.layer]))
}

/** Submissions are never removed, so a missing one is a bug. */
const existing = <A, E, R>(found: Effect.Effect<Option.Option<A>, E, R>) =>
  found.pipe(Effect.flatMap(Effect.fromOption), Effect.orDie)

/** Omits everything that later messages change, so that repeated attempts give the same bytes. */
const snapshotText = (facts: EinvoiceFacts, told: ReadonlyArray<Message>): string => {
  const { credit_note_id, environment, id, invoice_id, number, provider, transmission_id, xml_sha256 } = facts
  const history = told.map(({ at, code, message_id, source, status }) => ({ at, status, code, source, message_id }))
  const status = told.at(-1)?.status ?? facts.status
  const document = invoice_id === null ? { credit_note_id } : { invoice_id }
  const submission = { einvoice_id: id, ...document, number, provider, environment, transmission_id, xml_sha256 }
  return canonicalJson({ ...submission, status, history })
}
