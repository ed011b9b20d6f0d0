import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { PgClient } from "@effect/sql-pg"
import { SecretBox } from "../../crypto/SecretBox.ts"

/** How long an answer is repeated; an older one that was not yet cleared away is overwritten. */
export const kept_hours = 24

/** Each byte as a character: what is sealed is text, and an answer may be a file. */
const byte_text = "latin1"

const Key = Schema.Struct({
  organization_id: Schema.Int,
  principal: Schema.String,
  route: Schema.String,
  key: Schema.String
})
export type Key = typeof Key.Type

/** The body is sealed: some answers hold a secret that is shown once. */
const Row = Schema.Struct({
  fingerprint: Schema.String,
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  sealed_body: Schema.String
})

interface StoredAnswer extends Omit<typeof Row.Type, "sealed_body"> {
  readonly body: Uint8Array
}

/** The same key elsewhere has another name. */
const nameOf = ({ key, organization_id, principal, route }: Key) =>
  JSON.stringify([organization_id, principal, route, key])
const placeOf = (key: Key) => `idempotency-key:${nameOf(key)}`

export class IdempotencyRepo extends Context.Service<IdempotencyRepo>()(
  "invoicing/platform/http/edge/IdempotencyRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const box = yield* SecretBox

      /** Held until the transaction ends: false while another request with the same key is running. */
      const lock = SqlSchema.findOne({
        Request: Key,
        Result: Schema.Struct({ locked: Schema.Boolean }),
        execute: (key) => sql`select pg_try_advisory_xact_lock(hashtextextended(${nameOf(key)}, 0)) as locked`
      })
      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: Row,
        execute: ({ key, organization_id, principal, route }) =>
          sql`select fingerprint, status, headers, sealed_body from idempotency_keys
            where organization_id = ${organization_id} and principal = ${principal} and route = ${route} and key = ${key}
              and created_at > now() - make_interval(hours => ${kept_hours})`
      })
      /** Has no row, and so dies, when an answer for the key is still kept: no second write may commit under it. */
      const insert = SqlSchema.findOne({
        Request: Schema.Struct({ ...Key.fields, ...Row.fields }),
        Result: Schema.Struct({ key: Schema.String }),
        execute: ({ headers, ...row }) =>
          sql`insert into idempotency_keys ${sql.insert({ ...row, headers: sql.json(headers) })}
            on conflict (organization_id, principal, route, key) do update set fingerprint = excluded.fingerprint,
              status = excluded.status, headers = excluded.headers, sealed_body = excluded.sealed_body,
              created_at = now()
            where idempotency_keys.created_at <= now() - make_interval(hours => ${kept_hours})
            returning key`
      })

      return {
        lock: (key: Key) =>
          lock(key).pipe(
            Effect.map(({ locked }) => locked),
            Effect.orDie
          ),
        find: Effect.fnUntraced(function* (key: Key) {
          const row = yield* find(key)
          if (Option.isNone(row)) return Option.none<StoredAnswer>()
          const { sealed_body, ...answer } = row.value
          return Option.some({ ...answer, body: Buffer.from(yield* box.open(sealed_body, placeOf(key)), byte_text) })
        }, Effect.orDie),
        insert: Effect.fnUntraced(function* (key: Key, { body, ...answer }: StoredAnswer) {
          const sealed_body = yield* box.seal(Buffer.from(body).toString(byte_text), placeOf(key))
          yield* insert({ ...key, ...answer, sealed_body })
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
