import { Clock, Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { BooksLedger } from "./BooksLedger.ts"
import { record_kinds, type RecordKind, SealedRecords } from "./SealedRecords.ts"

/** Records that one transaction locks and one entry seals. */
const records_max = 200
/** How long processes of a former version, which do not seal, may go on booking beside this one. */
const overlap_ms = 24 * 60 * 60 * 1000

/**
 * Seals what was booked before the service sealed what it books. Such a seal says what a record was when it was sealed:
 * the entries say so, and nothing is known about the time before.
 */
export class BooksSealing extends Context.Service<
  BooksSealing,
  {
    /** Whether there are records of the time before. Later ones without a seal are defects. */
    readonly isDue: (ledger: BooksLedger) => Effect.Effect<boolean>
    readonly seal: (organization_id: OrganizationId, ledger: BooksLedger) => Effect.Effect<void>
  }
>()("invoicing/archive/books/BooksSealing") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const books = yield* SealedRecords
      const journal = yield* Journal
      const { transaction } = yield* Database

      const isDue = Effect.fnUntraced(function* ({ sealed_at, unsealed }: BooksLedger) {
        if (record_kinds.every((kind) => unsealed[kind].size === 0)) return false
        return sealed_at === null || (yield* Clock.currentTimeMillis) < Date.parse(sealed_at) + overlap_ms
      })

      /** Locks the records, so that nothing is booked on them between their seal and its entry. */
      const sealPart = Effect.fn("BooksSealing.sealPart")(function* (
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
        yield* journal.append({ organization_id, actor: "system", action: "books.sealed", data: { ...data } })
      }, transaction)

      const seal = Effect.fn("BooksSealing.seal")(function* (
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

      return BooksSealing.of({ isDue, seal })
    })
  )
}
