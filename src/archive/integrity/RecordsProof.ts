import { Context, Effect, Layer, Schema, Stream } from "effect"
import { ArchiveObjectId, type OrganizationId } from "../../kernel/Ids.ts"
import { AuditTrail, nextHash, trail_start, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { TransmissionsRepo } from "../objects/TransmissionsRepo.ts"
import { type BooksLedger, emptyLedger, follow, isAboutBooks } from "../books/BooksLedger.ts"
import { BooksProof } from "../books/BooksProof.ts"
import { ExpensesSealer } from "../books/ExpensesSealer.ts"
import { Checkpointer } from "../checkpoints/Checkpointer.ts"
import { Checkpoints } from "../checkpoints/Checkpoints.ts"
import type { StoredCheckpoint } from "../checkpoints/Checkpoint.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"
import {
  checkpointsIn,
  type EntryData,
  exchangedIn,
  readEntry,
  recordedIn,
  type RecordedCheckpoint
} from "../books/TrailEntries.ts"

/** Compares the audit chain with its checkpoints, and the records in the tables with the chain. */
export class RecordsProof extends Context.Service<
  RecordsProof,
  {
    /** Returns a sentence for each defect. If there are none, a checkpoint of the chain is stored. */
    readonly defects: (organization_id: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StorageUnavailable>
  }
>()("invoicing/archive/integrity/RecordsProof") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IntegrityRepo
      const objects = yield* ObjectsRepo
      const transmissions = yield* TransmissionsRepo
      const checkpoints = yield* Checkpoints
      const checkpointing = yield* Checkpointer
      const books = yield* BooksProof
      const sealing = yield* ExpensesSealer
      const trail = yield* AuditTrail
      const { snapshot } = yield* Database

      /** Counts the objects of the manifest that differ from their audit entries. */
      const deviatingObjects = Effect.fnUntraced(function* (organization_id: OrganizationId, said: Said) {
        const ids = said.map(({ object_id }) => object_id).filter(Schema.is(ArchiveObjectId))
        const facts = yield* objects.facts(organization_id, ids)
        return deviating(said, new Map(facts.map((one) => [one.object_id, one])), "object_id")
      })

      const deviatingExchanges = Effect.fnUntraced(function* (organization_id: OrganizationId, said: Said) {
        const ids = said.map(({ transmission_id }) => transmission_id).filter(isStorable)
        const facts = yield* transmissions.facts(organization_id, ids)
        return deviating(said, new Map(facts.map((one) => [one.transmission_id, one])), "transmission_id")
      })

      const walk = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        seen: ReadonlyArray<StoredCheckpoint>
      ) {
        const { entries, head } = yield* trail.head(organization_id)
        const heads = new Map(seen.map((checkpoint) => [checkpoint.seq, checkpoint]))
        const state = { ...beginning(), rewritten: seen.find(({ seq }) => seq > entries) }
        const read = Effect.fnUntraced(function* (part: ReadonlyArray<TrailEntry>) {
          const [recorded, exchanged] = [recordedIn(part), exchangedIn(part)]
          for (const entry of part) {
            chain(state, entry)
            const known = heads.get(entry.seq)
            if (known !== undefined && known.head !== entry.hash) state.rewritten ??= known
            if (isAboutBooks(entry.canonical)) follow(state.ledger, { ...readEntry(entry), seq: entry.seq })
          }
          state.told.push(...checkpointsIn(part))
          state.recorded += recorded.length
          state.bytes += recorded.reduce((sum, { size_bytes }) => sum + Number(size_bytes), 0)
          state.deviating += yield* deviatingObjects(organization_id, recorded)
          state.exchanged += exchanged.length
          state.otherwise += yield* deviatingExchanges(organization_id, exchanged)
        })
        yield* Stream.runForEach(trail.parts(organization_id, entries), read)
        return { ...state, entries, head }
      })

      /** Reads the audit chain and the tables in one snapshot, so that concurrent changes cannot look like defects. */
      const look = Effect.fn("RecordsProof.look")(function* (
        organization_id: OrganizationId,
        seen: ReadonlyArray<StoredCheckpoint>,
        maySeal: boolean
      ) {
        yield* repo.allowLongReads
        const state = yield* walk(organization_id, seen)
        const counts = yield* repo.counts(organization_id)
        const deposits = yield* repo.deposits(organization_id)
        const forgotten = [...state.ledger.deposited].filter((document) => !deposits.has(document))
        const found = [...chainDefects(state), ...manifestDefects(state, counts), ...depositDefects(forgotten)]
        // Expenses that version 1.0.0 booked without seals are sealed once, as they are now.
        const isDue = maySeal && found.length === 0 && (yield* sealing.isDue(state.ledger))
        if (isDue) return { state, found, isDue }
        return { state, found: [...found, ...(yield* books.defects(organization_id, state.ledger))], isDue }
      }, snapshot)

      const examined = Effect.fnUntraced(function* (organization_id: OrganizationId) {
        const { checkpoints: seen, defects: unsound } = yield* checkpoints.read(organization_id)
        const looked = yield* look(organization_id, seen, true)
        if (looked.isDue) yield* sealing.seal(organization_id, looked.state)
        const { found, state } = looked.isDue ? yield* look(organization_id, seen, false) : looked
        const missing = lostOf(state.told, seen)
        // Another process may have stored and named a checkpoint after the checkpoints were read.
        const lost =
          missing === undefined ? undefined : lostOf(state.told, (yield* checkpoints.read(organization_id)).checkpoints)
        const defects = [...unsound, ...found, ...toldDefects(lost, state.told, seen)]
        if (defects.length > 0) return defects
        // The chain of a moved organization goes on in another installation, and with it the checkpoints and events.
        if (!(yield* repo.hasMoved(organization_id))) yield* checkpointing.next(organization_id, seen, state)
        return []
      })

      return RecordsProof.of({ defects: Effect.fn("RecordsProof.defects")(examined) })
    })
  ).pipe(
    Layer.provide([ExpensesSealer.layer, BooksProof.layer, Checkpointer.layer]),
    Layer.provide([
      IntegrityRepo.layer,
      ObjectsRepo.layer,
      TransmissionsRepo.layer,
      Checkpoints.layer,
      AuditTrail.layer
    ])
  )
}

type Said = ReadonlyArray<EntryData>

interface Walked {
  seq: number
  hash: string
  broken: number
  /** A checkpoint that the chain contradicts: the entry that it covers last has another hash now, or is missing. */
  rewritten: StoredCheckpoint | undefined
  readonly ledger: BooksLedger
  readonly told: Array<RecordedCheckpoint>
  recorded: number
  bytes: number
  deviating: number
  exchanged: number
  otherwise: number
}

const beginning = (): Walked => ({
  seq: 0,
  hash: trail_start,
  broken: 0,
  rewritten: undefined,
  ledger: emptyLedger(),
  told: [],
  recorded: 0,
  bytes: 0,
  deviating: 0,
  exchanged: 0,
  otherwise: 0
})

/** Checks the hash of an entry and its sequence number against the previous entry. */
const chain = (state: Walked, { canonical, hash, seq }: TrailEntry): void => {
  if (seq !== state.seq + 1 || nextHash(state.hash, canonical) !== hash) state.broken += 1
  state.seq = seq
  state.hash = hash
}

const chainDefects = (state: Walked & { readonly entries: number; readonly head: string }) => {
  const { broken, entries, hash, head, rewritten, seq } = state
  return [
    ...(broken > 0 ? [`${broken} entries of the audit chain do not match their hashes`] : []),
    ...(seq !== entries || hash !== head ? ["the end of the audit chain differs from the audit log"] : []),
    ...(rewritten === undefined ? [] : [`the audit chain is not the one that was proven on ${rewritten.at}`])
  ]
}

type Counts = Effect.Success<ReturnType<IntegrityRepo["Service"]["counts"]>>

const manifestDefects = ({ bytes, deviating, exchanged, otherwise, recorded }: Walked, counts: Counts) => [
  ...(deviating > 0 ? [`${deviating} objects in the manifest differ from their records`] : []),
  ...(counts.rows !== counts.last || counts.rows < recorded ? ["the manifest has holes"] : []),
  ...(counts.rows > recorded ? ["the manifest has objects that were never recorded"] : []),
  ...(counts.vault_objects !== recorded || counts.vault_bytes !== bytes
    ? ["the counts of the vault differ from its records"]
    : []),
  ...(otherwise > 0 ? [`${otherwise} exchanges differ from their records`] : []),
  ...(counts.exchanges > exchanged ? ["there are exchanges that were never recorded"] : [])
]

const depositDefects = (forgotten: ReadonlyArray<string>) =>
  forgotten.length === 0 ? [] : [`${forgotten.length} issued documents are neither archived nor waiting for it`]

/** Finds a checkpoint that the audit chain names and that is not stored. */
const lostOf = (told: ReadonlyArray<RecordedCheckpoint>, seen: ReadonlyArray<StoredCheckpoint>) => {
  const hashes = new Map(seen.map(({ number, sha256 }) => [number, sha256]))
  return told.find(({ number, sha256 }) => hashes.get(number) !== sha256)
}

/** Only the last checkpoint may lack its audit entry: a process may have crashed right after storing the checkpoint. */
const toldDefects = (
  lost: RecordedCheckpoint | undefined,
  told: ReadonlyArray<RecordedCheckpoint>,
  seen: ReadonlyArray<StoredCheckpoint>
) => {
  if (lost !== undefined) return [`checkpoint ${lost.number} of the audit chain is missing`]
  const names = new Set(told.map(({ number }) => number))
  const unnamed = seen.slice(0, -1).find(({ number }) => !names.has(number))
  return unnamed === undefined ? [] : [`the audit chain does not name checkpoint ${unnamed.number}`]
}

/** A tampered entry may contain an id that PostgreSQL does not accept. Such an id must not stop the proof. */
const isStorable = (value: unknown): value is string => typeof value === "string" && !value.includes("\0")

/** Counts the audit entries without a row, or with a value that differs from that of their row. */
const deviating = (said: Said, rows: ReadonlyMap<unknown, EntryData>, key: "object_id" | "transmission_id") =>
  said.filter((data) => {
    const row = rows.get(data[key])
    return row === undefined || Object.keys(data).some((name) => data[name] !== row[name])
  }).length
