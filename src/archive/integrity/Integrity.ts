import { Context, Effect, Layer, Option, Schema } from "effect"
import { now } from "../../kernel/Calendar.ts"
import { OrganizationId, range_ids } from "../../kernel/Ids.ts"
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
import { readEntry } from "../books/TrailEntries.ts"

/** Number of objects after which a proof saves its progress. */
const batch_max = 100
/** Maximum number of objects that are read concurrently. */
const reads_max = 4
/** Number of ids above the highest one of a range that are also searched for checkpoints of removed organizations. */
const behind_max = 20
/** Maximum number of unused ids of each range that one run searches for checkpoints of removed organizations. */
const holes_max = 2_000

type Organizations = ReadonlyArray<OrganizationId>

/**
 * Proves that books and archive are unchanged: every object's bytes, the manifest, the records, and the audit chain.
 * The audit chain and the storage say which objects have to exist, so a changed table cannot hide anything.
 */
export class Integrity extends Context.Service<
  Integrity,
  {
    /** Lists the organizations that have an audit chain. */
    readonly chained: Effect.Effect<Organizations>
    /** Lists the organizations that have an audit chain, and those that were removed but still have checkpoints. */
    readonly organizations: Effect.Effect<Organizations, StorageUnavailable>
    /**
     * Lists the organizations without any proof. Their proof is made soon, because it gives them their first
     * checkpoint.
     */
    readonly unproven: Effect.Effect<Organizations>
    /** Proves one organization, or continues its interrupted proof. Fails while the storage is unavailable. */
    readonly prove: (organization_id: OrganizationId) => Effect.Effect<void, StorageUnavailable>
    /** Ends a proof after its last attempt. Its result is `inconclusive`, or `failed` if a defect is known. */
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

      /** Finds removed organizations: unused ids with stored checkpoints. Few ids are unused, so few must be tried. */
      const removed = Effect.fnUntraced(function* (known: Organizations) {
        return yield* Effect.filter(holesIn(known), checkpoints.exists, { concurrency: reads_max })
      })

      const organizations = Effect.gen(function* () {
        const known = yield* chained
        return [...known, ...(yield* removed(known))]
      }).pipe(Effect.withSpan("Integrity.organizations"))

      const unproven = Effect.gen(function* () {
        const known = new Set(yield* repo.known)
        return (yield* chained).filter((id) => !known.has(id))
      }).pipe(Effect.withSpan("Integrity.unproven"))

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
        const read = yield* proveObjects(yield* proofs.begin(organization_id))
        const forged = read.forged ? ["the result of the last proof was changed after the service wrote it"] : []
        const problem = [...forged, ...(yield* records.defects(organization_id))].join("; ")
        if (problem === "") yield* incidentsRepo.resolveRecords(organization_id, yield* now)
        else yield* incidents.report({ organization_id, export_id: null, problem, found_by: "proof" })
        yield* proofs.end(read, problem !== "")
      })

      return Integrity.of({ chained, organizations, unproven, prove, giveUp: proofs.giveUp })
    })
  ).pipe(
    Layer.provide([IntegrityRepo.layer, Proofs.layer, IncidentsRepo.layer, RecordsProof.layer, Incidents.layer]),
    Layer.provide([Checkpoints.layer, AuditTrail.layer, Vault.layer])
  )
}

const rangeOf = (id: number) => Math.floor(id / range_ids)

/** Lists the highest unused organization ids of the first range, and of each range that has organizations. */
const holesIn = (known: Organizations): Organizations => {
  const ids = new Set<number>(known)
  return [...new Set([0, ...known.map(rangeOf)])].flatMap((range) => {
    const holes: Array<OrganizationId> = []
    const before_first = range * range_ids
    const last = known.findLast((id) => rangeOf(id) === range) ?? before_first
    for (let id = last + behind_max; id > before_first && holes.length < holes_max; id--) {
      if (!ids.has(id)) holes.push(OrganizationId.make(id))
    }
    return holes
  })
}

const { object_key, sha256, size_bytes } = StoredObject.fields
const Recorded = Schema.Struct({ object_id: StoredObject.fields.id, object_key, sha256, size_bytes })
const decodeRecorded = Schema.decodeUnknownOption(Recorded)

/** An archived object, as its audit entry describes it. */
interface RecordedObject extends Pick<
  StoredObject,
  "id" | "organization_id" | "object_key" | "sha256" | "size_bytes"
> {}

/** Returns nothing for a tampered entry that describes no object. Another part of the proof reports such an entry. */
const objectIn = (organization_id: OrganizationId, data: unknown): ReadonlyArray<RecordedObject> =>
  Option.match(decodeRecorded(data), {
    onNone: () => [],
    onSome: ({ object_id: id, ...kept }) => [{ ...kept, id, organization_id }]
  })
