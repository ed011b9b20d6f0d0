import { Context, Effect, Layer, Option, Ref, Stream } from "effect"
import { now, type Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AuditTrail, nextHash, trail_start, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { StoredObject } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import { Incidents } from "./Incidents.ts"
import { IncidentsRepo } from "./IncidentsRepo.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"
import { exchangedIn, recordedIn } from "./TrailEntries.ts"

const batch_max = 100
/** Objects that are read at the same time. */
const reads_max = 4

/** Proves that the archive still is what it was: every object's bytes, the manifest, and the chain that recorded it. */
export class Integrity extends Context.Service<
  Integrity,
  {
    /** Organizations whose archive is to be proven. */
    readonly vaults: Effect.Effect<ReadonlyArray<{ readonly organization_id: OrganizationId }>>
    /** Reads everything again; what was interrupted goes on where it was. An outage of the storage proves nothing. */
    readonly prove: (organization_id: OrganizationId) => Effect.Effect<void, StorageUnavailable>
    /** Ends a proof that the storage kept from coming to a result. */
    readonly giveUp: (organization_id: OrganizationId) => Effect.Effect<void>
  }
>()("invoicing/archive/integrity/Integrity") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IntegrityRepo
      const trail = yield* AuditTrail
      const incidents = yield* Incidents
      const incidentsRepo = yield* IncidentsRepo
      const vault = yield* Vault

      /** Whether the bytes are the object's; if not, that was reported. */
      const isIntact = (object: StoredObject) =>
        Effect.scoped(vault.prove(object)).pipe(
          Effect.as(true),
          Effect.catchTag("ObjectLost", ({ verdict }) =>
            Effect.as(incidents.reportObject(object, verdict, "proof"), false)
          )
        )

      const proveBatch = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        objects: ReadonlyArray<StoredObject>
      ) {
        const intact = yield* Effect.filter(objects, isIntact, { concurrency: reads_max })
        const positions = intact.map(({ position }) => position)
        const at = yield* now
        yield* repo.markIntact(organization_id, positions, at)
        yield* incidentsRepo.resolveObjects(organization_id, positions, at)
      })

      const proveObjects = Effect.fnUntraced(function* (organization_id: OrganizationId, started_at: Timestamp) {
        let after = 0
        for (;;) {
          const objects = yield* repo.unread({ organization_id, started_at, after, limit: batch_max })
          const last = objects.at(-1)
          if (last === undefined) return
          yield* proveBatch(organization_id, objects)
          after = last.position
        }
      })

      /** Sentences about what is wrong with the chain, or with the manifest as the chain recorded it. */
      const defectsOf = Effect.fn("Integrity.defectsOf")(function* (organization_id: OrganizationId) {
        // What is in the manifest by now is in the chain by then; what is in the chain by then is in the manifest after.
        const before = yield* repo.counts(organization_id)
        const { entries, head } = yield* trail.head(organization_id)
        const state = yield* Ref.make({ seq: 0, hash: trail_start, broken: 0, ...nothing })
        const follow = Effect.fnUntraced(function* (part: ReadonlyArray<TrailEntry>) {
          const known = yield* Ref.get(state)
          const followed = part.reduce(chained, known)
          const [objects, exchanges] = [recordedIn(part), exchangedIn(part)]
          yield* Ref.set(state, {
            ...followed,
            recorded: known.recorded + objects.length,
            deviating: known.deviating + (yield* repo.deviating(organization_id, objects)),
            exchanged: known.exchanged + exchanges.length,
            otherwise: known.otherwise + (yield* repo.deviatingExchanges(organization_id, exchanges))
          })
        })
        yield* Stream.runForEach(trail.parts(organization_id, entries), follow)
        const { broken, deviating, exchanged, hash, otherwise, recorded, seq } = yield* Ref.get(state)
        const after = yield* repo.counts(organization_id)
        return [
          ...(broken > 0 ? [`${broken} entries of the audit chain are not what was hashed`] : []),
          ...(seq !== entries || hash !== head ? ["the audit chain does not end where the journal says"] : []),
          ...(deviating > 0 ? [`${deviating} objects are not in the manifest as they were recorded`] : []),
          ...(after.rows !== after.last || after.rows < recorded ? ["the manifest has holes"] : []),
          ...(before.rows > recorded ? ["the manifest has objects that were never recorded"] : []),
          ...(otherwise > 0 ? [`${otherwise} exchanges are not what was recorded`] : []),
          ...(before.exchanges > exchanged ? ["there are exchanges that were never recorded"] : [])
        ]
      })

      const prove = Effect.fn("Integrity.prove")(function* (organization_id: OrganizationId) {
        const begun = yield* repo.begin({ organization_id, at: yield* now })
        if (Option.isNone(begun)) return
        yield* proveObjects(organization_id, begun.value.started_at)
        const defects = yield* defectsOf(organization_id)
        const problem = defects.join("; ")
        if (problem === "") yield* incidentsRepo.resolveRecords(organization_id, yield* now)
        else yield* incidents.report({ organization_id, export_id: null, problem, found_by: "proof" })
        const failed = problem !== "" || (yield* repo.counts(organization_id)).incidents > 0
        yield* repo.conclude(organization_id, failed ? "failed" : "passed", yield* now)
      })

      const giveUp = Effect.fn("Integrity.giveUp")(function* (organization_id: OrganizationId) {
        yield* repo.conclude(organization_id, "inconclusive", yield* now)
      })

      return Integrity.of({ vaults: repo.vaults, prove, giveUp })
    })
  ).pipe(Layer.provide([IntegrityRepo.layer, IncidentsRepo.layer, AuditTrail.layer, Incidents.layer, Vault.layer]))
}

/** What was found of objects and exchanges before the chain was read. */
const nothing = { recorded: 0, deviating: 0, exchanged: 0, otherwise: 0 }

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
