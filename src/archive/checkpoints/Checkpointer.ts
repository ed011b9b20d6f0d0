import { Context, Effect, Layer, Option, Schema } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Checkpoint, type StoredCheckpoint } from "./Checkpoint.ts"
import { Checkpoints } from "./Checkpoints.ts"
import type { RecordedCheckpoint } from "../books/TrailEntries.ts"

/** An audit chain without defects: its length, its last hash, and the checkpoints that its entries announce. */
interface Proven {
  readonly entries: number
  readonly head: string
  readonly told: ReadonlyArray<RecordedCheckpoint>
}

/** Stores a checkpoint of a chain without defects, and then announces it by an entry of the chain and an event. */
export class Checkpointer extends Context.Service<
  Checkpointer,
  {
    /** Stores and announces the next checkpoint, if the chain has grown since the last one. */
    readonly next: (
      organization_id: OrganizationId,
      seen: ReadonlyArray<StoredCheckpoint>,
      proven: Proven
    ) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/archive/checkpoints/Checkpointer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const checkpoints = yield* Checkpoints
      const auditLog = yield* AuditLog

      const tell = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        { sha256, ...checkpoint }: StoredCheckpoint
      ) {
        const { number, seq } = checkpoint
        const event = yield* checkpointEvent("archive.checkpoint", { ...checkpoint, id: number })
        const data = { number, seq, sha256 }
        const entry = { organization_id, actor: "system", action: "archive.checkpoint", data, events: [event] }
        yield* auditLog.append(entry)
      })

      const next = Effect.fn("Checkpointer.next")(function* (
        organization_id: OrganizationId,
        seen: ReadonlyArray<StoredCheckpoint>,
        { entries, head, told }: Proven
      ) {
        const last = seen.at(-1)
        const isTold = last === undefined || told.some(({ number }) => number === last.number)
        // The process that stored this checkpoint crashed before it could announce the checkpoint.
        if (!isTold) return yield* tell(organization_id, last)
        // A chain that grew by one entry needs no new checkpoint, because that entry announces the last checkpoint.
        const hasGrown = last === undefined ? entries > 0 : entries > last.seq + 1
        if (!hasGrown) return
        const kept = yield* checkpoints.keep(organization_id, last, { seq: entries, head })
        if (Option.isSome(kept)) yield* tell(organization_id, kept.value)
      })

      return Checkpointer.of({ next })
    })
  ).pipe(Layer.provide(Checkpoints.layer))
}

/** Builds the event about a checkpoint. Every event needs an id, which here is the number of the checkpoint. */
const checkpointEvent = recordEvent("checkpoint", Schema.Struct({ id: Schema.Int, ...Checkpoint.fields }))
