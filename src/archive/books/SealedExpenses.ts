import { Context, type Effect } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import type { StoredRecord } from "./StoredRecord.ts"

/** Port through which the proof of the books reads expenses. */
export class SealedExpenses extends Context.Service<
  SealedExpenses,
  {
    /** Reads the expenses with ids above `after`, also deleted ones, in the order of their ids. */
    readonly part: (organization_id: OrganizationId, part: ListPart) => Effect.Effect<ReadonlyArray<StoredRecord>>
    /** Reads the expenses with the given ids, and locks them until the transaction ends. */
    readonly hold: (
      organization_id: OrganizationId,
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    /** Returns the number of stored daily totals (for reports) that differ from the sums of the expenses. */
    readonly strayTallies: (organization_id: OrganizationId) => Effect.Effect<number>
  }
>()("invoicing/archive/books/SealedExpenses") {}
