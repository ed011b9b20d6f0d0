import { Context, Effect, Layer, Stream } from "effect"
import type { ArchiveObjectId, OrganizationId } from "../../kernel/Ids.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "../ArchiveErrors.ts"
import { Incidents } from "../integrity/Incidents.ts"
import { contentTypeOf } from "../objects/ArchiveObject.ts"
import { ObjectsRepo } from "../objects/ObjectsRepo.ts"
import { Vault } from "../objects/Vault.ts"
import type { KeptPaper, NewTransmission, Paper } from "../objects/Transmission.ts"
import { transmissionFacts, TransmissionsRepo } from "../objects/TransmissionsRepo.ts"

/**
 * Archives what is exchanged with networks and authorities, under every plan. Only for issued documents does the plan
 * decide whether they are archived.
 */
export class Transmissions extends Context.Service<
  Transmissions,
  {
    /**
     * Must run outside of any transaction, and before a row refers to the object. Bytes that are already stored are not
     * stored again.
     */
    readonly keep: (paper: Paper, bytes: Uint8Array) => Effect.Effect<KeptPaper, StorageUnavailable>
    /** Reads and verifies the bytes of an object. The caller must know that the object exists. */
    readonly read: (key: {
      readonly organization_id: OrganizationId
      readonly id: ArchiveObjectId
    }) => Effect.Effect<Uint8Array, ArchiveIncident | StorageUnavailable>
    /**
     * Locks the organization's audit log until the transaction ends, so a transaction must lock the records that it
     * changes before this call. False when an exchange with this id was recorded before.
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

      const keep = Effect.fn("Transmissions.keep")(function* (paper: Paper, bytes: Uint8Array) {
        const { organization_id, ...described } = paper
        const facts = { ...described, content_type: contentTypeOf(described.content_type) }
        const stored = yield* vault.store(organization_id, yield* spool.keep(Stream.succeed(bytes)))
        const object_id = yield* vault.recordOnce(organization_id, stored, facts, "exchange")
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
