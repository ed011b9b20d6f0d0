import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { StoredObject } from "../objects/ObjectsRepo.ts"

/** A proof that began longer ago is begun again: what it read then says nothing about today. */
const proof_hours_max = 20

const Moment = Schema.Struct({ organization_id: OrganizationId, at: Timestamp })

/** What proofs know and find out about the archive of one organization. */
export class IntegrityRepo extends Context.Service<IntegrityRepo>()("invoicing/archive/integrity/IntegrityRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    /** Those whose archive holds anything. */
    const vaults = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ organization_id: OrganizationId }),
      execute: () => sql`select organization_id from vaults where objects > 0 order by organization_id`
    })

    /** Begins a proof, or goes on with one that was interrupted; answers when it began. None: there is no archive. */
    const begin = SqlSchema.findOneOption({
      Request: Moment,
      Result: Schema.Struct({ started_at: Timestamp }),
      execute: ({ at, organization_id }) => sql`
        update vaults set
          proof_started_at = case
            when integrity_state = 'running'
              and proof_started_at > ${at}::timestamptz - make_interval(hours => ${proof_hours_max})
            then proof_started_at else ${at}::timestamptz end,
          integrity_state = 'running'
        where organization_id = ${organization_id} and objects > 0
        returning proof_started_at as started_at`
    })

    /** Objects behind `after` that this proof has not read. */
    const unread = SqlSchema.findAll({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        started_at: Timestamp,
        after: Schema.Int,
        limit: Schema.Int
      }),
      Result: StoredObject,
      execute: ({ after, limit, organization_id, started_at }) => sql`
        select o.id::text, o.sha256, o.size_bytes, o.content_type, o.organization_id, o.position, o.object_key
        from archive_objects o join archive_checks c using (organization_id, position)
        where o.organization_id = ${organization_id} and o.position > ${after}
          and c.checked_at < ${started_at}::timestamptz
        order by o.position limit ${limit}`
    })

    const markIntact = Effect.fn("IntegrityRepo.markIntact")(function* (
      organization_id: OrganizationId,
      positions: ReadonlyArray<number>,
      at: Timestamp
    ) {
      if (positions.length === 0) return
      yield* sql`
        update archive_checks set checked_at = ${at}::timestamptz, verdict = 'intact'
        where organization_id = ${organization_id} and ${sql.in("position", positions)}`
    }, Effect.orDie)

    /** Records what is wrong with an object: the archive's integrity has failed. */
    const markLost = Effect.fn("IntegrityRepo.markLost")(function* (
      { organization_id, position }: Pick<StoredObject, "organization_id" | "position">,
      verdict: "missing" | "altered",
      at: Timestamp
    ) {
      yield* sql`
        update archive_checks set checked_at = ${at}::timestamptz, verdict = ${verdict}
        where organization_id = ${organization_id} and position = ${position}`
      yield* sql`
        update vaults set integrity_state = 'failed'
        where organization_id = ${organization_id} and integrity_state <> 'running'`
    }, Effect.orDie)

    const counts = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({
        rows: Schema.Int,
        last: Schema.Int,
        exchanges: Schema.Int,
        incidents: Schema.Int
      }),
      execute: (organization_id) => sql`
        select count(*) as rows, coalesce(max(position), 0) as last,
          (select count(*) from archive_transmissions where organization_id = ${organization_id}) as exchanges,
          (select count(*) from archive_checks
            where organization_id = ${organization_id} and verdict <> 'intact') as incidents
        from archive_objects where organization_id = ${organization_id}`
    })

    const conclude = Effect.fn("IntegrityRepo.conclude")(function* (
      organization_id: OrganizationId,
      state: "passed" | "failed" | "inconclusive",
      at: Timestamp
    ) {
      yield* sql`
        update vaults set integrity_state = ${state},
          last_proven_at = case when ${state !== "inconclusive"} then ${at}::timestamptz else last_proven_at end
        where organization_id = ${organization_id}`
    }, Effect.orDie)

    return {
      vaults: Effect.orDie(vaults()).pipe(Effect.withSpan("IntegrityRepo.vaults")),
      begin: Effect.fn("IntegrityRepo.begin")(begin, Effect.orDie),
      unread: Effect.fn("IntegrityRepo.unread")(unread, Effect.orDie),
      markIntact,
      markLost,
      counts: Effect.fn("IntegrityRepo.counts")(counts, Effect.orDie),
      conclude
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
