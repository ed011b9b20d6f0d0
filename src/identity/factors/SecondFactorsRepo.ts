import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Factor = Schema.Struct({ sealed_secret: Schema.String, confirmed: Schema.Boolean })
const OfUser = Schema.Struct({ user_id: UserId })

/** The SQL statements name no organization, because second factors belong to users. */
export class SecondFactorsRepo extends Context.Service<SecondFactorsRepo>()(
  "invoicing/identity/factors/SecondFactorsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findOneOption({
        Request: UserId,
        Result: Factor,
        execute: (user_id) => sql`
          select sealed_secret, confirmed_at is not null as confirmed from second_factors where user_id = ${user_id}`
      })
      /** Stores a new secret, replacing one that was never confirmed; returns no row if the factor is on. */
      const begin = SqlSchema.findOneOption({
        Request: Schema.Struct({ user_id: UserId, sealed_secret: Schema.String }),
        Result: OfUser,
        execute: ({ sealed_secret, user_id }) => sql`
          insert into second_factors as f (user_id, sealed_secret) values (${user_id}, ${sealed_secret})
          on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0
          where f.confirmed_at is null
          returning user_id`
      })
      /** Returns no row if a code of this time step or of a later one was already accepted. */
      const take = SqlSchema.findOneOption({
        Request: Schema.Struct({ user_id: UserId, step: Schema.Int }),
        Result: OfUser,
        execute: ({ step, user_id }) => sql`
          update second_factors set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
          where user_id = ${user_id} and last_step < ${step}
          returning user_id`
      })
      const takeRecovery = SqlSchema.findOneOption({
        Request: Schema.Struct({ user_id: UserId, hash: Schema.Uint8Array }),
        Result: OfUser,
        execute: ({ hash, user_id }) => sql`
          update recovery_codes set used_at = now() where user_id = ${user_id} and hash = ${hash} and used_at is null
          returning user_id`
      })
      const recoveryLeft = SqlSchema.findOne({
        Request: UserId,
        Result: Schema.Struct({ codes: Schema.Int }),
        execute: (user_id) =>
          sql`select count(*)::integer as codes from recovery_codes where user_id = ${user_id} and used_at is null`
      })
      const dropRecovery = SqlSchema.void({
        Request: UserId,
        execute: (user_id) => sql`delete from recovery_codes where user_id = ${user_id}`
      })
      const insertRecovery = SqlSchema.void({
        Request: Schema.Struct({ user_id: UserId, hashes: Schema.Array(Schema.Uint8Array) }),
        execute: ({ hashes, user_id }) =>
          sql`insert into recovery_codes (user_id, hash) select ${user_id}, hash from unnest(${hashes}::bytea[]) as hash`
      })
      const remove = SqlSchema.findOneOption({
        Request: UserId,
        Result: OfUser,
        execute: (user_id) => sql`delete from second_factors where user_id = ${user_id} returning user_id`
      })

      return traced("SecondFactorsRepo", {
        find,
        begin,
        take,
        takeRecovery,
        recoveryLeft,
        dropRecovery,
        insertRecovery,
        remove
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
