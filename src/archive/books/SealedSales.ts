import { Context, type Effect } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import type { Counter, SalesKind, StoredRecord } from "./StoredRecord.ts"

/** Port through which the proof of the books reads invoices, credit notes and payments. */
export class SealedSales extends Context.Service<
  SealedSales,
  {
    /** Reads the records with ids above `after`, in the order of their ids. */
    readonly part: (
      organization_id: OrganizationId,
      kind: SalesKind,
      part: ListPart
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    readonly counters: (organization_id: OrganizationId) => Effect.Effect<ReadonlyArray<Counter>>
    /**
     * Counts sales entries without an issued document, and days whose sums differ from those of their sales entries.
     */
    readonly strayEntries: (organization_id: OrganizationId) => Effect.Effect<number>
  }
>()("invoicing/archive/books/SealedSales") {}
