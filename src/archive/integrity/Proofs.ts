import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import { Database } from "../../platform/sql/Database.ts"
import { IncidentsRepo } from "./IncidentsRepo.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"

/** Age in hours at which an interrupted proof starts anew, because its first reads are too old. */
const proof_hours_max = 20

const ProofRecord = Schema.Struct({
  organization_id: OrganizationId,
  state: Schema.Literals(["running", "passed", "failed", "inconclusive"]),
  started_at: Timestamp,
  last_proven_at: Schema.NullOr(Timestamp),
  /** Sequence number of the audit entry about the last object that this proof has checked. */
  read_until: Schema.Int,
  /** Number of objects that this proof found missing or altered. */
  lost: Schema.Int,
  /**
   * True if an earlier result was changed, and no complete proof has reported this yet. Results of version 1.0.0 lack
   * this field.
   */
  forged: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})
export type ProofRecord = typeof ProofRecord.Type

const Text = Schema.fromJsonString(ProofRecord)
const decode = Schema.decodeUnknownOption(Text)
const encode = Schema.encodeEffect(Text)

interface Known {
  /** Null if no result is stored, or if its signature is invalid. */
  readonly record: ProofRecord | null
  /** True if the stored result or an earlier one was changed, and no complete proof has reported this yet. */
  readonly isForged: boolean
}

/** Stores the results of proofs with a signature, so that the owner of the database cannot forge a passed proof. */
export class Proofs extends Context.Service<
  Proofs,
  {
    readonly read: (organization_id: OrganizationId) => Effect.Effect<Known>
    /** Begins a proof or continues an interrupted one. */
    readonly begin: (organization_id: OrganizationId) => Effect.Effect<ProofRecord>
    readonly write: (record: ProofRecord) => Effect.Effect<void>
    /**
     * Stores the result of a proof, which has reported its defects. The result is `failed` if the proof found a defect,
     * or if an object was reported as lost after the proof had read it.
     */
    readonly end: (record: ProofRecord, hasDefect: boolean) => Effect.Effect<void>
    /** Stores the result of a proof that is not repeated: `failed` if a defect is known, otherwise `inconclusive`. */
    readonly giveUp: (organization_id: OrganizationId) => Effect.Effect<void>
    /** Marks the archive as failed, because a defect was found outside a proof, for example by a download. */
    readonly fail: (organization_id: OrganizationId) => Effect.Effect<void>
  }
>()("invoicing/archive/integrity/Proofs") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IntegrityRepo
      const incidents = yield* IncidentsRepo
      const signer = yield* Signer
      const { transaction } = yield* Database

      const believed = (organization_id: OrganizationId, stored: { record: string; signature: string } | undefined) => {
        if (stored === undefined) return { record: null, isForged: false }
        const read = decode(stored.record)
        const isOurs =
          signer.isOurs(stored.record, stored.signature) &&
          Option.isSome(read) &&
          read.value.organization_id === organization_id
        return isOurs ? { record: read.value, isForged: read.value.forged } : { record: null, isForged: true }
      }

      const read = Effect.fn("Proofs.read")(function* (organization_id: OrganizationId) {
        return believed(organization_id, yield* repo.proof(organization_id))
      })

      const write = Effect.fn("Proofs.write")(function* (record: ProofRecord) {
        const text = yield* Effect.orDie(encode(record))
        yield* repo.saveProof(record.organization_id, text, signer.sign(text))
      })

      const begin = Effect.fn("Proofs.begin")(function* (organization_id: OrganizationId) {
        const { isForged: forged, record } = yield* read(organization_id)
        const started_at = yield* now
        const oldest = DateTime.subtract(DateTime.makeUnsafe(started_at), { hours: proof_hours_max })
        if (record?.state === "running" && record.started_at > DateTime.formatIso(oldest)) return record
        const last_proven_at = record?.last_proven_at ?? null
        const progress = { read_until: 0, lost: 0, forged }
        const begun = { organization_id, state: "running", started_at, last_proven_at, ...progress } as const
        yield* write(begun)
        return begun
      })

      const hasKnownDefect = Effect.fnUntraced(function* ({ forged, lost, organization_id }: ProofRecord) {
        return forged || lost > 0 || (yield* incidents.hasDefects(organization_id))
      })

      const end = Effect.fn("Proofs.end")(function* (record: ProofRecord, hasDefect: boolean) {
        const { organization_id } = record
        yield* repo.lockProof(organization_id)
        const state = hasDefect || (yield* hasKnownDefect(record)) ? "failed" : "passed"
        yield* write({ ...record, state, last_proven_at: yield* now, forged: false })
      }, transaction)

      const giveUp = Effect.fn("Proofs.giveUp")(function* (organization_id: OrganizationId) {
        yield* repo.lockProof(organization_id)
        const { record } = yield* read(organization_id)
        if (record === null) return
        yield* write({ ...record, state: (yield* hasKnownDefect(record)) ? "failed" : "inconclusive" })
      }, transaction)

      const fail = Effect.fn("Proofs.fail")(function* (organization_id: OrganizationId) {
        yield* repo.lockProof(organization_id)
        const { isForged: forged, record } = yield* read(organization_id)
        // A running proof takes the incident into account when it ends.
        if (record?.state === "running") return
        const none = { started_at: yield* now, last_proven_at: null, read_until: 0, lost: 0 }
        yield* write({ ...none, ...record, organization_id, state: "failed", forged })
      }, transaction)

      return Proofs.of({ read, begin, write, end, giveUp, fail })
    })
  ).pipe(Layer.provide([IntegrityRepo.layer, IncidentsRepo.layer]))
}
