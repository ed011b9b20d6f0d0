import { Context, Data, Effect, Layer, Option, Schema, Stream } from "effect"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { trail_start } from "../../platform/events/AuditTrail.ts"
import { BlobKey, BlobStore } from "../../platform/storage/BlobStore.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { retainedUntil } from "../objects/Retention.ts"

/** How long an audit chain was, and what its last hash was, when it was proven. */
const Checkpoint = Schema.Struct({
  /** 1, 2, 3 and so on; 0 before the first one. */
  number: Schema.Int,
  entries: Schema.Int,
  head: Schema.String,
  at: Timestamp
})
type Checkpoint = typeof Checkpoint.Type

/** Two a day for a thousand years. */
const number_max = 1_000_000

/** Of an organization that was never proven. */
const none: Checkpoint = { number: 0, entries: 0, head: trail_start, at: Timestamp.make("1970-01-01T00:00:00.000Z") }

/** What is stored as the checkpoint of this number is none. */
class CheckpointAltered extends Data.TaggedError("CheckpointAltered")<{ readonly number: number }> {}

const Text = Schema.fromJsonString(Checkpoint)
const decode = Schema.decodeUnknownEffect(Text)
const encode = Schema.encodeEffect(Text)

/**
 * Heads of audit chains, kept outside the database: whoever owns it can rewrite a chain as a whole, with all its hashes,
 * but not what is written here once and, in a bucket that locks, cannot be removed by anybody. They are found by their
 * numbers, so that nothing in the database says which is the latest.
 */
export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    readonly latest: (
      organization_id: OrganizationId
    ) => Effect.Effect<Checkpoint, CheckpointAltered | StorageUnavailable>
    /** Writes the one behind `latest`. */
    readonly keep: (
      organization_id: OrganizationId,
      latest: Checkpoint,
      proven: Pick<Checkpoint, "entries" | "head">
    ) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/archive/integrity/Checkpoints") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const spool = yield* Spool
      const { retentionDays } = (yield* AppConfig).archive

      /** None: there is none of this number. */
      const find = Effect.fnUntraced(
        function* (organization_id: OrganizationId, number: number) {
          const { bytes } = yield* blobs.get(keyOf(organization_id, number))
          return yield* Stream.mkString(Stream.decodeText(bytes))
        },
        Effect.scoped,
        Effect.asSome,
        Effect.catchTag("BlobMissing", () => Effect.succeedNone)
      )

      const latest = Effect.fn("Checkpoints.latest")(function* (organization_id: OrganizationId) {
        const exists = (number: number) =>
          number > number_max ? Effect.succeed(false) : Effect.map(find(organization_id, number), Option.isSome)
        // They have no holes: the last is between a power of two that is there and the next one, which is not.
        let step = 1
        while (yield* exists(step)) step *= 2
        let last = Math.floor(step / 2)
        for (step = Math.floor(last / 2); step >= 1; step /= 2) if (yield* exists(last + step)) last += step
        const text = last === 0 ? Option.none() : yield* find(organization_id, last)
        if (Option.isNone(text)) return none
        const found = yield* Effect.option(decode(text.value))
        if (Option.isNone(found) || found.value.number !== last) return yield* new CheckpointAltered({ number: last })
        return found.value
      })

      const keep = Effect.fn("Checkpoints.keep")(function* (
        organization_id: OrganizationId,
        { number }: Checkpoint,
        proven: Pick<Checkpoint, "entries" | "head">
      ) {
        const text = yield* Effect.orDie(encode({ number: number + 1, ...proven, at: yield* now }))
        const file = yield* spool.keep(Stream.encodeText(Stream.succeed(text)))
        const retain_until = yield* retainedUntil(blobs, retentionDays)
        yield* blobs.put(keyOf(organization_id, number + 1), file, retain_until === null ? {} : { retain_until }).pipe(
          // Another proof was quicker.
          Effect.catchTag("BlobExists", () => Effect.void)
        )
      }, Effect.scoped)

      return Checkpoints.of({ latest, keep })
    })
  )
}

const keyOf = (organization_id: OrganizationId, number: number) =>
  BlobKey.make(`checkpoints/${organization_id}/${number}`)
