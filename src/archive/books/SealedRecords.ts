import { Context, type Effect } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"

export const record_kinds = ["invoice", "credit_note", "payment"] as const
/** Kinds of records that the audit chain seals. */
export type RecordKind = (typeof record_kinds)[number]

/** A row of the books: everything that has a number, and money that moved. */
export interface StoredRecord {
  readonly id: number
  /** `numbered` is a draft that holds a number. */
  readonly state: "numbered" | "sealed" | "void"
  readonly number: string | null
  /** Canonical facts, whose SHA-256 is the seal; null for a draft, and for a row that cannot be read. */
  readonly facts: string | null
  /** Whether the row says what the rows that depend on it say: sums of payments and credit notes, entries of reports. */
  readonly isBalanced: boolean
}

/** The next number of a series, as the counter holds it. */
export type Counter = {
  readonly document: "invoice" | "credit_note"
  readonly series: string
  readonly next: number
}

interface Part {
  readonly after: number
  readonly limit: number
}

/** Port: the books as their rows say them, for the proof that compares them with the audit chain. */
export class SealedRecords extends Context.Service<
  SealedRecords,
  {
    /** Records behind `after`, by id. */
    readonly part: (
      organization_id: OrganizationId,
      kind: RecordKind,
      part: Part
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    /** These records, locked until the transaction ends. */
    readonly hold: (
      organization_id: OrganizationId,
      kind: RecordKind,
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>>
    readonly counters: (organization_id: OrganizationId, locking: boolean) => Effect.Effect<ReadonlyArray<Counter>>
    /** How many entries of reports there are beyond those of issued documents. */
    readonly strayEntries: (organization_id: OrganizationId) => Effect.Effect<number>
  }
>()("invoicing/archive/books/SealedRecords") {}
