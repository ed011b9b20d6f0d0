import { Context, Duration, Effect, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now, type Timestamp, timestampAfter } from "../../kernel/Calendar.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import {
  configured,
  type Exchange,
  type NetworkRefused,
  type NetworkUnavailable,
  type Provider,
  Providers
} from "../providers/Provider.ts"
import { networks } from "../providers/Network.ts"
import { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { documentTypeOf, type EinvoiceFacts, type EinvoiceKey, without_receipt } from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { FollowUpQueue } from "../documents/EinvoiceQueue.ts"
import { EinvoiceSignatures } from "./EinvoiceSignatures.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"

type Passing = NetworkUnavailable | StorageUnavailable | ArchiveIncident

const first_poll_after = Duration.seconds(1)

/** Archives a document, then submits the bytes. Each step may be repeated: the same bytes are accepted once. */
export class EinvoiceTransmission extends Context.Service<
  EinvoiceTransmission,
  {
    /**
     * Fails when another attempt may succeed. The last attempt marks the submission as failed instead, unless the
     * network may already have the document, or is an authority that must get every document.
     */
    readonly transmit: (key: EinvoiceKey, attempt: { readonly last: boolean }) => Effect.Effect<void, Passing>
  }
>()("invoicing/einvoicing/transmissions/EinvoiceTransmission") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const news = yield* EinvoiceNews
      const papers = yield* EinvoicePapers
      const signatures = yield* EinvoiceSignatures
      const archive = yield* Transmissions
      const providers = yield* Providers
      const once = yield* SubmissionsOnce
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      const archived = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const { organization_id, xml, xml_object_id } = facts
        if (xml_object_id !== null) {
          return { facts, xml: yield* archive.read({ organization_id, id: xml_object_id }) }
        }
        const bytes = new TextEncoder().encode(xml ?? "")
        const kind = { object_kind: "ubl_xml", direction: "outbound", content_type: "application/xml" } as const
        const { object_id } = yield* papers.keep(facts, kind, bytes)
        yield* repo.markArchived({ organization_id, id: facts.id, xml_object_id: object_id })
        return { facts: { ...facts, xml: null, xml_object_id: object_id }, xml: bytes }
      })

      /** Returns the bytes to send; none if the organization has to sign them first. */
      const signed = Effect.fnUntraced(function* (facts: EinvoiceFacts, xml: Uint8Array, signing: Provider["signing"]) {
        if (signing === undefined || !signing.isRequired(xml)) return Option.some({ facts, xml })
        const file = yield* signing.sign(xml)
        if (Option.isSome(file)) {
          const taken = yield* signatures.take(facts, file.value)
          return Option.map(taken, (facts) => ({ facts, xml: file.value.bytes }))
        }
        yield* signatures.wait(facts)
        return Option.none()
      })

      const refused = Effect.fnUntraced(function* (key: EinvoiceKey, refusal: NetworkRefused) {
        const { code, is_until_later, message } = refusal
        yield* news.record(key, {
          progress: "failed",
          message: { message_id: "submission", at: yield* now, code, source: "network", ...without_receipt },
          changes: { reason: message, retryable: is_until_later ?? false, next_poll_at: null },
          exchange: { direction: "outbound", type: "refusal" }
        })
      })

      const accepted = Effect.fnUntraced(function* (
        key: EinvoiceKey,
        polls: number,
        { at, reference }: { readonly at: Timestamp; readonly reference: string }
      ) {
        yield* news.record(key, {
          progress: "submitted",
          message: { message_id: "submission", at, code: null, source: "network", ...without_receipt },
          changes: {
            network_reference: reference,
            next_poll_at: yield* timestampAfter(first_poll_after)
          },
          exchange: { direction: "outbound", type: "submission" }
        })
        yield* jobs.offer(FollowUpQueue, { ...key, polls }, { id: `${key.id}:${polls}`, delay: first_poll_after })
      }, transaction)

      /**
       * Archives the exchange before the answer is recorded, so that a retry repeats both steps. In the last attempt, a
       * failure to archive is only logged, because the network has already answered.
       */
      const keepExchange = (facts: EinvoiceFacts, exchange: Exchange, last: boolean) => {
        const keeping = papers.keepExchange(facts, exchange)
        return last ? Effect.ignoreCause(keeping, { log: "Error" }) : keeping
      }

      const handOver = Effect.fnUntraced(function* (key: EinvoiceKey, pending: EinvoiceFacts, last: boolean) {
        const adapter = yield* configured(providers, pending)
        const kept = yield* archived(pending)
        const leaving = yield* signed(kept.facts, kept.xml, adapter.signing)
        if (Option.isNone(leaving)) return
        const { facts, xml } = leaving.value
        const { number, recipient, sender_scheme, sender_value, transmission_id, xml_sha256: sha256 } = facts
        const answer = yield* Effect.result(
          adapter.submit({
            transmission_id,
            document_type: documentTypeOf(facts),
            number,
            sender: { scheme: sender_scheme, value: sender_value },
            recipient: { scheme: recipient.identifier_scheme, value: recipient.identifier_value },
            xml,
            sha256
          })
        )
        if (answer._tag === "Success") {
          const { exchange } = answer.success
          if (exchange !== null) yield* keepExchange(facts, exchange, last)
          return yield* accepted(key, facts.polls, answer.success)
        }
        if (answer.failure._tag === "NetworkUnavailable") return yield* answer.failure
        const { exchange } = answer.failure
        if (exchange !== undefined) yield* keepExchange(facts, exchange, last)
        yield* refused(key, answer.failure)
      })

      const transmit = Effect.fn("EinvoiceTransmission.transmit")(function* (
        key: EinvoiceKey,
        { last }: { readonly last: boolean }
      ) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const found = yield* repo.find(key)
        if (Option.isNone(found) || found.value.status !== "pending") return
        const handing = handOver(key, found.value, last)
        if (!last || networks[found.value.provider].registers === true) return yield* handing
        yield* Effect.catchCause(handing, (cause) =>
          Effect.gen(function* () {
            // The recipient would get the document twice if it were submitted again after this.
            if (yield* once.isAttempted(found.value)) return yield* Effect.failCause(cause)
            yield* Effect.logWarning(`einvoice ${key.id} is given up`, cause)
            yield* news.giveUp(key, { reason: "The network could not be reached.", retryable: true })
          })
        )
      })

      return EinvoiceTransmission.of({ transmit })
    })
  ).pipe(
    Layer.provide([
      EinvoicesRepo.layer,
      EinvoiceNews.layer,
      EinvoicePapers.layer,
      EinvoiceSignatures.layer,
      SubmissionsOnce.layer,
      Transmissions.layer
    ])
  )
}
