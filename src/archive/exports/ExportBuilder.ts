import { Context, DateTime, Effect, Layer, Option } from "effect"
import { now, timestampOf } from "../../kernel/Calendar.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Database } from "../../platform/sql/Database.ts"
import { BlobStore, newBlobKey } from "../../platform/storage/BlobStore.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Checkpoints } from "../checkpoints/Checkpoints.ts"
import { RecordsProof } from "../integrity/RecordsProof.ts"
import { Export, shownExport } from "./Export.ts"
import { type ExportFacts, type ExportKey, ExportsRepo } from "./ExportsRepo.ts"
import { ExportZip } from "./ExportZip.ts"

const failure = "The export could not be built. Request another one."

export class ExportBuilder extends Context.Service<
  ExportBuilder,
  {
    /** Packs and stores the ZIP, then completes the export. Does nothing for an export that has ended. */
    readonly build: (key: ExportKey) => Effect.Effect<void, StorageUnavailable>
    /** Marks an export as failed, so that the organization can request another one. */
    readonly giveUp: (key: ExportKey) => Effect.Effect<void>
  }
>()("invoicing/archive/exports/ExportBuilder") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ExportsRepo
      const zip = yield* ExportZip
      const blobs = yield* BlobStore
      const config = yield* AppConfig
      const { transaction } = yield* Database
      const { exportDays: days } = config.archive
      const { public_key } = yield* Signer
      const checkpoints = yield* Checkpoints
      const proof = yield* RecordsProof

      /**
       * Makes a new checkpoint if the last one was signed with an earlier key, because the verifier accepts only one
       * key for the checkpoint and the export. A chain with defects gets no checkpoint, so its export fails the
       * verification, as it should.
       */
      const checkpoint = Effect.fnUntraced(function* ({ organization_id }: ExportKey) {
        const last = (yield* checkpoints.read(organization_id)).checkpoints.at(-1)
        if (last !== undefined && last.public_key !== public_key) yield* proof.defects(organization_id)
      })

      const complete = Effect.fnUntraced(function* (
        facts: ExportFacts,
        { file, ...counted }: Effect.Success<ReturnType<typeof zip.pack>>
      ) {
        const { id, organization_id } = facts
        const completed_at = yield* now
        const expires_at = timestampOf(DateTime.add(DateTime.makeUnsafe(completed_at), { days }))
        const { sha256, size: file_size_bytes } = file
        const built = { ...counted, sha256, file_size_bytes, completed_at, expires_at }
        const shown = shownExport({ ...facts, ...built, status: "completed" }, publicUrl(config), completed_at)
        const events = [yield* exportEvent("archive.export_completed", shown, "building")]
        const data = { export_id: id, sha256, ...counted }
        const entry = { organization_id, actor: "system", action: "archive.export_completed", data, events }
        return yield* repo.complete(facts, built, entry)
      }, transaction)

      const build = Effect.fn("ExportBuilder.build")(function* (key: ExportKey) {
        yield* Effect.annotateCurrentSpan({ "export.id": key.id })
        const object_key = yield* newBlobKey("exports", key.organization_id)
        const started = yield* repo.start({ ...key, object_key })
        if (Option.isNone(started)) return
        yield* checkpoint(key)
        const packed = yield* zip.pack(started.value)
        yield* blobs.put(object_key, packed.file).pipe(Effect.catchTag("BlobExists", Effect.die))
        // The job of a hanging process is given to another process, but the first may continue. Only the process that
        // started last completes the export; the ZIP files of all others are removed.
        const isOurs = yield* complete(started.value, packed)
        yield* Effect.forEach(isOurs ? started.value.abandoned_keys : [object_key], blobs.remove, { discard: true })
      }, Effect.scoped)

      const giveUp = Effect.fn("ExportBuilder.giveUp")(function* (key: ExportKey) {
        const { id: export_id, organization_id } = key
        const entry = { organization_id, actor: "system", action: "archive.export_failed", data: { export_id } }
        yield* repo.fail(key, failure, entry)
      })

      return ExportBuilder.of({ build, giveUp })
    })
  ).pipe(Layer.provide([ExportsRepo.layer, ExportZip.layer, RecordsProof.layer, Checkpoints.layer]))
}

const exportEvent = recordEvent("export", Export)
