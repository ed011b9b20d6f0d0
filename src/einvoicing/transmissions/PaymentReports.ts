import { BigDecimal, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { refundableOf } from "../../billing/payments/Payment.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import type { InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Connections } from "../providers/connections/Connections.ts"
import {
  configured,
  type NetworkUnavailable,
  Providers,
  type ReceivedPayment,
  type SentReport
} from "../providers/Provider.ts"
import { type EinvoiceFacts, type EinvoiceKey, keyOf, without_receipt, withReceipt } from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { EinvoicesRepo, payment_message } from "../documents/EinvoicesRepo.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"

/** Time after a payment in which it causes a poll each day until it is reported, although no poll is planned. */
const lookback = Duration.days(7)
const day_characters = "2026-01-01".length

/** Reports payments of transmitted invoices to the networks that require such reports. */
export class PaymentReports extends Context.Service<
  PaymentReports,
  {
    /**
     * Reports each payment of an invoice once, without the money that was refunded until then, and the money that
     * arrived before the invoice. A refused report is repeated with the next poll.
     */
    readonly report: (
      key: EinvoiceKey
    ) => Effect.Effect<void, NetworkUnavailable | StorageUnavailable | ArchiveIncident>
    /** Enqueues polls of paid invoices whose last planned poll was made, so that their payments are also reported. */
    readonly enqueueLate: Effect.Effect<void>
  }
>()("invoicing/einvoicing/transmissions/PaymentReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const news = yield* EinvoiceNews
      const papers = yield* EinvoicePapers
      const providers = yield* Providers
      const invoices = yield* Invoices
      const payments = yield* Payments
      const organizations = yield* Organizations
      const archive = yield* Transmissions
      const connections = yield* Connections
      const polls = yield* extraPolls

      /** Returns none if the payment was removed or refunded after its report was due. */
      const paid = Effect.fnUntraced(function* (payment_id: PaymentId) {
        const payment = Option.filter(yield* Effect.option(payments.get(payment_id)), (booked) =>
          BigDecimal.isPositive(refundableOf(booked))
        )
        return Option.map(payment, (booked): Receipt => {
          const { created_at: at, currency, payment_date: received_on } = booked
          return { id: messageOf(payment_id), amount: refundableOf(booked), currency, received_on, at }
        })
      })

      /** The day of money that arrived before the invoice is not known, so it counts on the day of the invoice. */
      const prepaid = Effect.fnUntraced(function* (invoice_id: InvoiceId, at: Timestamp) {
        const invoice = yield* Effect.orDie(invoices.get(invoice_id))
        const { currency, issue_date: received_on, prepaid_amount } = invoice
        const prepayment = (yield* payments.ofInvoice(invoice_id)).find(({ is_prepayment }) => is_prepayment)
        const amount = prepayment === undefined ? prepaid_amount : refundableOf(prepayment)
        if (BigDecimal.isZero(amount)) return Option.none()
        return Option.some<Receipt>({ id: prepaidMessageOf(invoice_id), amount, currency, received_on, at })
      })

      /** Finds the money that was received for an invoice. The amounts are read just before they are reported. */
      const receiptsOf = Effect.fnUntraced(function* (invoice_id: InvoiceId, submitted_at: Timestamp) {
        const { payments: booked, prepaid_amount } = yield* Effect.orDie(payments.summary(invoice_id))
        const since = booked.map(({ id }) => ({ id: messageOf(id), read: paid(id) }))
        if (BigDecimal.isZero(prepaid_amount)) return since
        return [{ id: prepaidMessageOf(invoice_id), read: prepaid(invoice_id, submitted_at) }, ...since]
      })

      /**
       * Archives the report of a payment, and adds it to the history of the submission. A report that the network has
       * not checked gets an entry of its own, without a code, because the money may be refunded before the next poll.
       */
      const keep = Effect.fnUntraced(function* (
        facts: EinvoiceFacts,
        known: ReadonlySet<string>,
        { at, id }: Receipt,
        { code, isChecked, receipt: { bytes, type }, reference }: SentReport
      ) {
        const unchecked_id = `${id}:${reference}`
        const isKept = known.has(unchecked_id)
        if (isKept && !isChecked) return
        const kind = { object_kind: "evidence", direction: "outbound", content_type: "application/xml" } as const
        const receipt = isKept ? without_receipt : withReceipt(type, yield* papers.keep(facts, kind, bytes))
        const stated = isChecked ? { message_id: id, code } : { message_id: unchecked_id, code: null }
        yield* news.record(keyOf(facts), {
          progress: null,
          message: { ...stated, at, source: "service", ...receipt },
          exchange: isKept ? null : { direction: "outbound", type }
        })
      })

      const report = Effect.fn("PaymentReports.report")(function* (key: EinvoiceKey) {
        const facts = Option.getOrNull(yield* repo.find(key))
        if (facts === null || facts.invoice_id === null || facts.xml_object_id === null) return
        // A network refuses the report of a payment before the recipient has the invoice.
        if (facts.status !== "delivered" && facts.status !== "accepted") return
        const { reportPayment } = yield* configured(providers, facts)
        if (reportPayment === undefined) return
        const { organization_id } = key
        const system = asSystem(yield* Effect.orDie(organizations.get(organization_id)))
        const known = new Set((yield* repo.messages(key)).map(({ message_id }) => message_id))
        const receipts = yield* system(receiptsOf(facts.invoice_id, facts.created_at))
        const waiting = receipts.filter(({ id }) => !known.has(id))
        if (waiting.length === 0) return
        const invoice = yield* archive.read({ organization_id, id: facts.xml_object_id })
        for (const { id, read } of waiting) {
          const receipt = yield* system(read)
          if (Option.isNone(receipt)) continue
          const sent = yield* reportPayment({ ...receipt.value, invoice }).pipe(
            Effect.catchTag("NetworkRefused", ({ message }) =>
              Effect.as(Effect.logWarning(`${id} cannot be reported: ${message}`), Option.none())
            )
          )
          if (Option.isSome(sent)) yield* keep(facts, known, receipt.value, sent.value)
        }
      })

      const enqueueOf = Effect.fnUntraced(function* ({ open, organization_id, provider }: Openable, since: Timestamp) {
        const opened = Option.getOrUndefined(yield* open)
        if (opened?.reportPayment === undefined) return
        const { environment } = opened
        const unreported = yield* repo.unreportedPayments({ organization_id, provider, environment, since })
        const day = (yield* now).slice(0, day_characters)
        for (const { payment_id, ...key } of unreported) {
          yield* polls.enqueue(key, `${messageOf(payment_id)}:${day}`)
        }
      })

      const enqueueLate = Effect.gen(function* () {
        const since = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, lookback))
        for (const connection of yield* connections.openable) {
          yield* enqueueOf(connection, Timestamp.make(since)).pipe(
            // A bug at one connection must not stop the reports at the others.
            Effect.catchDefect((defect) =>
              Effect.logError(`payments of organization ${connection.organization_id} cannot be reported`, defect)
            )
          )
        }
      }).pipe(Effect.withSpan("PaymentReports.enqueueLate"))

      return PaymentReports.of({ report, enqueueLate })
    })
  ).pipe(
    Layer.provide([
      EinvoicesRepo.layer,
      EinvoiceNews.layer,
      EinvoicePapers.layer,
      Invoices.layer,
      Payments.layer,
      Organizations.layer,
      Transmissions.layer
    ])
  )
}

type Openable = Effect.Success<Connections["Service"]["openable"]>[number]

type Receipt = Omit<ReceivedPayment, "invoice">

const messageOf = (payment_id: PaymentId) => `${payment_message}${payment_id}`

/** Names the report of the money that arrived before an invoice, which is no payment with an id. */
const prepaidMessageOf = (invoice_id: InvoiceId) => `${payment_message}prepaid:${invoice_id}`
