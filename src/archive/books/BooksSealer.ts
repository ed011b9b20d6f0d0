import { Clock, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Amount, formatAmount } from "../../kernel/Money.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { AuditTrail, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type BooksLedger, bookOf, follow, isAboutBooks } from "./BooksLedger.ts"
import { record_kinds, type RecordKind } from "./StoredRecord.ts"
import { SealedRecords } from "./SealedRecords.ts"
import { readEntry } from "./TrailEntries.ts"

interface LedgerUntil {
  readonly ledger: BooksLedger
  readonly seq: number
}

/** Maximum number of records that one transaction locks and one entry seals. */
const records_max = 200
/** Time in which processes of an earlier version, which writes no seals, may still run beside those of this version. */
const overlap_ms = 24 * 60 * 60 * 1000

/**
 * Seals the records that an earlier version booked without a seal. Such a seal proves only that the record has not
 * changed since it was sealed.
 */
export class BooksSealer extends Context.Service<
  BooksSealer,
  {
    /**
     * Returns the kinds of records that an earlier version booked without seals, and that still need one. A newer
     * record without a seal is a defect.
     */
    readonly due: (ledger: BooksLedger) => Effect.Effect<ReadonlyArray<RecordKind>>
    /** `read` is the ledger, with the sequence number of the last audit entry that it covers. */
    readonly seal: (
      organization_id: OrganizationId,
      read: LedgerUntil,
      due: ReadonlyArray<RecordKind>
    ) => Effect.Effect<void>
  }
>()("invoicing/archive/books/BooksSealer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const books = yield* SealedRecords
      const trail = yield* AuditTrail
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const due = Effect.fnUntraced(function* ({ sealed_at, unsealed }: BooksLedger) {
        const now = yield* Clock.currentTimeMillis
        return record_kinds.filter((kind) => {
          const begun = sealed_at[bookOf(kind)]
          return unsealed[kind].size > 0 && (begun === null || now < Date.parse(begun) + overlap_ms)
        })
      })

      /**
       * Adds the newest audit entries to the ledger. Without them, a record that a user has changed since the ledger
       * was read would lack its seal.
       */
      const readOn = Effect.fnUntraced(function* (organization_id: OrganizationId, { ledger, seq }: LedgerUntil) {
        const { entries } = yield* trail.head(organization_id)
        yield* Stream.runForEach(trail.parts(organization_id, entries, seq), (part) =>
          Effect.sync(() => {
            for (const entry of part) {
              if (isAboutBooks(entry.canonical)) follow(ledger, { ...readEntry(entry), seq: entry.seq })
            }
          })
        )
        return { ledger, seq: entries }
      })

      /** The records are locked, so that none changes before the entry with its seal is written. */
      const sealPart = Effect.fn("BooksSealer.sealPart")(function* (
        organization_id: OrganizationId,
        read: LedgerUntil,
        kind: RecordKind,
        ids: ReadonlyArray<number>,
        isFirst: boolean
      ) {
        const rows = yield* books.hold(organization_id, kind, ids)
        const now = yield* readOn(organization_id, read)
        const { sealed, unsealed } = now.ledger
        const entries = yield* trail.at(
          organization_id,
          ids.flatMap((id) => sealed[kind].get(id) ?? [])
        )
        const told = new Map(entries.map((entry) => [entry.seq, entry]))
        // An expense that contradicts its last audit entry gets no seal, so that the proof reports it.
        const records = rows.flatMap(({ facts, id }) =>
          facts !== null &&
          unsealed[kind].has(id) &&
          (kind !== "expense" || isAsTold(facts, told.get(sealed.expense.get(id) ?? 0)))
            ? [{ kind, id, sha256: sha256Hex(facts) }]
            : []
        )
        if (records.length === 0) return now
        const counters = isFirst ? { counters: yield* books.counters(organization_id, true) } : {}
        const data = { sealed_at_migration: true, records, ...counters }
        yield* auditLog.append({ organization_id, actor: "system", action: "books.sealed", data: { ...data } })
        return now
      }, transaction)

      const seal = Effect.fn("BooksSealer.seal")(function* (
        organization_id: OrganizationId,
        read: LedgerUntil,
        due: ReadonlyArray<RecordKind>
      ) {
        const { sealed_at, unsealed } = read.ledger
        let isFirst = sealed_at.sales === null
        let until = read
        for (const kind of due) {
          const ids = [...unsealed[kind]].toSorted((a, b) => a - b)
          for (let from = 0; from < ids.length; from += records_max) {
            const part = ids.slice(from, from + records_max)
            until = yield* sealPart(organization_id, until, kind, part, isFirst && kind !== "expense")
            isFirst = false
          }
        }
      })

      return BooksSealer.of({ due, seal })
    })
  ).pipe(Layer.provide([SealedRecords.layer, AuditTrail.layer]))
}

const ExpenseTold = Schema.fromJsonString(
  Schema.Struct({ amount: Amount, currency: CurrencyCode, deleted: Schema.optionalKey(Schema.Boolean) })
)
const decodeTold = Schema.decodeUnknownOption(ExpenseTold)

/**
 * True if the expense has the amount, the currency and the deletion state of its audit entry. Entries of earlier
 * versions contain nothing else to compare.
 */
const isAsTold = (facts: string, entry: TrailEntry | undefined): boolean => {
  if (entry === undefined) return false
  const { action, data } = readEntry(entry)
  return Option.exists(
    decodeTold(facts),
    ({ amount, currency, deleted = false }) =>
      data["currency"] === currency &&
      data["amount"] === formatAmount(amount, exponentOf(currency)) &&
      deleted === (action === "expense.deleted")
  )
}
