import { Context, Effect, Layer, Option, Stream } from "effect"
import type { ArchiveObjectId, OrganizationId } from "../../kernel/Ids.ts"
import { Database } from "../../platform/sql/Database.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "../ArchiveErrors.ts"
import { Incidents } from "../integrity/Incidents.ts"
import { contentTypeOf } from "../objects/ArchiveObject.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import type { KeptPaper, NewTransmission, Paper } from "./Transmission.ts"
import { transmissionFacts, TransmissionsRepo } from "./TransmissionsRepo.ts"

/**
 * What is exchanged with e-invoicing networks and tax authorities: its bytes, and that it was exchanged. Both are kept
 * whatever the organization's plan, which only decides about copies of what it issues.
 */
export class Transmissions extends Context.Service<
  Transmissions,
  {
    /**
     * Stores the bytes and records them in the manifest: before whatever relies on them, never inside a transaction. The
     * same bytes of one kind about one document are one object, so a step that is repeated gets the object it made.
     */
    readonly keep: (paper: Paper, bytes: Uint8Array) => Effect.Effect<KeptPaper, StorageUnavailable>
    /** The bytes as they were kept. An object that does not exist is a bug of whoever asks. */
    readonly read: (key: {
      readonly organization_id: OrganizationId
      readonly id: ArchiveObjectId
    }) => Effect.Effect<Uint8Array, ArchiveIncident | StorageUnavailable>
    /**
     * Records an exchange, for the exports and in the audit chain: in the transaction of what it changes, behind its other
     * writes. False, and nothing written, when one of this id was recorded before.
     */
    readonly record: (transmission: NewTransmission) => Effect.Effect<boolean>
  }
>()("invoicing/archive/transmissions/Transmissions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* TransmissionsRepo
      const objects = yield* ObjectsRepo
      const vault = yield* Vault
      const incidents = yield* Incidents
      const spool = yield* Spool
      const { transaction } = yield* Database

      const recordOnce = Effect.fnUntraced(function* (
        { organization_id, ...facts }: Paper,
        stored: Effect.Success<ReturnType<typeof vault.store>>
      ) {
        // Decides between this and another attempt.
        yield* objects.lockVault(organization_id)
        const same = yield* objects.findSame({ ...facts, organization_id, sha256: stored.sha256 })
        if (Option.isSome(same)) return same.value.id
        return yield* vault.record(organization_id, stored, facts, "exchange")
      }, transaction)

      const keep = Effect.fn("Transmissions.keep")(function* (paper: Paper, bytes: Uint8Array) {
        const { content_type, organization_id } = paper
        const file = yield* spool.keep(Stream.succeed(bytes))
        const stored = yield* vault.store(organization_id, file)
        const object_id = yield* recordOnce({ ...paper, content_type: contentTypeOf(content_type) }, stored)
        const { sha256, size_bytes } = stored
        return { object_id, sha256, size_bytes }
      }, Effect.scoped)

      const read = Effect.fn("Transmissions.read")(function* (key: {
        readonly organization_id: OrganizationId
        readonly id: ArchiveObjectId
      }) {
        yield* Effect.annotateCurrentSpan({ "object.id": key.id })
        const object = yield* Effect.orDie(Effect.fromOption(yield* objects.find(key)))
        const { bytes } = yield* vault
          .prove(object)
          .pipe(
            Effect.catchTag("ObjectLost", ({ verdict }) =>
              Effect.andThen(incidents.reportObject(object, verdict, "submission"), Effect.fail(ArchiveIncident.of()))
            )
          )
        return yield* Stream.mkUint8Array(bytes)
      }, Effect.scoped)

      const record = Effect.fn("Transmissions.record")(function* (transmission: NewTransmission) {
        const { organization_id } = transmission
        const action = "archive.transmission_recorded"
        return yield* repo.record(transmission, {
          organization_id,
          actor: "system",
          action,
          data: transmissionFacts(transmission)
        })
      })

      return Transmissions.of({ keep, read, record })
    })
  ).pipe(Layer.provide([TransmissionsRepo.layer, ObjectsRepo.layer, Vault.layer, Incidents.layer]))
}
