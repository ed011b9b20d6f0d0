import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { SealedExpenses } from "./SealedExpenses.ts"
import { SealedSales } from "./SealedSales.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import type { RecordKind } from "./StoredRecord.ts"

export class SealedRecords extends Context.Service<SealedRecords>()("invoicing/archive/books/SealedRecords", {
  make: Effect.gen(function* () {
    const sales = yield* SealedSales
    const expenses = yield* SealedExpenses
    return {
      part: (organization_id: OrganizationId, kind: RecordKind, part: ListPart) =>
        kind === "expense" ? expenses.part(organization_id, part) : sales.part(organization_id, kind, part),
      counters: sales.counters,
      strayEntries: (organization_id: OrganizationId) =>
        Effect.zipWith(
          sales.strayEntries(organization_id),
          expenses.strayTallies(organization_id),
          (entries, tallies) => entries + tallies
        )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
