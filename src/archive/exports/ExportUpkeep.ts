import { Context, DateTime, Effect, Layer } from "effect"
import { now, timestampOf } from "../../kernel/Calendar.ts"
import { batch_max, inBatches } from "../../platform/jobs/InBatches.ts"
import { giveUpAbandoned } from "../../platform/jobs/Abandoned.ts"
import { JobStore } from "../../platform/jobs/JobStore.ts"
import { BlobStore } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { IncidentsRepo } from "../integrity/IncidentsRepo.ts"
import { ExportBuilder } from "./ExportBuilder.ts"
import { ExportQueue } from "./ExportQueue.ts"
import { ExportsRepo } from "./ExportsRepo.ts"

/** Minimum age of an export in minutes before the upkeep checks that its job still exists. */
const waiting_minutes = 1

export class ExportUpkeep extends Context.Service<
  ExportUpkeep,
  {
    /** Marks old exports as expired, and removes all ZIP files that can no longer be downloaded. */
    readonly expire: Effect.Effect<void, StorageUnavailable>
    /** Marks exports as failed whose job no longer exists, for example after a crash during its last attempt. */
    readonly endAbandoned: Effect.Effect<void>
  }
>()("invoicing/archive/exports/ExportUpkeep") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ExportsRepo
      const incidents = yield* IncidentsRepo
      const building = yield* ExportBuilder
      const jobs = yield* JobStore
      const blobs = yield* BlobStore

      const expireDue = Effect.gen(function* () {
        const due = yield* repo.expiring({ at: yield* now, limit: batch_max })
        for (const key of due) {
          const { id: export_id, organization_id } = key
          const data = { export_id }
          yield* repo.expire(key, { organization_id, actor: "system", action: "archive.export_expired", data })
        }
        return due.length
      })

      const removeArtifacts = Effect.gen(function* () {
        const removable = yield* repo.removable({ limit: batch_max })
        for (const { abandoned_keys, id, object_key, organization_id } of removable) {
          yield* Effect.forEach([object_key, ...abandoned_keys], blobs.remove, { discard: true })
          const at = yield* now
          yield* incidents.resolveExport(organization_id, id, at)
          yield* repo.markRemoved({ organization_id, id }, at)
        }
        return removable.length
      })

      const expire = inBatches(batch_max, expireDue).pipe(
        Effect.andThen(inBatches(batch_max, removeArtifacts)),
        Effect.asVoid,
        Effect.withSpan("ExportUpkeep.expire")
      )

      const endAbandoned = Effect.gen(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { minutes: waiting_minutes })
        const at = timestampOf(before)
        yield* giveUpAbandoned(jobs, {
          queues: [ExportQueue],
          jobIdOf: ({ id }) => String(id),
          read: (page) => repo.unended({ at, ...page }),
          giveUp: building.giveUp
        })
      }).pipe(Effect.withSpan("ExportUpkeep.endAbandoned"))

      return ExportUpkeep.of({ expire, endAbandoned })
    })
  ).pipe(Layer.provide([ExportsRepo.layer, IncidentsRepo.layer, ExportBuilder.layer, JobStore.layer]))
}
