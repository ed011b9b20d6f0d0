import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { change_minutes, LinkState } from "./MailedLink.ts"
import { hasAddress } from "./UsersRepo.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Maximum number of links per user and hour, because a user could otherwise send mail to strangers without end. */
const changes_per_hour_max = 3

/** The SQL statements name no organization, because links belong to users. */
export class EmailChangesRepo extends Context.Service<EmailChangesRepo>()("invoicing/identity/users/EmailChangesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Inserts a link, unless the user already requested too many. */
    const insert = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.Uint8Array, user_id: UserId, email: Schema.String }),
      Result: Schema.Struct({ user_id: UserId }),
      execute: ({ email, hash, user_id }) => sql`
        insert into email_changes (hash, user_id, email, expires_at)
        select ${hash}, ${user_id}, ${email}, now() + make_interval(mins => ${change_minutes})
        where (
          select count(*) from email_changes
          where user_id = ${user_id} and created_at > now() - interval '1 hour') < ${changes_per_hour_max}
        returning user_id`
    })
    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Schema.Struct({ user_id: UserId, email: Schema.String, state: LinkState }),
      execute: (hash) => sql`
        select user_id, email,
          case when used_at is not null then 'used'
            -- now() of a transaction that waited for another one is before the expiry that the other set.
            when expires_at > clock_timestamp() then 'open'
            when exists (select from email_changes o where o.user_id = l.user_id and o.used_at = l.expires_at) then 'replaced'
            else 'expired' end as state
        from email_changes l where hash = ${hash}`
    })
    /** Stores the address, and ends all other links of the user that confirm an address or set a password. */
    const apply = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: UserId, email: Schema.String, hash: Schema.Uint8Array }),
      Result: Schema.Struct({ id: UserId }),
      execute: ({ email, hash, id }) => sql`
        with used as (update email_changes set used_at = now() where hash = ${hash}),
          ended as (update email_changes set expires_at = now()
                    where user_id = ${id} and hash <> ${hash} and used_at is null and expires_at > now()),
          links as (update password_resets set expires_at = now()
                    where user_id = ${id} and used_at is null and expires_at > now())
        update users set email = ${email}, updated_at = now()
        where id = ${id} and not exists (select from users where ${hasAddress(sql, email)} and id <> ${id})
        returning id`
    })

    return {
      ...traced("EmailChangesRepo", { insert, find }),
      apply: Effect.fn("EmailChangesRepo.apply")(
        apply,
        // Another account got the address at the same moment.
        Effect.catchIf(isTaken, () => Effect.succeedNone),
        Effect.orDie
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const isTaken = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation" && error.reason.constraint === "users_email"
