import { Context, Effect, Layer, Option } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Connections } from "../providers/connections/Connections.ts"
import type { NetworkUnavailable, Provider } from "../providers/Provider.ts"
import { type PaidDocument, ReceivedRepo } from "./ReceivedRepo.ts"
import { keepSent, referenceOf } from "./SentMessages.ts"

/** Maximum number of notices of one organization to one network in one run; the next run sends the others. */
const documents_max = 100
/**
 * Time during which no other process sends a notice about the same document. It is longer than sending takes. A notice
 * that failed is sent again after this time.
 */
const claim_seconds = 300
/** Maximum number of connections that are served concurrently, so that a slow network does not delay all others. */
const connections_max = 4
/** A run that takes longer ends. The next run begins with other connections (`Connections.openable`). */
const run_time_limit = "4 minutes"

/** Tells suppliers that their invoices are paid, on the networks that have such a message. */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /** Sends each notice once. A failed one is sent again five minutes later, but not a refused one. */
    readonly send: Effect.Effect<void>
  }
>()("invoicing/einvoicing/received/PaymentNotices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivedRepo
      const connections = yield* Connections
      const archive = yield* Transmissions
      const { transaction } = yield* Database

      const tell = Effect.fnUntraced(function* (
        document: PaidDocument,
        tellPayment: NonNullable<Provider["tellPayment"]>
      ) {
        const { paid_amount: amount, paid_currency: currency, transmission_id } = document
        const document_reference = referenceOf(document)
        const sent = yield* tellPayment({ transmission_id, document_reference, amount, currency }).pipe(
          Effect.catchTag("NetworkRefused", ({ message }) =>
            Effect.as(
              Effect.logWarning(`the payment of ${transmission_id} cannot be reported: ${message}`),
              Option.none()
            )
          )
        )
        const exchange = yield* Effect.transposeOption(
          Option.map(sent, (message) => keepSent(archive, document, message))
        )
        yield* transaction(
          Effect.gen(function* () {
            yield* repo.markPaymentTold(document)
            if (Option.isSome(exchange)) yield* archive.record(exchange.value)
          })
        )
      })

      const sendFor = Effect.fnUntraced(function* ({ open, organization_id, provider }: Openable) {
        const network = Option.getOrUndefined(yield* open)
        if (network?.tellPayment === undefined) return
        const { environment, tellPayment } = network
        for (let count = 0; count < documents_max; count++) {
          const document = yield* repo.claimPaid({ organization_id, provider, environment, claim_seconds })
          if (Option.isNone(document)) return
          yield* tell(document.value, tellPayment)
        }
      })

      const sendOrLog = (connection: Openable) => {
        const what = `payments of organization ${connection.organization_id} cannot be reported`
        const later = ({ message }: NetworkUnavailable | StorageUnavailable) =>
          Effect.logWarning(`${what} now: ${message}`)
        return sendFor(connection).pipe(
          Effect.catchTags({ NetworkUnavailable: later, StorageUnavailable: later }),
          // A bug at one connection must not stop the notices at the others.
          Effect.catchDefect((defect) => Effect.logError(what, defect))
        )
      }

      const send = Effect.gen(function* () {
        yield* Effect.forEach(yield* connections.openable, sendOrLog, { concurrency: connections_max, discard: true })
      }).pipe(
        Effect.timeoutOrElse({
          duration: run_time_limit,
          orElse: () => Effect.logWarning(`the notices of payments ended after ${run_time_limit}`)
        }),
        Effect.withSpan("PaymentNotices.send")
      )

      return PaymentNotices.of({ send })
    })
  ).pipe(Layer.provide([ReceivedRepo.layer, Transmissions.layer]))
}

type Openable = Effect.Success<Connections["Service"]["openable"]>[number]
