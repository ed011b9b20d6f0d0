import { BigDecimal, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { refundableOf } from "../../billing/payments/Payment.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import { Timestamp } from "../../kernel/Calendar.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Connections } from "../providers/connections/Connections.ts"
import { configured, type NetworkUnavailable, Providers } from "../providers/Provider.ts"
import type { EinvoiceKey } from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { EinvoicesRepo, payment_message } from "../documents/EinvoicesRepo.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"

/**
 * Time after a payment in which it is reported although no poll is planned. It is shorter than the time for which a job's
 * id is kept, so that a payment that is not changed later causes one poll.
 */
const lookback = Duration.days(7)

/** Reports payments of transmitted invoices to the networks that require such reports. */
export class PaymentReports extends Context.Service<
  PaymentReports,
  {
    /**
     * Reports each payment of an invoice once, without the money that was refunded until then. A refused report is
     * repeated with the next planned poll, if there is one.
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
      const payments = yield* Payments
      const organizations = yield* Organizations
      const archive = yield* Transmissions
      const connections = yield* Connections
      const polls = yield* extraPolls

      const report = Effect.fn("PaymentReports.report")(function* (key: EinvoiceKey) {
        const facts = Option.getOrNull(yield* repo.find(key))
        if (facts === null || facts.invoice_id === null || facts.xml_object_id === null) return
        // A network refuses the report of a payment before the recipient has the invoice.
        if (facts.status !== "delivered" && facts.status !== "accepted") return
        const { reportPayment } = yield* configured(providers, facts)
        if (reportPayment === undefined) return
        const known = new Set((yield* repo.messages(key)).map(({ message_id }) => message_id))
        const organization = yield* Effect.orDie(organizations.get(key.organization_id))
        const system = asSystem(organization)
        const booked = yield* Effect.orDie(system(payments.summary(facts.invoice_id)))
        const waiting = booked.payments.filter(({ id }) => !known.has(messageOf(id)))
        if (waiting.length === 0) return
        const invoice = yield* archive.read({ organization_id: key.organization_id, id: facts.xml_object_id })
        for (const { id: payment_id } of waiting) {
          const payment = yield* Effect.option(system(payments.get(payment_id)))
          // The payment was removed or refunded after its report was due.
          if (Option.isNone(payment) || !BigDecimal.isPositive(refundableOf(payment.value))) continue
          const { created_at: at, currency, payment_date: received_on } = payment.value
          const amount = refundableOf(payment.value)
          const reported = yield* reportPayment({ payment_id, amount, currency, received_on, at, invoice }).pipe(
            Effect.catchTag("NetworkRefused", ({ message }) =>
              Effect.as(Effect.logWarning(`payment ${payment_id} cannot be reported: ${message}`), Option.none())
            )
          )
          if (Option.isNone(reported)) continue
          const { type: receipt_type } = reported.value.receipt
          const kind = { object_kind: "evidence", direction: "outbound", content_type: "application/xml" } as const
          const { object_id, sha256 } = yield* papers.keep(facts, kind, reported.value.receipt.bytes)
          const receipt = { receipt_type, receipt_sha256: sha256, archive_object_id: object_id }
          yield* news.record(key, {
            progress: null,
            message: {
              message_id: messageOf(payment_id),
              at,
              code: reported.value.code,
              source: "service",
              ...receipt
            },
            exchange: { direction: "outbound", type: receipt_type }
          })
        }
      })

      const enqueueOf = Effect.fnUntraced(function* ({ open, organization_id, provider }: Openable, since: Timestamp) {
        const opened = Option.getOrUndefined(yield* open)
        if (opened?.reportPayment === undefined) return
        const { environment } = opened
        const unreported = yield* repo.unreportedPayments({ organization_id, provider, environment, since })
        for (const { payment_id, ...key } of unreported) {
          yield* polls.enqueue(key, messageOf(payment_id))
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
      Payments.layer,
      Organizations.layer,
      Transmissions.layer
    ])
  )
}

type Openable = Effect.Success<Connections["Service"]["openable"]>[number]

const messageOf = (payment_id: number) => `${payment_message}${payment_id}`
