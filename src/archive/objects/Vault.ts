import { Context, Data, Effect, FileSystem, Layer, Option, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { now, type Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, type OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { Database } from "../../platform/sql/Database.ts"
import { BlobKey, BlobStore, type LocalFile } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ObjectsRepo } from "./ObjectsRepo.ts"
import { retainedUntil } from "./Retention.ts"
import type { Paper } from "./Transmission.ts"

/** Maximum size in bytes of an object that is verified in memory; larger objects are verified in a temporary file. */
const held_bytes_max = 1024 * 1024

/** The storage is available, but the bytes of the object are missing or altered. */
export class ObjectLost extends Data.TaggedError("ObjectLost")<{ readonly verdict: "missing" | "altered" }> {}

/** The storage key of an object's bytes, with the hash and the size that the bytes must have. */
interface Kept {
  readonly object_key: BlobKey
  readonly sha256: string
  readonly size_bytes: number
}

interface StoredBytes extends Kept {
  readonly retained_until: Timestamp | null
}

type ObjectFacts = Omit<Paper, "organization_id">

/** Stored bytes that were verified completely before the first one is streamed. */
export interface Proven {
  readonly size_bytes: number
  /** The whole content, if it is small enough to be held in memory. */
  readonly content?: Uint8Array
  readonly bytes: Stream.Stream<Uint8Array, StorageUnavailable>
}

/** The key of an object is the hash of its bytes, so that storing them again changes nothing. */
export class Vault extends Context.Service<
  Vault,
  {
    /** Must run before the transaction that records the bytes, so that no transaction waits for the storage. */
    readonly store: (organization_id: OrganizationId, file: LocalFile) => Effect.Effect<StoredBytes, StorageUnavailable>
    /**
     * Must be the last step of a transaction. The bytes are kept because the plan includes the archive or because they
     * were exchanged with a network; `reason` says which.
     */
    readonly record: (
      organization_id: OrganizationId,
      stored: StoredBytes,
      facts: ObjectFacts,
      reason: "plan" | "exchange"
    ) => Effect.Effect<ArchiveObjectId>
    /** Records an object in its own transaction, or returns the existing one; concurrent calls run one by one. */
    readonly recordOnce: (
      organization_id: OrganizationId,
      stored: StoredBytes,
      facts: ObjectFacts,
      reason: "plan" | "exchange"
    ) => Effect.Effect<ArchiveObjectId>
    /** Reads and verifies the bytes, which can be streamed until the scope closes. */
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
      const { transaction } = yield* Database
      const { retentionDays } = (yield* AppConfig).archive
      const { account: storage_account, bucket, region } = blobs.place

      const prove = Effect.fn("Vault.prove")(function* ({ object_key, sha256, size_bytes }: Kept) {
        const { bytes, size } = yield* blobs
          .get(object_key)
          .pipe(Effect.catchTag("BlobMissing", () => Effect.fail(new ObjectLost({ verdict: "missing" }))))
        if (size !== size_bytes) return yield* new ObjectLost({ verdict: "altered" })
        if (size_bytes <= held_bytes_max) {
          const parts = yield* Stream.runCollect(bytes)
          const content = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
          if (sha256Hex(content) !== sha256) return yield* new ObjectLost({ verdict: "altered" })
          return { size_bytes, content, bytes: Stream.succeed(content) }
        }
        const file = yield* spool.keep(bytes)
        if (file.sha256 !== sha256) return yield* new ObjectLost({ verdict: "altered" })
        return { size_bytes, bytes: files.stream(file.path).pipe(Stream.mapError(() => StorageUnavailable.of())) }
      })

      /** Fails if the object that is already stored under this hash is damaged. */
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
        yield* blobs.put(object_key, file, retained_until === null ? {} : { retain_until: retained_until }).pipe(
          // The existing object may be locked for a shorter time.
          Effect.catchTag("BlobExists", () =>
            Effect.andThen(
              requireIntact(kept),
              retained_until === null ? Effect.void : blobs.retain(object_key, retained_until)
            )
          )
        )
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

      const recordOnce = Effect.fn("Vault.recordOnce")(function* (
        organization_id: OrganizationId,
        stored: StoredBytes,
        facts: ObjectFacts,
        reason: "plan" | "exchange"
      ) {
        yield* repo.lockVault(organization_id)
        const same = yield* repo.findSame({ ...facts, organization_id, sha256: stored.sha256 })
        return Option.isSome(same) ? same.value.id : yield* record(organization_id, stored, facts, reason)
      }, transaction)

      return Vault.of({ store, record, recordOnce, prove })
    })
  ).pipe(Layer.provide(ObjectsRepo.layer))
}
