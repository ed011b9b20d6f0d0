import { Context, Effect, Layer, Option } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now } from "../../kernel/Calendar.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { networks } from "../providers/Network.ts"
import {
  documentTypeOf,
  einvoiceEvent,
  type EinvoiceFacts,
  type EinvoiceKey,
  type Message,
  shown,
  without_receipt
} from "../documents/Einvoice.ts"
import { SnapshotQueue } from "../documents/EinvoiceQueue.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { advanced, isOver, milestones } from "./Progress.ts"
import { SubmittedDocuments } from "../documents/SubmittedDocuments.ts"

interface News {
  /** The status that the message reports; null when it reports none. */
  readonly progress: EinvoiceFacts["status"] | null
  readonly message: Omit<Message, "status">
  readonly changes?: Partial<Pick<EinvoiceFacts, "network_reference" | "reason" | "retryable" | "next_poll_at">>
  /** The direction and the type of the exchange with the network, for the archive; null when nothing was exchanged. */
  readonly exchange: Exchange | null
}

interface Exchange {
  readonly direction: "outbound" | "inbound"
  readonly type: string
}

interface Outcome {
  readonly reason: string
  readonly retryable: boolean
}

/** Records each message once: in the status, the history, the archive, the audit chain and the events. */
export class EinvoiceNews extends Context.Service<
  EinvoiceNews,
  {
    readonly record: (key: EinvoiceKey, news: News) => Effect.Effect<void>
    /** Marks a submission as failed after its last attempt. */
    readonly giveUp: (key: EinvoiceKey, outcome: Outcome) => Effect.Effect<void>
  }
>()("invoicing/einvoicing/transmissions/EinvoiceNews") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const documents = yield* SubmittedDocuments
      const organizations = yield* Organizations
      const archive = yield* Transmissions
      const auditLog = yield* AuditLog
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      const archiveExchange = (
        facts: EinvoiceFacts,
        { archive_object_id, at, code, message_id }: News["message"],
        { direction, type }: Exchange
      ) =>
        archive.record({
          organization_id: facts.organization_id,
          id: `${facts.transmission_id}:${message_id}`,
          at,
          direction,
          network: facts.provider,
          environment: facts.environment,
          type,
          code,
          reference: facts.network_reference,
          document_type: documentTypeOf(facts),
          document_id: facts.invoice_id ?? facts.credit_note_id,
          number: facts.number,
          object_id: archive_object_id ?? (direction === "outbound" ? facts.xml_object_id : null)
        })

      const recordNow = Effect.fnUntraced(function* (key: EinvoiceKey, { changes, exchange, message, progress }: News) {
        const found = yield* repo.find(key)
        if (Option.isNone(found)) return
        // Every transaction locks invoices before submissions, so that transactions do not deadlock.
        yield* Effect.orDie(documents.hold(found.value))
        const before = yield* repo.lock(key)
        if (!(yield* repo.addMessage(key, { ...message, status: progress ?? before.status }))) return
        const status = advanced(before.status, progress)
        const hasEnded = isOver(status) && status !== before.status
        const after: EinvoiceFacts = {
          ...before,
          ...changes,
          status,
          reason: hasEnded ? (changes?.reason ?? null) : before.reason,
          retryable: hasEnded ? (changes?.retryable ?? false) : before.retryable,
          network_status: message.code ?? before.network_status,
          // The time of the message may precede a client's last sync, which would then miss the change.
          updated_at: yield* now
        }
        const events = []
        const passed = milestones(before.status, status)
        for (const milestone of passed) {
          events.push(
            yield* einvoiceEvent(milestone.type, { ...shown(after), status: milestone.status }, before.status)
          )
          const carriesDocuments = networks[before.provider].registers !== true
          if (carriesDocuments && milestone.type === "einvoice.sent") yield* documents.markSent(after, message.at)
        }
        // The event of the last milestone reports the change, unless the status has no event of its own.
        if (passed.at(-1)?.status !== status) {
          events.push(yield* einvoiceEvent("einvoice.updated", shown(after), before.status))
        }
        yield* repo.save(after)
        if (status !== before.status) {
          const { message_id } = message
          yield* jobs.offer(SnapshotQueue, { ...key, message_id }, { id: `${key.id}:${message_id}` })
        }
        if (exchange !== null) yield* archiveExchange(after, message, exchange)
        const { credit_note_id, invoice_id } = before
        const document = invoice_id === null ? { credit_note_id } : { invoice_id }
        const data = { einvoice_id: key.id, ...document, status, code: message.code }
        yield* auditLog.append(yield* callerEntry("einvoice.updated", data, events))
      }, transaction)

      const record = Effect.fn("EinvoiceNews.record")(function* (key: EinvoiceKey, news: News) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const organization = yield* Effect.orDie(organizations.get(key.organization_id))
        yield* asSystem(organization)(recordNow(key, news))
      })

      const giveUp = Effect.fnUntraced(function* (key: EinvoiceKey, outcome: Outcome) {
        yield* record(key, {
          progress: "failed",
          message: { message_id: "gave_up", at: yield* now, code: null, source: "service", ...without_receipt },
          changes: { ...outcome, next_poll_at: null },
          exchange: null
        })
      })

      return EinvoiceNews.of({ record, giveUp })
    })
  ).pipe(Layer.provide([EinvoicesRepo.layer, SubmittedDocuments.layer, Organizations.layer, Transmissions.layer]))
}
