import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditTrail, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import { type BooksLedger, sealsIn } from "./BooksLedger.ts"
import { aboutRecords, sequenceText, wordsOf } from "./BooksWords.ts"
import { record_kinds, type RecordKind, type StoredRecord } from "./StoredRecord.ts"
import { SealedRecords } from "./SealedRecords.ts"
import { readEntry } from "./TrailEntries.ts"

const part_max = 500
const contradictions_max = 5

/** The records that differ from the audit chain, by the kind of difference. Each text names one record. */
interface Findings {
  readonly altered: Array<string>
  readonly unknown: Array<string>
  readonly unbalanced: Array<string>
}

/** Compares every record in the tables with the audit chain, and every seal in the chain with the tables. */
export class BooksProof extends Context.Service<
  BooksProof,
  {
    /**
     * Returns sentences about what is wrong with the books. Must run in the database snapshot in which the audit chain
     * was read into the ledger. Removes from the ledger each record that is in the tables, so that only missing records
     * are left.
     */
    readonly defects: (organization_id: OrganizationId, ledger: BooksLedger) => Effect.Effect<ReadonlyArray<string>>
  }
>()("invoicing/archive/books/BooksProof") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const books = yield* SealedRecords
      const trail = yield* AuditTrail

      const compare = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        kind: RecordKind,
        { numbered, sealed }: BooksLedger,
        part: ReadonlyArray<StoredRecord>,
        found: Findings
      ) {
        const seqs = part.flatMap(({ id, state }) => (state === "numbered" ? numbered : sealed)[kind].get(id) ?? [])
        const entries = new Map((yield* trail.at(organization_id, seqs)).map((entry) => [entry.seq, entry]))
        const seals = sealsOf(kind)
        for (const record of part) {
          const { id, isBalanced, state } = record
          const name = `${wordsOf[kind]} ${id}`
          const told = (state === "numbered" ? numbered : sealed)[kind]
          const entry = entries.get(told.get(id) ?? 0)
          if (entry === undefined) found.unknown.push(name)
          else if (!(state === "numbered" ? hasNumber(record, entry) : hasSeal(record, seals(entry)))) {
            found.altered.push(name)
          }
          if (!isBalanced) found.unbalanced.push(name)
          told.delete(id)
        }
      })

      const compareAll = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        kind: RecordKind,
        ledger: BooksLedger,
        found: Findings
      ) {
        let after = 0
        for (;;) {
          const part = yield* books.part(organization_id, kind, { after, limit: part_max })
          yield* compare(organization_id, kind, ledger, part, found)
          const last = part.at(-1)
          if (last === undefined || part.length < part_max) return
          after = last.id
        }
      })

      const defects = Effect.fn("BooksProof.defects")(function* (organization_id: OrganizationId, ledger: BooksLedger) {
        const found: Findings = { altered: [], unknown: [], unbalanced: [] }
        for (const kind of record_kinds) yield* compareAll(organization_id, kind, ledger, found)
        const stray = yield* books.strayEntries(organization_id)
        const counters = yield* books.counters(organization_id)
        const next = new Map(counters.map((counter) => [`${counter.document} ${counter.series}`, counter.next]))
        const jumped = [...ledger.series].filter(([key, expected]) => next.get(key) !== expected)
        return [
          ...aboutRecords(found.altered, "record differs from its seal", "records differ from their seals"),
          ...aboutRecords(missingIn(ledger), "sealed record is missing", "sealed records are missing"),
          ...aboutRecords(found.unknown, "record was never sealed", "records were never sealed"),
          ...aboutRecords(found.unbalanced, "record does not add up", "records do not add up"),
          ...(stray > 0 ? [`${stray} entries or daily sums of the reports belong to no record`] : []),
          ...jumped.map(([key]) => `the counter of the ${sequenceText(key)} differs from the audit chain`),
          ...ledger.contradictions.slice(0, contradictions_max)
        ]
      })

      return BooksProof.of({ defects })
    })
  ).pipe(Layer.provide([SealedRecords.layer, AuditTrail.layer]))
}

const hasNumber = ({ number }: StoredRecord, entry: TrailEntry) => readEntry(entry).data["number"] === number

const hasSeal = ({ facts, id }: StoredRecord, seals: ReadonlyMap<number, string>) =>
  facts !== null && seals.get(id) === sha256Hex(facts)

/** Returns a function that reads the seals in an audit entry, by record id. Each entry is parsed only once. */
const sealsOf = (kind: RecordKind) => {
  const known = new Map<number, ReadonlyMap<number, string>>()
  return (entry: TrailEntry): ReadonlyMap<number, string> => {
    const before = known.get(entry.seq)
    if (before !== undefined) return before
    const { action, data } = readEntry(entry)
    const { [`${kind}_id`]: id, sha256 } = data
    const own: ReadonlyArray<readonly [number, string]> =
      typeof id === "number" && typeof sha256 === "string" ? [[id, sha256]] : []
    const listed = sealsIn(data).map((seal) => [seal.id, seal.sha256] as const)
    const seals = new Map(action === "books.sealed" ? listed : own)
    known.set(entry.seq, seals)
    return seals
  }
}

const missingIn = ({ numbered, sealed }: BooksLedger) =>
  record_kinds.flatMap((kind) =>
    [...sealed[kind].keys(), ...numbered[kind].keys()].map((id) => `${wordsOf[kind]} ${id}`)
  )
