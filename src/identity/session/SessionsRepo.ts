import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { Session, SessionId } from "./Session.ts"
import { traced } from "../../platform/sql/Traced.ts"

const session_hours = 12
/** Minutes without a request after which a session ends (OWASP ASVS 5.0, 7.3.1). */
const idle_minutes = 60
/** Minutes within which the second step of a login must follow the password. */
const second_step_minutes = 10
/** Minutes after the last proof of identity in which important changes need no password (OWASP ASVS 5.0, 7.5.1). */
const fresh_minutes = 5

const Start = Schema.Struct({
  hash: Schema.Uint8Array,
  user_id: UserId,
  user_agent: Schema.NullOr(Schema.String),
  network: Schema.NullOr(Schema.String),
  complete: Schema.Boolean
})

export class SessionsRepo extends Context.Service<SessionsRepo>()("invoicing/identity/session/SessionsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const live = sql`s.revoked_at is null and s.expires_at > now()
      and s.last_used_at > now() - make_interval(mins => ${idle_minutes})`
    const columns = sql`s.id, s.hash, s.user_id, s.user_agent, s.network, s.created_at, s.expires_at, s.last_used_at,
      s.second_step_due, s.authenticated_at > now() - make_interval(mins => ${fresh_minutes}) as is_fresh`

    const insert = SqlSchema.findOne({
      Request: Start,
      Result: Schema.Struct({ second_step_due: Schema.Boolean }),
      execute: ({ complete, hash, network, user_agent, user_id }) => sql`
        with step as (
          select not ${complete} and exists (
            select from second_factors where user_id = ${user_id} and confirmed_at is not null) as due)
        insert into sessions (hash, user_id, user_agent, network, second_step_due, expires_at)
        select ${hash}, ${user_id}, ${user_agent}, ${network}, due,
          now() + case when due then make_interval(mins => ${second_step_minutes})
                       else make_interval(hours => ${session_hours}) end
        from step returning second_step_due`
    })
    /** Finds a session by the hash of its token, and records its use at most once a minute. */
    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Session,
      execute: (hash) => sql`
        with used as (
          update sessions s set last_used_at = now()
          where s.hash = ${hash} and ${live} and s.last_used_at < now() - interval '1 minute')
        select ${columns} from sessions s join users u on u.id = s.user_id
        where s.hash = ${hash} and ${live} and u.disabled_at is null`
    })
    const list = SqlSchema.findAll({
      Request: UserId,
      Result: Session,
      execute: (user_id) => sql`
        select ${columns} from sessions s
        where s.user_id = ${user_id} and ${live} and not s.second_step_due order by s.id desc`
    })
    const revoke = SqlSchema.findOneOption({
      Request: Schema.Struct({ user_id: UserId, id: SessionId }),
      Result: Schema.Struct({ id: SessionId }),
      execute: ({ id, user_id }) => sql`
        update sessions set revoked_at = now() where user_id = ${user_id} and id = ${id} and revoked_at is null
        returning id`
    })
    const revokeOthers = SqlSchema.void({
      Request: Schema.Struct({ user_id: UserId, id: SessionId }),
      execute: ({ id, user_id }) =>
        sql`update sessions set revoked_at = now() where user_id = ${user_id} and id <> ${id} and revoked_at is null`
    })
    /**
     * Revokes the codes that no client has redeemed yet. This statement runs after the end of the session, so that it
     * also sees a code whose insertion had locked the session.
     */
    const revokeCodes = SqlSchema.void({
      Request: UserId,
      execute: (user_id) =>
        sql`update authorization_codes set used_at = clock_timestamp() where user_id = ${user_id} and used_at is null`
    })
    const refresh = SqlSchema.void({
      Request: Schema.Struct({ user_id: UserId, id: SessionId }),
      execute: ({ id, user_id }) =>
        sql`update sessions set authenticated_at = now() where user_id = ${user_id} and id = ${id}`
    })

    return traced("SessionsRepo", { insert, find, list, revoke, revokeOthers, revokeCodes, refresh })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
