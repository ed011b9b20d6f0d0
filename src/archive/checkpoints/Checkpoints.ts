import { Context, Effect, Layer, Option, Stream } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import { TimestampAuthority } from "../../platform/crypto/TimestampAuthority.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { BlobKey, BlobStore } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { retainedUntil } from "../objects/Retention.ts"
import { type Checkpoint, readCheckpoint, statementText, type StoredCheckpoint } from "./Checkpoint.ts"

/** Two a day for a thousand years. */
const number_max = 1_000_000
/** Checkpoints that are read at the same time. */
const reads_max = 16

interface Read {
  /** From the first one up to the first that is missing or cannot be read. */
  readonly checkpoints: ReadonlyArray<StoredCheckpoint>
  /** Sentences about checkpoints that are not what this service stored. */
  readonly defects: ReadonlyArray<string>
}

/**
 * Signed heads of audit chains, kept in the storage and not in the database. Whoever owns the database can rewrite a
 * chain as a whole, with all its hashes; what was written here cannot be made anew without the signing key and, in a
 * bucket that locks, cannot be removed either. They are found by their numbers, each names the hash of the former one,
 * and the chain names the hash of each: so none can be left out.
 */
export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    readonly read: (organization_id: OrganizationId) => Effect.Effect<Read, StorageUnavailable>
    /** Writes the one behind `former`. None when another process was quicker. */
    readonly keep: (
      organization_id: OrganizationId,
      former: StoredCheckpoint | undefined,
      proven: Pick<Checkpoint, "seq" | "head">
    ) => Effect.Effect<Option.Option<StoredCheckpoint>, StorageUnavailable>
    /** Whether any checkpoint of the organization is there. */
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

      /** None: there is none of this number. */
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

      /** What is wrong with a checkpoint, seen from the one before it. */
      const wrong = (
        organization_id: OrganizationId,
        found: StoredCheckpoint,
        former: StoredCheckpoint | undefined
      ): string | null => {
        if (found.number !== (former?.number ?? 0) + 1) return "is not what was stored"
        const follows = former === undefined || found.seq >= former.seq
        if (Option.isNone(found.signed)) {
          return former === undefined || Option.isNone(former.signed) ? (follows ? null : "goes back") : "is not signed"
        }
        const { public_key, signature, previous, ...statement } = found.signed.value
        const text = statementText({ ...statement, previous, public_key })
        if (statement.organization_id !== organization_id) return "is another organization's"
        if (!signer.isOurs(text, signature, public_key)) return "is not signed by this service"
        if (previous !== (former?.sha256 ?? null)) return "does not follow the one before it"
        return follows ? null : "goes back"
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
            const found = readCheckpoint(text.value, sha256Hex(text.value))
            const problem = Option.isNone(found)
              ? "is not what was stored"
              : wrong(organization_id, found.value, checkpoints.at(-1))
            if (Option.isNone(found) || problem !== null) {
              return { checkpoints, defects: [`checkpoint ${number} of the audit chain ${problem}`] }
            }
            checkpoints.push(found.value)
          }
        }
        return { checkpoints, defects: [] }
      })

      const keep = Effect.fn("Checkpoints.keep")(function* (
        organization_id: OrganizationId,
        former: StoredCheckpoint | undefined,
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
        const { at } = statement
        const kept: StoredCheckpoint = { number, seq, head, at, sha256: file.sha256, signed: Option.some(checkpoint) }
        return yield* blobs
          .put(keyOf(organization_id, number), file, retain_until === null ? {} : { retain_until })
          .pipe(
            Effect.as(Option.some(kept)),
            Effect.catchTag("BlobExists", () => Effect.succeedNone)
          )
      }, Effect.scoped)

      return Checkpoints.of({ read, keep, exists })
    })
  )
}

const keyOf = (organization_id: OrganizationId, number: number) =>
  BlobKey.make(`checkpoints/${organization_id}/${number}`)
