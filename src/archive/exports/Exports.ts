import { Context, Effect, Layer, type Scope } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { ExportId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound, type ValidationFailed } from "../../kernel/Refusal.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { newBlobKey } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "../ArchiveErrors.ts"
import { Incidents } from "../integrity/Incidents.ts"
import { type ObjectFilters, requireRanges } from "../objects/ArchiveObject.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { type Proven, Vault } from "../objects/Vault.ts"
import { describeFilters, type Export, shownExport } from "./Export.ts"
import { ExportExpired, ExportInProgress, NothingToExport, TooManyObjects } from "./ExportErrors.ts"
import { ExportQueue } from "./ExportQueue.ts"
import { type ExportFacts, ExportsRepo } from "./ExportsRepo.ts"

type Refused = ValidationFailed | ExportInProgress | NothingToExport | TooManyObjects

/** Creates exports of the archive and sends their ZIP files, also for an organization that was archived (read-only). */
export class Exports extends Context.Service<
  Exports,
  {
    /**
     * Enqueues the job that builds the ZIP of the objects that match now. Objects that are archived later are not
     * included.
     */
    readonly request: (filters: ObjectFilters) => Effect.Effect<Export, Refused, Caller>
    readonly get: (id: ExportId) => Effect.Effect<Export, NotFound, CurrentOrganization>
    /** Verifies the whole ZIP before its first byte is sent, and adds the download to the audit chain. */
    readonly download: (
      id: ExportId
    ) => Effect.Effect<Proven, NotFound | ExportExpired | ArchiveIncident | StorageUnavailable, Caller | Scope.Scope>
  }
>()("invoicing/archive/exports/Exports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ExportsRepo
      const objects = yield* ObjectsRepo
      const vault = yield* Vault
      const incidents = yield* Incidents
      const jobs = yield* Jobs
      const auditLog = yield* AuditLog
      const config = yield* AppConfig
      const { transaction } = yield* Database
      const object_count_max = config.archive.exportObjectsMax

      const measured = Effect.fnUntraced(function* (filters: ObjectFilters) {
        const { id: organization_id } = yield* CurrentOrganization
        const { object_count, through } = yield* objects.measure(organization_id, filters)
        if (object_count === 0) return yield* NothingToExport.of()
        if (object_count > object_count_max) return yield* TooManyObjects.of({ object_count, object_count_max })
        return { organization_id, object_count, through_position: through }
      })

      const insert = Effect.fnUntraced(function* (filters: ObjectFilters) {
        const set = yield* measured(filters)
        const { object_count, organization_id } = set
        const id = yield* repo.nextId
        const object_key = yield* newBlobKey("exports", organization_id)
        const facts: ExportFacts = { ...ordered, ...set, id, filters, object_key, created_at: yield* now }
        const described = yield* describeFilters(filters)
        const data = { export_id: id, object_count, filters: described, surface }
        yield* jobs.offer(ExportQueue, { organization_id, id }, { id: String(id) })
        const entry = yield* callerEntry("archive.export_ordered", data)
        if (!(yield* repo.insert(facts, entry))) return yield* ExportInProgress.of()
        return shownExport(facts, publicUrl(config), facts.created_at)
      }, transaction)

      const request = Effect.fn("Exports.request")(function* (filters: ObjectFilters) {
        yield* requireRanges(filters)
        return yield* insert(filters)
      })

      const find = Effect.fnUntraced(function* (id: ExportId) {
        yield* Effect.annotateCurrentSpan({ "export.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      const get = Effect.fn("Exports.get")(function* (id: ExportId) {
        return shownExport(yield* find(id), publicUrl(config), yield* now)
      })

      const download = Effect.fn("Exports.download")(function* (id: ExportId) {
        const facts = yield* find(id)
        const { status } = shownExport(facts, publicUrl(config), yield* now)
        if (status === "expired") return yield* ExportExpired.of()
        const { file_size_bytes: size_bytes, object_key, organization_id, sha256 } = facts
        if (status !== "completed" || sha256 === null || size_bytes === null) return yield* NotFound.of()
        const proven = yield* vault
          .prove({ object_key, sha256, size_bytes })
          .pipe(
            Effect.catchTag("ObjectLost", ({ verdict }) =>
              Effect.andThen(
                incidents.report({ organization_id, export_id: id, problem: verdict, found_by: "download" }),
                Effect.fail(ArchiveIncident.of())
              )
            )
          )
        yield* auditLog.append(yield* callerEntry("archive.export_downloaded", { export_id: id, surface }))
        return proven
      })

      return Exports.of({ request, get, download })
    })
  ).pipe(Layer.provide([ExportsRepo.layer, ObjectsRepo.layer, Vault.layer, Incidents.layer]))
}

const surface = "api"

const ordered = {
  abandoned_keys: [],
  status: "pending",
  missing_object_count: 0,
  file_size_bytes: null,
  manifest_sha256: null,
  sha256: null,
  error: null,
  completed_at: null,
  expires_at: null
} as const
