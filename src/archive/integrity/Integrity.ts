import { Context, Effect, Layer, Option, Schema } from "effect"
import { now } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { AuditTrail } from "../../platform/events/AuditTrail.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { StoredObject } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import { Checkpoints } from "../checkpoints/Checkpoints.ts"
import { Incidents } from "./Incidents.ts"
import { IncidentsRepo } from "./IncidentsRepo.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"
import { type ProofRecord, Proofs } from "./Proofs.ts"
import { RecordsProof } from "./RecordsProof.ts"
import { readEntry } from "./TrailEntries.ts"

/** Objects after which a proof that is interrupted can go on. */
const batch_max = 100
/** Objects that are read at the same time. */
const reads_max = 4
/** Ids without a checkpoint after which no organization is looked for. */
const missing_max = 20

type Organizations = ReadonlyArray<OrganizationId>

/**
 * Proves that books and archive still are what they were: every object's bytes, the manifest, the records, and the chain
 * that recorded them. What is to be proven is read from the chain and from the storage, for every organization.
 */
export class Integrity extends Context.Service<
  Integrity,
  {
    /** Organizations to prove: those of the audit chains, and those that have checkpoints only. */
    readonly organizations: Effect.Effect<Organizations, StorageUnavailable>
    /** Those that were never proven, so that a new one soon has its first checkpoint. */
    readonly unproven: Effect.Effect<Organizations>
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
      const proofs = yield* Proofs
      const records = yield* RecordsProof
      const incidents = yield* Incidents
      const incidentsRepo = yield* IncidentsRepo
      const checkpoints = yield* Checkpoints
      const trail = yield* AuditTrail
      const vault = yield* Vault

      const chained = Effect.map(trail.organizations, (ids) => ids.map((id) => OrganizationId.make(id)))

      /** Organizations of which nothing is left but checkpoints: ids have few holes, so these are looked into. */
      const removed = Effect.fnUntraced(function* (known: Organizations) {
        const found: Array<OrganizationId> = []
        const ids = new Set(known)
        const last = known.at(-1) ?? 0
        let missing = 0
        for (let id = 1; missing < missing_max || id <= last; id++) {
          const organization_id = OrganizationId.make(id)
          if (ids.has(organization_id)) missing = 0
          else if (yield* checkpoints.exists(organization_id)) {
            found.push(organization_id)
            missing = 0
          } else missing += 1
        }
        return found
      })

      const organizations = Effect.gen(function* () {
        const known = yield* chained
        return [...known, ...(yield* removed(known))]
      }).pipe(Effect.withSpan("Integrity.organizations"))

      const unproven = Effect.gen(function* () {
        const known = new Set(yield* repo.known)
        return (yield* chained).filter((id) => !known.has(id))
      }).pipe(Effect.withSpan("Integrity.unproven"))

      /** Whether the bytes are the object's; if not, that was reported. */
      const isIntact = (object: RecordedObject) =>
        Effect.scoped(vault.prove(object)).pipe(
          Effect.as(true),
          Effect.catchTag("ObjectLost", ({ verdict }) =>
            Effect.as(incidents.reportObject(object, verdict, "proof"), false)
          )
        )

      const proveObjects = Effect.fnUntraced(function* (begun: ProofRecord) {
        const { organization_id } = begun
        let record = begun
        for (;;) {
          const part = { after: record.read_until, limit: batch_max }
          const entries = yield* trail.ofAction(organization_id, "archive.stored", part)
          const last = entries.at(-1)
          if (last === undefined) return record
          const objects = entries.flatMap((entry) => objectIn(organization_id, readEntry(entry).data))
          const intact = yield* Effect.filter(objects, isIntact, { concurrency: reads_max })
          const ids = intact.map(({ id }) => id)
          yield* incidentsRepo.resolveObjects(organization_id, ids, yield* now)
          record = { ...record, read_until: last.seq, lost: record.lost + objects.length - intact.length }
          yield* proofs.write(record)
        }
      })

      const prove = Effect.fn("Integrity.prove")(function* (organization_id: OrganizationId) {
        const { isForged } = yield* proofs.read(organization_id)
        const read = yield* proveObjects(yield* proofs.begin(organization_id))
        const forged = isForged ? ["the result of the last proof is not what this service wrote"] : []
        const problem = [...forged, ...(yield* records.defects(organization_id))].join("; ")
        if (problem === "") yield* incidentsRepo.resolveRecords(organization_id, yield* now)
        else yield* incidents.report({ organization_id, export_id: null, problem, found_by: "proof" })
        const state = problem !== "" || read.lost > 0 ? "failed" : "passed"
        yield* proofs.write({ ...read, state, last_proven_at: yield* now })
      })

      const giveUp = Effect.fn("Integrity.giveUp")(function* (organization_id: OrganizationId) {
        const { record } = yield* proofs.read(organization_id)
        if (record !== null) yield* proofs.write({ ...record, state: "inconclusive" })
      })

      return Integrity.of({ organizations, unproven, prove, giveUp })
    })
  ).pipe(
    Layer.provide([IntegrityRepo.layer, Proofs.layer, IncidentsRepo.layer, RecordsProof.layer, Incidents.layer]),
    Layer.provide([Checkpoints.layer, AuditTrail.layer, Vault.layer])
  )
}

const { object_key, sha256, size_bytes } = StoredObject.fields
const Recorded = Schema.Struct({ object_id: StoredObject.fields.id, object_key, sha256, size_bytes })
const decodeRecorded = Schema.decodeUnknownOption(Recorded)

/** An object as the chain recorded it. */
interface RecordedObject extends Pick<
  StoredObject,
  "id" | "organization_id" | "object_key" | "sha256" | "size_bytes"
> {}

/** Nothing for an entry that names no object; the proof of the records finds that it was changed. */
const objectIn = (organization_id: OrganizationId, data: unknown): ReadonlyArray<RecordedObject> =>
  Option.match(decodeRecorded(data), {
    onNone: () => [],
    onSome: ({ object_id: id, ...kept }) => [{ ...kept, id, organization_id }]
  })
