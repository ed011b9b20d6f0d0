import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"

interface SignedRecord {
  readonly record: string
  readonly signature: string
}

export class IntegrityRepo extends Context.Service<IntegrityRepo>()("invoicing/archive/integrity/IntegrityRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    /** Replaces the time limit of the transaction's statements, because some read all records of large books. */
    const allowLongReads = sql`set local statement_timeout = '30min'`.pipe(Effect.asVoid, Effect.orDie)

    const proof = Effect.fn("IntegrityRepo.proof")(function* (organization_id: OrganizationId) {
      const [found] = yield* sql<SignedRecord>`
        select record, signature from archive_proofs where organization_id = ${organization_id}`
      return found
    }, Effect.orDie)

    /** Waits until no other transaction decides about the result of the organization's proof. */
    const lockProof = Effect.fn("IntegrityRepo.lockProof")(function* (organization_id: OrganizationId) {
      yield* sql`select organization_id from archive_proofs where organization_id = ${organization_id} for update`
    }, Effect.orDie)

    const saveProof = Effect.fn("IntegrityRepo.saveProof")(function* (
      organization_id: OrganizationId,
      record: string,
      signature: string
    ) {
      yield* sql`
        insert into archive_proofs (organization_id, record, signature)
        values (${organization_id}, ${record}, ${signature})
        on conflict (organization_id) do update set record = excluded.record, signature = excluded.signature`
    }, Effect.orDie)

    const known = sql<{ organization_id: number }>`select organization_id from archive_proofs`.pipe(
      Effect.map((rows) => rows.map(({ organization_id }) => organization_id)),
      Effect.orDie
    )

    const counts = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({
        rows: Schema.Int,
        last: Schema.Int,
        exchanges: Schema.Int,
        vault_objects: Schema.Int,
        vault_bytes: Schema.Int
      }),
      execute: (organization_id) => sql`
        select count(*) as rows, coalesce(max(position), 0) as last,
          (select count(*) from archive_transmissions where organization_id = ${organization_id}) as exchanges,
          coalesce((select objects from vaults where organization_id = ${organization_id}), 0) as vault_objects,
          coalesce((select bytes from vaults where organization_id = ${organization_id}), 0) as vault_bytes
        from archive_objects where organization_id = ${organization_id}`
    })

    const deposits = Effect.fn("IntegrityRepo.deposits")(function* (organization_id: OrganizationId) {
      const rows = yield* sql<{ document: string }>`
        select document_type || ' ' || document_id as document from archive_deposits
        where organization_id = ${organization_id}`
      return new Set(rows.map(({ document }) => document))
    }, Effect.orDie)

    const hasMoved = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ found: Schema.Boolean }),
      execute: (organization_id) => sql`
        select exists (select from moved_organizations where organization_id = ${organization_id}) as found`
    })

    return {
      allowLongReads,
      proof,
      lockProof,
      saveProof,
      known,
      deposits,
      hasMoved: Effect.fn("IntegrityRepo.hasMoved")(
        hasMoved,
        Effect.map(({ found }) => found),
        Effect.orDie
      ),
      counts: Effect.fn("IntegrityRepo.counts")(counts, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
