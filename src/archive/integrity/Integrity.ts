import { Context, Effect, Layer, Option } from "effect"
import { now, type Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { StoredObject } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import { Incidents } from "./Incidents.ts"
import { IncidentsRepo } from "./IncidentsRepo.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"
import { RecordsProof } from "./RecordsProof.ts"

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
      const records = yield* RecordsProof
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

      const prove = Effect.fn("Integrity.prove")(function* (organization_id: OrganizationId) {
        const begun = yield* repo.begin({ organization_id, at: yield* now })
        if (Option.isNone(begun)) return
        yield* proveObjects(organization_id, begun.value.started_at)
        const problem = (yield* records.defects(organization_id)).join("; ")
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
  ).pipe(Layer.provide([IntegrityRepo.layer, IncidentsRepo.layer, RecordsProof.layer, Incidents.layer, Vault.layer]))
}
