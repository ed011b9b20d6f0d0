import { Context, Effect, Layer, Ref, Schema, Stream } from "effect"
import { ArchiveObjectId, type OrganizationId } from "../../kernel/Ids.ts"
import { AuditTrail, nextHash, trail_start, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { TransmissionsRepo } from "../transmissions/TransmissionsRepo.ts"
import { Checkpoints } from "./Checkpoints.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"
import { type EntryData, exchangedIn, recordedIn } from "./TrailEntries.ts"

/** Proves what is recorded about the archive: the audit chain, and the manifest and the exchanges as it tells them. */
export class RecordsProof extends Context.Service<
  RecordsProof,
  {
    /** Sentences about what is wrong. When there are none, the chain's head is kept for the next proof. */
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
      const trail = yield* AuditTrail

      /** How many of these entries are not what the manifest says. */
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

      const examined = Effect.fnUntraced(function* (organization_id: OrganizationId) {
        // What is in the manifest by now is in the chain by then; what is in the chain by then is in the manifest after.
        const before = yield* repo.counts(organization_id)
        const seen = yield* checkpoints.latest(organization_id)
        const { entries, head } = yield* trail.head(organization_id)
        const state = yield* Ref.make({ ...beginning, rewritten: seen.entries > entries })
        const follow = Effect.fnUntraced(function* (part: ReadonlyArray<TrailEntry>) {
          const known = yield* Ref.get(state)
          const [recorded, exchanged] = [recordedIn(part), exchangedIn(part)]
          yield* Ref.set(state, {
            ...part.reduce(chained, known),
            rewritten: known.rewritten || part.some(({ hash, seq }) => seq === seen.entries && hash !== seen.head),
            recorded: known.recorded + recorded.length,
            deviating: known.deviating + (yield* deviatingObjects(organization_id, recorded)),
            exchanged: known.exchanged + exchanged.length,
            otherwise: known.otherwise + (yield* deviatingExchanges(organization_id, exchanged))
          })
        })
        yield* Stream.runForEach(trail.parts(organization_id, entries), follow)
        const { broken, deviating, exchanged, hash, otherwise, recorded, rewritten, seq } = yield* Ref.get(state)
        const after = yield* repo.counts(organization_id)
        const found = [
          ...(broken > 0 ? [`${broken} entries of the audit chain are not what was hashed`] : []),
          ...(seq !== entries || hash !== head ? ["the audit chain does not end where the journal says"] : []),
          ...(rewritten ? [`the audit chain is not the one that was proven on ${seen.at}`] : []),
          ...(deviating > 0 ? [`${deviating} objects are not in the manifest as they were recorded`] : []),
          ...(after.rows !== after.last || after.rows < recorded ? ["the manifest has holes"] : []),
          ...(before.rows > recorded ? ["the manifest has objects that were never recorded"] : []),
          ...(otherwise > 0 ? [`${otherwise} exchanges are not what was recorded`] : []),
          ...(before.exchanges > exchanged ? ["there are exchanges that were never recorded"] : [])
        ]
        if (found.length === 0) yield* checkpoints.keep(organization_id, seen, { entries, head })
        return found
      })

      const defects = Effect.fn("RecordsProof.defects")(
        examined,
        // Without the checkpoint before it no chain is proven.
        Effect.catchTag("CheckpointAltered", ({ number }) =>
          Effect.succeed([`checkpoint ${number} of the audit chain is not what was stored`])
        )
      )

      return RecordsProof.of({ defects })
    })
  ).pipe(
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

/** Before any entry was read. */
const beginning = { seq: 0, hash: trail_start, broken: 0, recorded: 0, deviating: 0, exchanged: 0, otherwise: 0 }

interface Followed {
  readonly seq: number
  readonly hash: string
  readonly broken: number
}

/** An entry is as it was hashed when its hash follows from the one before, and its number from its place. */
const chained = <State extends Followed>(state: State, { canonical, hash, seq }: TrailEntry): State => {
  const holds = seq === state.seq + 1 && nextHash(state.hash, canonical) === hash
  return { ...state, seq, hash, broken: state.broken + (holds ? 0 : 1) }
}

/** Whether the database could hold it: an entry that was changed may say anything, and ends no proof by it. */
const isStorable = (value: unknown): value is string => typeof value === "string" && !value.includes("\0")

/** Entries that name no row, or of which one fact is another there. */
const deviating = (said: Said, rows: ReadonlyMap<unknown, EntryData>, key: "object_id" | "transmission_id") =>
  said.filter((data) => {
    const row = rows.get(data[key])
    return row === undefined || Object.keys(data).some((name) => data[name] !== row[name])
  }).length
