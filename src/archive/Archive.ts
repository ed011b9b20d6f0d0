import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { PageRows } from "../kernel/Envelope.ts"
import type { ArchiveObjectId } from "../kernel/Ids.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../kernel/Refusal.ts"
import { AppConfig } from "../platform/config/AppConfig.ts"
import { callerEntry, AuditLog } from "../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import { BlobStore } from "../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "./ArchiveErrors.ts"
import { type ArchiveState, stateOf } from "./objects/ArchiveState.ts"
import { Incidents } from "./integrity/Incidents.ts"
import { Proofs } from "./integrity/Proofs.ts"
import { type ArchiveObject, type IndexQuery, requireRanges } from "./objects/ArchiveObject.ts"
import { ObjectsRepo, type StoredObject } from "./objects/ObjectsRepo.ts"
import { type Proven, Vault } from "./objects/Vault.ts"

interface ObjectDownload extends Proven {
  readonly object: StoredObject
}

export class Archive extends Context.Service<
  Archive,
  {
    readonly state: Effect.Effect<ArchiveState, never, CurrentOrganization>
    readonly list: (query: IndexQuery) => Effect.Effect<PageRows<ArchiveObject>, ValidationFailed, CurrentOrganization>
    /** All bytes are verified before the first one is sent, and the audit chain records the download. */
    readonly download: (
      id: ArchiveObjectId
    ) => Effect.Effect<ObjectDownload, NotFound | ArchiveIncident | StorageUnavailable, Caller | Scope.Scope>
  }
>()("invoicing/archive/Archive") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ObjectsRepo
      const vault = yield* Vault
      const incidents = yield* Incidents
      const proofs = yield* Proofs
      const auditLog = yield* AuditLog
      const { locks, place } = yield* BlobStore
      const { plans, retentionDays: retention_days } = (yield* AppConfig).archive

      const state = Effect.gen(function* () {
        const { country, id, plan } = yield* CurrentOrganization
        const found = Option.getOrNull(yield* repo.vault(id))
        const { record: proof } = yield* proofs.read(id)
        // If the storage does not answer, `locked` is false, because the state must not claim a lock that may not
        // exist.
        const locked = yield* Effect.orElseSucceed(locks, () => false)
        return stateOf(found, { country, proof, plan, plans, region: place.region, locked, retention_days })
      }).pipe(Effect.withSpan("Archive.state"))

      const list = Effect.fn("Archive.list")(function* (query: IndexQuery) {
        yield* requireRanges(query)
        return yield* repo.list((yield* CurrentOrganization).id, query)
      })

      const download = Effect.fn("Archive.download")(function* (id: ArchiveObjectId) {
        yield* Effect.annotateCurrentSpan({ "object.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const object = yield* orNotFound(repo.find({ organization_id, id }))
        const proven = yield* vault
          .prove(object)
          .pipe(
            Effect.catchTag("ObjectLost", ({ verdict }) =>
              Effect.andThen(incidents.reportObject(object, verdict, "download"), Effect.fail(ArchiveIncident.of()))
            )
          )
        yield* auditLog.append(yield* callerEntry("archive.downloaded", { object_id: id, surface: "api" }))
        return { ...proven, object }
      })

      return Archive.of({ state, list, download })
    })
  ).pipe(Layer.provide([ObjectsRepo.layer, Vault.layer, Incidents.layer, Proofs.layer]))
}
