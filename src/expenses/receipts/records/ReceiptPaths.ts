import { Context, Effect, Layer } from "effect"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { ReceiptsRepo } from "./ReceiptsRepo.ts"

/** Checks which storage paths are receipts of the current organization. */
export class ReceiptPaths extends Context.Service<
  ReceiptPaths,
  {
    readonly isOwn: (path: string) => Effect.Effect<boolean, never, CurrentOrganization>
    /** Locks the receipt until the transaction ends, so that the second of two concurrent bookings sees the first. */
    readonly hold: (path: string) => Effect.Effect<void, never, CurrentOrganization>
  }
>()("invoicing/expenses/receipts/records/ReceiptPaths") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptsRepo
      return ReceiptPaths.of({
        isOwn: Effect.fn("ReceiptPaths.isOwn")(function* (receipt_path: string) {
          const { id: organization_id } = yield* CurrentOrganization
          return yield* repo.canBeTaken({ organization_id, receipt_path })
        }),
        hold: Effect.fn("ReceiptPaths.hold")(function* (receipt_path: string) {
          const { id: organization_id } = yield* CurrentOrganization
          yield* repo.lockBooking(organization_id, receipt_path)
        })
      })
    })
  ).pipe(Layer.provide(ReceiptsRepo.layer))
}
