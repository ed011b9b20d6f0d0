import { Context, Effect, Layer, Option, Stream } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import { TimestampAuthority } from "../../platform/crypto/signatures/TimestampAuthority.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { BlobKey, BlobStore } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { retainedUntil } from "../objects/Retention.ts"
import { type Checkpoint, readCheckpoint, statementText, type StoredCheckpoint } from "./Checkpoint.ts"

/** Maximum number of checkpoints of one organization: enough for two a day over a thousand years. */
const number_max = 1_000_000
/** Maximum number of checkpoints that are read concurrently. */
const reads_max = 16

interface Read {
  /** The checkpoints before the first missing or invalid one. */
  readonly checkpoints: ReadonlyArray<StoredCheckpoint>
  /** Empty, or one sentence about the first invalid checkpoint. A missing checkpoint counts as the end of the list. */
  readonly defects: ReadonlyArray<string>
}

/**
 * Stores checkpoints of audit chains outside the database. The owner of the database can rewrite a whole chain, but
 * cannot forge a checkpoint, nor delete one from a bucket with Object Lock. Each checkpoint contains the hash of the
 * previous one, and each is named in an audit entry, so that a missing checkpoint is noticed.
 */
export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    readonly read: (organization_id: OrganizationId) => Effect.Effect<Read, StorageUnavailable>
    /** Stores the checkpoint that follows `former`. Returns none if another process stored it first. */
    readonly keep: (
      organization_id: OrganizationId,
      former: Pick<StoredCheckpoint, "number" | "sha256"> | undefined,
      proven: Pick<Checkpoint, "seq" | "head">
    ) => Effect.Effect<Option.Option<StoredCheckpoint>, StorageUnavailable>
    /**
     * Returns the storage keys of the checkpoints that cover at most the first `entries` entries of the audit chain.
     */
    readonly keys: (
      organization_id: OrganizationId,
      entries: number
    ) => Effect.Effect<ReadonlyArray<BlobKey>, StorageUnavailable>
    readonly exists: (organization_id: OrganizationId) => Effect.Effect<boolean, StorageUnavailable>
  }
>()("invoicing/archive/checkpoints/Checkpoints") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const spool = yield* Spool
      const signer = yield* Signer
      const authority = yield* TimestampAuthority
      const { retentionDays } = (yield* AppConfig).archive

      const textOf = Effect.fnUntraced(
        function* (organization_id: OrganizationId, number: number) {
          const { bytes } = yield* blobs.get(keyOf(organization_id, number))
          return yield* Stream.mkString(Stream.decodeText(bytes))
        },
        Effect.scoped,
        Effect.asSome,
        Effect.catchTag("BlobMissing", () => Effect.succeedNone)
      )

      const exists = Effect.fn("Checkpoints.exists")((organization_id: OrganizationId) =>
        Effect.map(textOf(organization_id, 1), Option.isSome)
      )

      /** Null if the checkpoint is valid, else the end of a sentence, such as "goes back". */
      const wrong = (
        organization_id: OrganizationId,
        found: StoredCheckpoint,
        former: StoredCheckpoint | undefined
      ): string | null => {
        if (found.number !== (former?.number ?? 0) + 1) return "differs from what was stored"
        if (found.organization_id !== organization_id) return "is another organization's"
        if (!signer.isOurs(statementText(found), found.signature, found.public_key)) {
          return "is not signed by this service"
        }
        if (found.previous !== (former?.sha256 ?? null)) return "does not follow the previous one"
        return former === undefined || found.seq >= former.seq ? null : "goes back"
      }

      const read = Effect.fn("Checkpoints.read")(function* (organization_id: OrganizationId) {
        const checkpoints: Array<StoredCheckpoint> = []
        for (let first = 1; first <= number_max; first += reads_max) {
          const numbers = Array.from({ length: reads_max }, (_, index) => first + index)
          const texts = yield* Effect.forEach(numbers, (number) => textOf(organization_id, number), {
            concurrency: "unbounded"
          })
          for (const [index, text] of texts.entries()) {
            if (Option.isNone(text)) return { checkpoints, defects: [] }
            const number = first + index
            const found = readCheckpoint(text.value)
            const problem = Option.isNone(found)
              ? "differs from what was stored"
              : wrong(organization_id, found.value, checkpoints.at(-1))
            if (Option.isNone(found) || problem !== null) {
              return { checkpoints, defects: [`checkpoint ${number} of the audit chain ${problem}`] }
            }
            checkpoints.push(found.value)
          }
        }
        return { checkpoints, defects: [] }
      })

      const keys = Effect.fn("Checkpoints.keys")(function* (organization_id: OrganizationId, entries: number) {
        const { checkpoints } = yield* read(organization_id)
        return checkpoints.filter(({ seq }) => seq <= entries).map(({ number }) => keyOf(organization_id, number))
      })

      const keep = Effect.fn("Checkpoints.keep")(function* (
        organization_id: OrganizationId,
        former: Pick<StoredCheckpoint, "number" | "sha256"> | undefined,
        { head, seq }: Pick<Checkpoint, "seq" | "head">
      ) {
        const { public_key } = signer
        const number = (former?.number ?? 0) + 1
        const previous = former?.sha256 ?? null
        const statement = { organization_id, number, seq, head, at: yield* now, previous, public_key }
        const signature = signer.sign(statementText(statement))
        const timestamp_token = Option.getOrNull(yield* authority.confirm(Buffer.from(signature, "base64")))
        const checkpoint = { ...statement, signature, timestamp_token }
        const text = canonicalJson(checkpoint)
        const file = yield* spool.keep(Stream.encodeText(Stream.succeed(text)))
        const retain_until = yield* retainedUntil(blobs, retentionDays)
        const kept: StoredCheckpoint = { ...checkpoint, sha256: file.sha256 }
        return yield* blobs
          .put(keyOf(organization_id, number), file, retain_until === null ? {} : { retain_until })
          .pipe(
            Effect.as(Option.some(kept)),
            Effect.catchTag("BlobExists", () => Effect.succeedNone)
          )
      }, Effect.scoped)

      return Checkpoints.of({ read, keys, keep, exists })
    })
  )
}

const keyOf = (organization_id: OrganizationId, number: number) =>
  BlobKey.make(`checkpoints/${organization_id}/${number}`)
