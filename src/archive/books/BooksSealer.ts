import { Clock, Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { BooksLedger } from "./BooksLedger.ts"
import { record_kinds, type RecordKind, SealedRecords } from "./SealedRecords.ts"

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
    /** True while older records wait for their seals. A later record without a seal is a defect. */
    readonly isDue: (ledger: BooksLedger) => Effect.Effect<boolean>
    readonly seal: (organization_id: OrganizationId, ledger: BooksLedger) => Effect.Effect<void>
  }
>()("invoicing/archive/books/BooksSealer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const books = yield* SealedRecords
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const isDue = Effect.fnUntraced(function* ({ sealed_at, unsealed }: BooksLedger) {
        if (record_kinds.every((kind) => unsealed[kind].size === 0)) return false
        return sealed_at === null || (yield* Clock.currentTimeMillis) < Date.parse(sealed_at) + overlap_ms
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
        { sealed_at, unsealed }: BooksLedger
      ) {
        let isFirst = sealed_at === null
        for (const kind of record_kinds) {
          const ids = [...unsealed[kind]].toSorted((a, b) => a - b)
          for (let from = 0; from < ids.length; from += records_max) {
            yield* sealPart(organization_id, kind, ids.slice(from, from + records_max), isFirst)
            isFirst = false
          }
        }
      })

      return BooksSealer.of({ isDue, seal })
    })
  )
}
