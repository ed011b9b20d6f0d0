import { Effect, Layer } from "effect"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { ReceiptPaths } from "../ReceiptPaths.ts"
import { ReceiptsRepo } from "./ReceiptsRepo.ts"

/**
 * A receipt can be taken by an expense, or by several, from its upload on: a receipt may hold more than one expense, and
 * a copy of an expense keeps the receipt.
 */
export const ReceiptPathsLive = Layer.effect(
  ReceiptPaths,
  Effect.gen(function* () {
    const repo = yield* ReceiptsRepo
    return ReceiptPaths.of({
      isOwn: Effect.fn("ReceiptPaths.isOwn")(function* (receipt_path: string) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.canBeTaken({ organization_id, receipt_path })
      })
    })
  })
).pipe(Layer.provide(ReceiptsRepo.layer))
