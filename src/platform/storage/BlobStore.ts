import { Context, Effect, Schema, type Scope, type Stream } from "effect"
import { randomBytes } from "node:crypto"
import type { StorageUnavailable } from "./StorageUnavailable.ts"

export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", { key: Schema.String }) {}

/** The error of `put` when something is already stored under the key. The stored file remains unchanged. */
export class BlobExists extends Schema.TaggedError<BlobExists>()("BlobExists", { key: Schema.String }) {}

/** Slash-separated words of letters a to z, digits and dashes: safe as a path and as an object name. */
export const BlobKey = Schema.String.check(Schema.isPattern(/^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64}){1,7}$/)).pipe(
  Schema.brand("BlobKey")
)
export type BlobKey = typeof BlobKey.Type

/** Returns a key that nobody can guess and that contains nothing from a client. Keys are spread over 256 folders. */
export const newBlobKey = (area: string, organization_id: number): Effect.Effect<BlobKey> =>
  Effect.sync(() => {
    const name = randomBytes(16).toString("hex")
    return BlobKey.make(`${area}/${organization_id}/${name.slice(0, 2)}/${name}`)
  })

/** The file must no longer change, because the store may link to it instead of copying it. */
export interface LocalFile {
  readonly path: string
  readonly size: number
  /** SHA-256 of the content in lower-case hex. */
  readonly sha256: string
}

interface Blob {
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, StorageUnavailable>
}

export interface Retention {
  /** The time (RFC 3339) before which nobody can remove or replace the object (S3 Object Lock, compliance mode). */
  readonly retain_until?: string
}

export interface StoragePlace {
  readonly bucket: string
  /** The host of the object store; the archive records it as the account of the store. */
  readonly account: string
  readonly region: string
}

/** Each file is written once, and is durable when `put` returns. */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    readonly place: StoragePlace
    /** True if a {@link Retention} is enforced even against the operator of this service. */
    readonly locks: Effect.Effect<boolean, StorageUnavailable>
    readonly put: (
      key: BlobKey,
      file: LocalFile,
      retention?: Retention
    ) => Effect.Effect<void, BlobExists | StorageUnavailable>
    /** Extends the {@link Retention} of a stored file to the given time, unless it already lasts longer. */
    readonly retain: (key: BlobKey, until: string) => Effect.Effect<void, StorageUnavailable>
    /** The bytes of the returned blob can be read until the scope closes, even if the file is removed meanwhile. */
    readonly get: (key: BlobKey) => Effect.Effect<Blob, BlobMissing | StorageUnavailable, Scope.Scope>
    /** Also succeeds if nothing is stored under the key. */
    readonly remove: (key: BlobKey) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/platform/storage/BlobStore") {}
