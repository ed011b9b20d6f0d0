import { Context, Effect, Layer, Option } from "effect"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { Connection } from "../providers/connections/Connection.ts"
import { Connections } from "../providers/connections/Connections.ts"
import { type NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { type PaidDocument, ReceivedRepo } from "./ReceivedRepo.ts"
import { keepSent } from "./SentMessages.ts"

/** Maximum number of notices of one organization to one network in one run; the next run sends the others. */
const documents_max = 100

/** Tells suppliers that their invoices are paid, on the networks that have such a message. */
export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /** Sends each notice once. After an outage, the next run sends the notice; a refused notice is not sent again. */
    readonly send: Effect.Effect<void>
  }
>()("invoicing/einvoicing/received/PaymentNotices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceivedRepo
      const providers = yield* Providers
      const connections = yield* Connections
      const archive = yield* Transmissions
      const { transaction } = yield* Database

      const tell = Effect.fnUntraced(function* (
        document: PaidDocument,
        tellPayment: NonNullable<Provider["tellPayment"]>
      ) {
        const { paid_amount: amount, paid_currency: currency, transmission_id } = document
        const sent = yield* tellPayment({ transmission_id, amount, currency }).pipe(
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

      const sendFor = Effect.fnUntraced(function* (connection: Connection) {
        const { environment, organization_id, provider } = connection
        const network = Option.getOrUndefined(yield* providers.find(organization_id, provider, environment))
        const tellPayment = network?.tellPayment
        if (tellPayment === undefined) return
        for (const document of yield* repo.paid({ organization_id, provider, environment, limit: documents_max })) {
          yield* tell(document, tellPayment)
        }
      })

      const send = Effect.gen(function* () {
        for (const connection of yield* connections.list()) {
          const later = ({ message }: NetworkUnavailable | StorageUnavailable) =>
            Effect.logWarning(
              `payments of organization ${connection.organization_id} cannot be reported now: ${message}`
            )
          yield* sendFor(connection).pipe(
            Effect.catchTags({ NetworkUnavailable: later, StorageUnavailable: later }),
            // A bug at one connection must not stop the notices at the others.
            Effect.catchDefect((defect) =>
              Effect.logError(`payments of organization ${connection.organization_id} cannot be reported`, defect)
            )
          )
        }
      }).pipe(Effect.withSpan("PaymentNotices.send"))

      return PaymentNotices.of({ send })
    })
  ).pipe(Layer.provide([ReceivedRepo.layer, Transmissions.layer]))
}
