import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

export class IntegrityRepo extends Context.Service<IntegrityRepo>()("invoicing/archive/integrity/IntegrityRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    /** Replaces the time limit of the transaction's statements, because some read all records of large books. */
    const allowLongReads = sql`set local statement_timeout = '30min'`.pipe(Effect.asVoid, Effect.orDie)

    const proof = SqlSchema.findOneOption({
      Request: OrganizationId,
      Result: Schema.Struct({ record: Schema.String, signature: Schema.String }),
      execute: (organization_id) => sql`
        select record, signature from archive_proofs where organization_id = ${organization_id}`
    })

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

    const known = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ organization_id: OrganizationId }),
      execute: () => sql`select organization_id from archive_proofs`
    })

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

    const deposits = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Schema.Struct({ document: Schema.String }),
      execute: (organization_id) => sql`
        select document_type || ' ' || document_id as document from archive_deposits
        where organization_id = ${organization_id}`
    })

    const hasMoved = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ found: Schema.Boolean }),
      execute: (organization_id) => sql`
        select exists (select from moved_organizations where organization_id = ${organization_id}) as found`
    })

    return {
      allowLongReads,
      proof: Effect.fn("IntegrityRepo.proof")(
        proof,
        Effect.map((found) => Option.getOrUndefined(found)),
        Effect.orDie
      ),
      lockProof,
      saveProof,
      known: known().pipe(
        Effect.map((rows) => rows.map(({ organization_id }) => organization_id)),
        Effect.orDie
      ),
      deposits: Effect.fn("IntegrityRepo.deposits")(
        deposits,
        Effect.map((rows) => new Set(rows.map(({ document }) => document))),
        Effect.orDie
      ),
      hasMoved: Effect.fn("IntegrityRepo.hasMoved")(
        hasMoved,
        Effect.map(({ found }) => found),
        Effect.orDie
      ),
      ...traced("IntegrityRepo", { counts })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
