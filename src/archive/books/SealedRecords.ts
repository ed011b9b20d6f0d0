import { Context, type Effect } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"

export const record_kinds = ["invoice", "credit_note", "payment"] as const
/** The kinds of records that the audit chain seals. */
export type RecordKind = (typeof record_kinds)[number]

/** A row of the books: a document with a number, or a payment. */
export interface StoredRecord {
  readonly id: number
  /** `numbered` is a draft that holds a number. */
  readonly state: "numbered" | "sealed" | "void"
  readonly number: string | null
  /** The canonical facts whose SHA-256 is the seal; null for a draft and for an unreadable row. */
  readonly facts: string | null
  /** True when the sums of the row equal its payments and credit notes, and its report entries equal its lines. */
  readonly isBalanced: boolean
}

/** The next number of a series, read from its counter. */
export type Counter = {
  readonly document: "invoice" | "credit_note"
  readonly series: string
  readonly next: number
}

interface Part {
  readonly after: number
  readonly limit: number
}

/** Port through which the proof reads the rows of the books. */
export class SealedRecords extends Context.Service<
  SealedRecords,
  {
    /** Reads the records with ids above `after`, in the order of their ids. */
    readonly part: (
      organization_id: OrganizationId,
      kind: RecordKind,
      part: Part
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    /** Reads these records and locks them until the transaction ends. */
    readonly hold: (
      organization_id: OrganizationId,
      kind: RecordKind,
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    readonly counters: (organization_id: OrganizationId, locking: boolean) => Effect.Effect<ReadonlyArray<Counter>>
    /** Counts the report entries that belong to no issued document, and the days whose sums differ from their entries. */
    readonly strayEntries: (organization_id: OrganizationId) => Effect.Effect<number>
  }
>()("invoicing/archive/books/SealedRecords") {}
