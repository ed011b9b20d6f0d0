import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { now, timestampAfter, timestampOf } from "../../kernel/Calendar.ts"
import { inBatches } from "../../platform/jobs/InBatches.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { configured, type NetworkMessage, type NetworkUnavailable, Providers } from "../providers/Provider.ts"
import { networks } from "../providers/Network.ts"
import { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import {
  awaitsSignature,
  documentTypeOf,
  type EinvoiceFacts,
  type EinvoiceKey,
  keyOf,
  withReceipt,
  without_receipt
} from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import {
  type FollowUp,
  FollowUpQueue,
  PollQueue,
  submitting_max,
  TransmissionQueue
} from "../documents/EinvoiceQueue.ts"
import { EinvoicesRepo, overdue_max } from "../documents/EinvoicesRepo.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"
import { PaymentReports } from "./PaymentReports.ts"
import { isOver } from "./Progress.ts"

/** The pauses between polls: short at first, while machines process the document, then longer, while people decide. */
const poll_delays_seconds = [2, 4, 8, 15, 30, 60, 300, 900, 3_600, 21_600]
const poll_delay_seconds_max = 86_400
/** Number of days in which a document is polled, because networks report payments weeks after the acceptance. */
const watched_days = 90
/** A poll that is overdue by more than this time counts as lost, because its process has probably crashed. */
const lost_after_seconds = 3_600

const unsigned = "The document was not signed in time."
const unknown = "It is unknown whether the network has the document. Ask the recipient before you submit it again."

type Failed = NetworkUnavailable | StorageUnavailable | ArchiveIncident

export class EinvoiceFollowUp extends Context.Service<
  EinvoiceFollowUp,
  {
    /** Lets a planned poll that is due wait for the turn of its organization. */
    readonly queue: (poll: typeof FollowUp.Type) => Effect.Effect<void, Failed>
    /** Makes a planned poll, and plans the next one. */
    readonly follow: (poll: typeof FollowUp.Type) => Effect.Effect<void, Failed>
    /** Makes an extra poll, which changes no plan, even if the last planned poll was made. */
    readonly followExtra: (key: EinvoiceKey) => Effect.Effect<void, Failed>
    /** Enqueues polls again that a crashed process has lost, and returns their number. */
    readonly resume: Effect.Effect<number>
  }
>()("invoicing/einvoicing/transmissions/EinvoiceFollowUp") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const news = yield* EinvoiceNews
      const papers = yield* EinvoicePapers
      const providers = yield* Providers
      const once = yield* SubmissionsOnce
      const jobs = yield* Jobs
      const { enqueue } = yield* extraPolls
      const payments = yield* PaymentReports
      const { transaction } = yield* Database

      /** Archives the receipt of a message. The message is recorded afterwards, because it refers to the receipt. */
      const kept = Effect.fnUntraced(function* (facts: EinvoiceFacts, { receipt }: NetworkMessage) {
        if (receipt === null) return without_receipt
        const { content_type } = receipt
        const kind = { object_kind: "evidence", direction: "inbound", content_type } as const
        return withReceipt(receipt.type, yield* papers.keep(facts, kind, receipt.bytes))
      })

      const tell = Effect.fnUntraced(function* (facts: EinvoiceFacts, message: NetworkMessage) {
        const { at, code, id: message_id, progress, reason, reference, source } = message
        yield* news.record(keyOf(facts), {
          progress,
          message: { message_id, at, code, source, ...(yield* kept(facts, message)) },
          changes: { reason, retryable: false, ...(reference === undefined ? {} : { network_reference: reference }) },
          exchange: { direction: "inbound", type: message.receipt?.type ?? "status" }
        })
      })

      /** Plans the poll after the one that was made, unless another process has planned it meanwhile. */
      const plan = Effect.fnUntraced(function* (polled: EinvoiceFacts) {
        const key = keyOf(polled)
        const facts = yield* repo.lock(key)
        if (facts.polls !== polled.polls) return
        const instant = yield* DateTime.now
        const seconds = poll_delays_seconds[facts.polls] ?? poll_delay_seconds_max
        const next = DateTime.addDuration(instant, Duration.seconds(seconds))
        if (isOver(facts.status) || DateTime.isGreaterThan(next, endOf(facts))) {
          return yield* repo.save({ ...facts, next_poll_at: null })
        }
        const polls = facts.polls + 1
        yield* repo.save({ ...facts, polls, next_poll_at: timestampOf(next) })
        const order = { id: `${key.id}:${polls}`, delay: Duration.seconds(seconds) }
        yield* jobs.offer(FollowUpQueue, { ...key, polls }, order)
      }, transaction)

      /**
       * Enqueues the submission again: an authority requires the document even if it arrives late, and a provider may
       * already have a document whose submission was not answered.
       */
      const again = Effect.fnUntraced(function* (polled: EinvoiceFacts) {
        const key = keyOf(polled)
        const facts = yield* repo.lock(key)
        if (facts.polls !== polled.polls) return
        const next_poll_at = yield* timestampAfter(submitting_max)
        yield* repo.save({ ...facts, polls: facts.polls + 1, next_poll_at })
        yield* jobs.offer(TransmissionQueue, key, { id: `${key.id}:${next_poll_at}` })
      }, transaction)

      const ask = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const provider = yield* configured(providers, facts)
        const { number, transmission_id } = facts
        return yield* provider.poll(transmission_id, { number, document_type: documentTypeOf(facts) })
      })

      /**
       * Ends a submission that is still pending, except at an authority, which requires the document even if it arrives
       * late.
       */
      const giveUp = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const key = keyOf(facts)
        if (networks[facts.provider].registers === true) return
        if (yield* once.isAttempted(facts)) return yield* news.giveUp(key, { reason: unknown, retryable: false })
        const reason = awaitsSignature(facts) ? unsigned : "The document could not be submitted."
        yield* news.giveUp(key, { reason, retryable: true })
      })

      /** A network that never answers again, or is disconnected, must not keep a document in the polls forever. */
      const endInTime = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const isOverdue = DateTime.isGreaterThan(yield* DateTime.now, endOf(facts))
        if (isOverdue) yield* facts.status === "pending" ? giveUp(facts) : plan(facts)
      })

      /** Handles a document whose submission ended without an answer, and that the network does not know. */
      const unsent = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const isRequired = networks[facts.provider].registers === true
        const isInTime = DateTime.isLessThan(yield* DateTime.now, endOf(facts))
        const isAgain = isRequired || (isInTime && (yield* once.isAttempted(facts)))
        yield* isAgain ? again(facts) : giveUp(facts)
      })

      /** Records the news of a document, and returns false if the network does not know a pending document. */
      const poll = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const key = keyOf(facts)
        const known = new Set((yield* repo.messages(key)).map(({ message_id }) => message_id))
        const messages = yield* ask(facts)
        for (const message of messages) if (!known.has(message.id)) yield* tell(facts, message)
        if (facts.status === "pending" && messages.length === 0) return false
        yield* payments.report(key)
        return true
      })

      const follow = Effect.fn("EinvoiceFollowUp.follow")(function* ({ polls, ...key }: typeof FollowUp.Type) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const found = yield* repo.find(key)
        if (Option.isNone(found) || found.value.next_poll_at === null) return
        const facts = found.value
        if (polls !== undefined && polls !== facts.polls) return
        const isKnown = yield* Effect.tapError(poll(facts), () => endInTime(facts))
        yield* isKnown ? plan(facts) : unsent(facts)
      })

      const followExtra = Effect.fn("EinvoiceFollowUp.followExtra")(function* (key: EinvoiceKey) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": key.id })
        const found = yield* repo.find(key)
        if (Option.isSome(found)) yield* poll(found.value)
      })

      const queue = Effect.fnUntraced(function* (planned: typeof FollowUp.Type) {
        const { id, is_extra, organization_id, polls } = planned
        if (is_extra === true) return yield* enqueue(planned, `earlier:${yield* now}`)
        if (polls === undefined) return yield* follow(planned)
        yield* jobs.offer(PollQueue, planned, { id: `${id}:${polls}`, organization_id })
      })

      const resumeSome = Effect.gen(function* () {
        const overdue = yield* repo.overdue({ seconds: lost_after_seconds })
        const moment = yield* now
        for (const poll of overdue) {
          const { id, organization_id } = poll
          yield* jobs.offer(PollQueue, poll, { id: `${id}:${moment}`, organization_id })
        }
        return overdue.length
      }).pipe(transaction)

      const resume = inBatches(overdue_max, resumeSome).pipe(Effect.withSpan("EinvoiceFollowUp.resume"))

      return EinvoiceFollowUp.of({ queue, follow, followExtra, resume })
    })
  ).pipe(
    Layer.provide([
      EinvoicesRepo.layer,
      EinvoiceNews.layer,
      EinvoicePapers.layer,
      SubmissionsOnce.layer,
      PaymentReports.layer
    ])
  )
}

const endOf = ({ created_at }: EinvoiceFacts) =>
  DateTime.addDuration(DateTime.makeUnsafe(created_at), Duration.days(watched_days))
