import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { Session } from "./Session.ts"

const session_hours = 12

export class SessionsRepo extends Context.Service<SessionsRepo>()("invoicing/identity/session/SessionsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal("id, hash, user_id, user_agent, created_at, expires_at")
    const live = sql.literal("revoked_at is null and expires_at > now()")

    const insert = SqlSchema.void({
      Request: Schema.Struct({ hash: Schema.Uint8Array, user_id: UserId, user_agent: Schema.NullOr(Schema.String) }),
      execute: ({ hash, user_agent, user_id }) => sql`
        insert into sessions (hash, user_id, user_agent, expires_at)
        values (${hash}, ${user_id}, ${user_agent}, now() + make_interval(hours => ${session_hours}))`
    })
    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Session,
      execute: (hash) => sql`select ${columns} from sessions where hash = ${hash} and ${live}`
    })
    const list = SqlSchema.findAll({
      Request: UserId,
      Result: Session,
      execute: (user_id) => sql`select ${columns} from sessions where user_id = ${user_id} and ${live} order by id desc`
    })
    const revoke = SqlSchema.void({
      Request: Schema.Struct({ user_id: UserId, id: Schema.Int }),
      execute: ({ id, user_id }) =>
        sql`update sessions set revoked_at = now() where user_id = ${user_id} and id = ${id} and revoked_at is null`
    })

    return {
      insert: Effect.fn("SessionsRepo.insert")(insert, Effect.orDie),
      find: Effect.fn("SessionsRepo.find")(find, Effect.orDie),
      list: Effect.fn("SessionsRepo.list")(list, Effect.orDie),
      revoke: Effect.fn("SessionsRepo.revoke")(revoke, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
