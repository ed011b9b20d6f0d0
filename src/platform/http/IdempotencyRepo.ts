import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { PgClient } from "@effect/sql-pg"

/** How long an answer is repeated; an older one that was not yet cleared away is overwritten. */
export const kept_hours = 24

const Key = Schema.Struct({
  organization_id: Schema.Int,
  principal: Schema.String,
  route: Schema.String,
  key: Schema.String
})
export type Key = typeof Key.Type

const StoredAnswer = Schema.Struct({
  fingerprint: Schema.String,
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.Uint8Array
})
type StoredAnswer = typeof StoredAnswer.Type

export class IdempotencyRepo extends Context.Service<IdempotencyRepo>()("invoicing/platform/http/IdempotencyRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    /** Held until the transaction ends: false while another request with the same key is running. */
    const lock = SqlSchema.findOne({
      Request: Key,
      Result: Schema.Struct({ locked: Schema.Boolean }),
      execute: (key) => {
        const name = JSON.stringify([key.organization_id, key.principal, key.route, key.key])
        return sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`
      }
    })
    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: StoredAnswer,
      execute: ({ key, organization_id, principal, route }) =>
        sql`select fingerprint, status, headers, body from idempotency_keys
            where organization_id = ${organization_id} and principal = ${principal} and route = ${route} and key = ${key}
              and created_at > now() - make_interval(hours => ${kept_hours})`
    })
    /** Has no row, and so dies, when an answer for the key is still kept: no second write may commit under it. */
    const insert = SqlSchema.findOne({
      Request: Schema.Struct({ ...Key.fields, ...StoredAnswer.fields }),
      Result: Schema.Struct({ key: Schema.String }),
      execute: ({ headers, ...row }) =>
        sql`insert into idempotency_keys ${sql.insert({ ...row, headers: sql.json(headers) })}
            on conflict (organization_id, principal, route, key) do update set fingerprint = excluded.fingerprint,
              status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()
            where idempotency_keys.created_at <= now() - make_interval(hours => ${kept_hours})
            returning key`
    })

    return {
      lock: (key: Key) =>
        lock(key).pipe(
          Effect.map(({ locked }) => locked),
          Effect.orDie
        ),
      find: (key: Key): Effect.Effect<Option.Option<StoredAnswer>> => find(key).pipe(Effect.orDie),
      insert: (key: Key, answer: StoredAnswer) => insert({ ...key, ...answer }).pipe(Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
