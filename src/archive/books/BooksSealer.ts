import { Clock, Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type BooksLedger, bookOf } from "./BooksLedger.ts"
import { record_kinds, type RecordKind } from "./StoredRecord.ts"
import { SealedRecords } from "./SealedRecords.ts"

/** Maximum number of records that one transaction locks and one entry seals. */
const records_max = 200
/** Maximum time that processes of a former version, which writes no seals, may run beside this one. */
const overlap_ms = 24 * 60 * 60 * 1000

/**
 * Seals the records that were booked before the service wrote seals. Such a seal proves only that a record has not
 * changed since then, and its entry says so.
 */
export class BooksSealer extends Context.Service<
  BooksSealer,
  {
    /** Returns the kinds of older records that wait for their seals. A later record without a seal is a defect. */
    readonly due: (ledger: BooksLedger) => Effect.Effect<ReadonlyArray<RecordKind>>
    /** Seals the older records of these kinds. */
    readonly seal: (
      organization_id: OrganizationId,
      ledger: BooksLedger,
      due: ReadonlyArray<RecordKind>
    ) => Effect.Effect<void>
  }
>()("invoicing/archive/books/BooksSealer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const books = yield* SealedRecords
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const due = Effect.fnUntraced(function* ({ sealed_at, unsealed }: BooksLedger) {
        const now = yield* Clock.currentTimeMillis
        return record_kinds.filter((kind) => {
          const begun = sealed_at[bookOf(kind)]
          return unsealed[kind].size > 0 && (begun === null || now < Date.parse(begun) + overlap_ms)
        })
      })

      /** Locks the records, so that no record changes before the entry with its seal is written. */
      const sealPart = Effect.fn("BooksSealer.sealPart")(function* (
        organization_id: OrganizationId,
        kind: RecordKind,
        ids: ReadonlyArray<number>,
        isFirst: boolean
      ) {
        const rows = yield* books.hold(organization_id, kind, ids)
        const records = rows.flatMap(({ facts, id }) =>
          facts === null ? [] : [{ kind, id, sha256: sha256Hex(facts) }]
        )
        if (records.length === 0) return
        const counters = isFirst ? { counters: yield* books.counters(organization_id, true) } : {}
        const data = { sealed_at_migration: true, records, ...counters }
        yield* auditLog.append({ organization_id, actor: "system", action: "books.sealed", data: { ...data } })
      }, transaction)

      const seal = Effect.fn("BooksSealer.seal")(function* (
        organization_id: OrganizationId,
        { sealed_at, unsealed }: BooksLedger,
        due: ReadonlyArray<RecordKind>
      ) {
        let isFirst = sealed_at.sales === null
        for (const kind of due) {
          const ids = [...unsealed[kind]].toSorted((a, b) => a - b)
          for (let from = 0; from < ids.length; from += records_max) {
            yield* sealPart(organization_id, kind, ids.slice(from, from + records_max), isFirst && kind !== "expense")
            isFirst = false
          }
        }
      })

      return BooksSealer.of({ due, seal })
    })
  ).pipe(Layer.provide(SealedRecords.layer))
}
