import { Clock, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { CurrencyCode, exponentOf } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Amount, formatAmount } from "../../kernel/Money.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { AuditTrail, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type BooksLedger, follow, isAboutBooks } from "./BooksLedger.ts"
import { SealedExpenses } from "./SealedExpenses.ts"
import { readEntry } from "./TrailEntries.ts"

interface LedgerUntil {
  readonly ledger: BooksLedger
  readonly seq: number
}

/** Maximum number of expenses that one transaction locks and one entry seals. */
const expenses_max = 200
/** Time in which processes of version 1.0.0, which did not seal expenses, may still run beside those of this version. */
const overlap_ms = 24 * 60 * 60 * 1000

/**
 * Seals the expenses that version 1.0.0 booked without a seal. Such a seal proves only that the expense has not changed
 * since it was sealed.
 */
export class ExpensesSealer extends Context.Service<
  ExpensesSealer,
  {
    /** True if version 1.0.0 booked expenses that still need a seal. A newer expense without a seal is a defect. */
    readonly isDue: (ledger: BooksLedger) => Effect.Effect<boolean>
    /** `read` is the ledger, with the sequence number of the last audit entry that it covers. */
    readonly seal: (organization_id: OrganizationId, read: LedgerUntil) => Effect.Effect<void>
  }
>()("invoicing/archive/books/ExpensesSealer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const expenses = yield* SealedExpenses
      const trail = yield* AuditTrail
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const isDue = Effect.fnUntraced(function* ({ sealed_at, unsealed }: BooksLedger) {
        const now = yield* Clock.currentTimeMillis
        return unsealed.size > 0 && (sealed_at === null || now < Date.parse(sealed_at) + overlap_ms)
      })

      /**
       * Adds the newest audit entries to the ledger. Without them, an expense that a user has changed since the ledger
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

      /** The expenses are locked, so that none changes before the entry with its seal is written. */
      const sealPart = Effect.fn("ExpensesSealer.sealPart")(function* (
        organization_id: OrganizationId,
        read: LedgerUntil,
        ids: ReadonlyArray<number>
      ) {
        const rows = yield* expenses.hold(organization_id, ids)
        const now = yield* readOn(organization_id, read)
        const { sealed, unsealed } = now.ledger
        const entries = yield* trail.at(
          organization_id,
          ids.flatMap((id) => sealed.expense.get(id) ?? [])
        )
        const told = new Map(entries.map((entry) => [entry.seq, entry]))
        // An expense that contradicts its last audit entry gets no seal, so that the proof reports it.
        const records = rows.flatMap(({ facts, id }) =>
          facts !== null && unsealed.has(id) && isAsTold(facts, told.get(sealed.expense.get(id) ?? 0))
            ? [{ kind: "expense", id, sha256: sha256Hex(facts) }]
            : []
        )
        if (records.length === 0) return now
        const data = { sealed_at_migration: true, records }
        yield* auditLog.append({ organization_id, actor: "system", action: "books.sealed", data })
        return now
      }, transaction)

      const seal = Effect.fn("ExpensesSealer.seal")(function* (organization_id: OrganizationId, read: LedgerUntil) {
        const ids = [...read.ledger.unsealed].toSorted((a, b) => a - b)
        let until = read
        for (let from = 0; from < ids.length; from += expenses_max) {
          until = yield* sealPart(organization_id, until, ids.slice(from, from + expenses_max))
        }
      })

      return ExpensesSealer.of({ isDue, seal })
    })
  ).pipe(Layer.provide(AuditTrail.layer))
}

const ExpenseTold = Schema.fromJsonString(
  Schema.Struct({ amount: Amount, currency: CurrencyCode, deleted: Schema.optionalKey(Schema.Boolean) })
)
const decodeTold = Schema.decodeUnknownOption(ExpenseTold)

/**
 * True if the expense has the amount, the currency and the deletion state of its audit entry. The entries of version
 * 1.0.0 contain nothing else to compare.
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
