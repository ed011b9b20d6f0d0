import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId, UserId } from "../../kernel/Ids.ts"
import { FamilyId } from "../tokens/TokensRepo.ts"
import { traced } from "../../platform/sql/Traced.ts"

const code_seconds = 60

const Hash = Schema.Uint8Array

const Insertion = Schema.Struct({
  hash: Hash,
  client_id: ClientId,
  redirect_uri: Schema.String,
  scopes: Schema.Array(Schema.String),
  code_challenge: Schema.String,
  session_hash: Hash
})

const Consumption = Schema.Struct({
  hash: Hash,
  client_id: ClientId,
  redirect_uri: Schema.String,
  code_challenge: Schema.String
})

export class AuthorizationCodesRepo extends Context.Service<AuthorizationCodesRepo>()(
  "invoicing/identity/oauth/AuthorizationCodesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Inserts a code. Returns no row if the session has ended meanwhile. */
      const insert = SqlSchema.findOneOption({
        Request: Insertion,
        Result: Schema.Struct({ user_id: UserId }),
        execute: ({ client_id, code_challenge, hash, redirect_uri, scopes, session_hash }) => sql`
          insert into authorization_codes (hash, client_id, user_id, redirect_uri, scopes, code_challenge, expires_at)
          select ${hash}, ${client_id}, user_id, ${redirect_uri}, ${scopes}, ${code_challenge},
            clock_timestamp() + make_interval(secs => ${code_seconds})
          from sessions where hash = ${session_hash} and revoked_at is null and expires_at > clock_timestamp()
          for share
          returning user_id`
      })
      const find = SqlSchema.findOneOption({
        Request: Hash,
        Result: Schema.Struct({
          user_id: UserId,
          client_id: ClientId,
          family_id: Schema.NullOr(FamilyId)
        }),
        execute: (hash) => sql`select user_id, client_id, family_id from authorization_codes where hash = ${hash}`
      })
      /** Consumes the code if all parameters match. Of several concurrent attempts, only one gets a row. */
      const consume = SqlSchema.findOneOption({
        Request: Consumption,
        Result: Schema.Struct({ user_id: UserId, scopes: Schema.Array(Schema.String) }),
        execute: ({ client_id, code_challenge, hash, redirect_uri }) => sql`
          update authorization_codes set used_at = clock_timestamp()
          where hash = ${hash} and client_id = ${client_id} and redirect_uri = ${redirect_uri}
            and code_challenge = ${code_challenge} and used_at is null and expires_at > clock_timestamp()
          returning user_id, scopes`
      })
      const setFamily = SqlSchema.void({
        Request: Schema.Struct({ hash: Hash, family_id: FamilyId }),
        execute: ({ family_id, hash }) =>
          sql`update authorization_codes set family_id = ${family_id} where hash = ${hash}`
      })

      return traced("AuthorizationCodesRepo", { insert, find, consume, setFamily })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
