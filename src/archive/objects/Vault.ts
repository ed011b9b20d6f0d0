import { Context, Data, Effect, FileSystem, Layer, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { now, type Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, type OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { BlobKey, BlobStore, type LocalFile } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { type NewObject, ObjectsRepo } from "./ObjectsRepo.ts"
import { retainedUntil } from "./Retention.ts"

/** The storage is in order, yet does not have the bytes that the manifest names. */
export class ObjectLost extends Data.TaggedError("ObjectLost")<{ readonly verdict: "missing" | "altered" }> {}

/** Bytes as the manifest names them. */
interface Kept {
  readonly object_key: BlobKey
  readonly sha256: string
  readonly size_bytes: number
}

/** Bytes that have been stored for good, and wait to be recorded. */
interface StoredBytes extends Kept {
  readonly retained_until: Timestamp | null
}

/** What an object is. */
type ObjectFacts = Pick<
  NewObject,
  | "object_kind"
  | "direction"
  | "document_type"
  | "document_id"
  | "number"
  | "counterparty_name"
  | "issue_date"
  | "amount"
  | "currency"
  | "content_type"
>

/** Bytes that are exactly those of the manifest: they were read and hashed before the first one is handed out. */
export interface Proven {
  readonly size_bytes: number
  readonly bytes: Stream.Stream<Uint8Array, StorageUnavailable>
}

/**
 * Objects that are written once and never changed. Their key is the hash of their bytes, so the same bytes are stored
 * once, and storing them again after a crash changes nothing.
 */
export class Vault extends Context.Service<
  Vault,
  {
    /** Puts the bytes into the storage, durably. Before the transaction that records them, never inside. */
    readonly store: (organization_id: OrganizationId, file: LocalFile) => Effect.Effect<StoredBytes, StorageUnavailable>
    /** Adds stored bytes to the manifest and to the audit chain, as the last step of a transaction; and why they are kept. */
    readonly record: (
      organization_id: OrganizationId,
      stored: StoredBytes,
      facts: ObjectFacts,
      reason: "plan" | "exchange"
    ) => Effect.Effect<ArchiveObjectId>
    /** Reads and verifies the bytes; they can be read until the scope closes. */
    readonly prove: (kept: Kept) => Effect.Effect<Proven, ObjectLost | StorageUnavailable, Scope.Scope>
  }
>()("invoicing/archive/objects/Vault") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ObjectsRepo
      const blobs = yield* BlobStore
      const spool = yield* Spool
      const files = yield* FileSystem.FileSystem
      const { retentionDays } = (yield* AppConfig).archive
      const { account: storage_account, bucket, region } = blobs.place

      const prove = Effect.fn("Vault.prove")(function* ({ object_key, sha256, size_bytes }: Kept) {
        const { bytes, size } = yield* blobs
          .get(object_key)
          .pipe(Effect.catchTag("BlobMissing", () => Effect.fail(new ObjectLost({ verdict: "missing" }))))
        if (size !== size_bytes) return yield* new ObjectLost({ verdict: "altered" })
        const file = yield* spool.keep(bytes)
        if (file.sha256 !== sha256) return yield* new ObjectLost({ verdict: "altered" })
        return { size_bytes, bytes: files.stream(file.path).pipe(Stream.mapError(() => StorageUnavailable.of())) }
      })

      /** The bytes are there already, unless somebody changed what is stored under their hash. */
      const requireIntact = (kept: Kept) =>
        Effect.scoped(prove(kept)).pipe(
          Effect.catchTag("ObjectLost", ({ verdict }) =>
            Effect.andThen(
              Effect.logError(`${kept.object_key} is ${verdict} in the storage`),
              Effect.fail(StorageUnavailable.of())
            )
          )
        )

      const store = Effect.fn("Vault.store")(function* (organization_id: OrganizationId, file: LocalFile) {
        const { sha256, size: size_bytes } = file
        const object_key = BlobKey.make(`archive/${organization_id}/${sha256.slice(0, 2)}/${sha256}`)
        const kept = { object_key, sha256, size_bytes }
        const retained_until = yield* retainedUntil(blobs, retentionDays)
        yield* blobs
          .put(object_key, file, retained_until === null ? {} : { retain_until: retained_until })
          .pipe(Effect.catchTag("BlobExists", () => requireIntact(kept)))
        return { ...kept, retained_until }
      })

      const record = Effect.fn("Vault.record")(function* (
        organization_id: OrganizationId,
        stored: StoredBytes,
        facts: ObjectFacts,
        reason: "plan" | "exchange"
      ) {
        const id = ArchiveObjectId.make(SecureRandom.uuidV7Unsafe())
        const place = { bucket, storage_account, region }
        const object = { ...facts, ...stored, ...place, id, organization_id, archived_at: yield* now }
        yield* repo.record(object, reason === "plan")
        return id
      })

      return Vault.of({ store, record, prove })
    })
  ).pipe(Layer.provide(ObjectsRepo.layer))
}
