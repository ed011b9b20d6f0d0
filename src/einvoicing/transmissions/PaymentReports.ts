import { Context, Effect, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { configured, type NetworkUnavailable, Providers } from "../providers/Provider.ts"
import type { EinvoiceKey } from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"

/** Reports payments of transmitted invoices to the networks that require such reports. */
export class PaymentReports extends Context.Service<
  PaymentReports,
  {
    /** Reports each payment of an invoice once. A refused report is repeated with the next poll. */
    readonly report: (
      key: EinvoiceKey
    ) => Effect.Effect<void, NetworkUnavailable | StorageUnavailable | ArchiveIncident>
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
          // The payment was removed after its report was due.
          if (Option.isNone(payment)) continue
          const { amount, created_at: at, currency } = payment.value
          const reported = yield* reportPayment({ payment_id, amount, currency, at, invoice }).pipe(
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

      return PaymentReports.of({ report })
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

const messageOf = (payment_id: number) => `payment:${payment_id}`
