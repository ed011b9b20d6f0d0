import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { LinkState } from "./MailedLink.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Minutes for which a link that sets a password is valid. OWASP ASVS 5.0, 6.4.6 requires a short time. */
export const reset_minutes = 30
/** Maximum number of links that are mailed to one user per hour, however often strangers request them. */
const resets_per_hour_max = 3

const Issue = Schema.Struct({ hash: Schema.Uint8Array, user_id: UserId, is_mailed: Schema.Boolean })

/** The SQL statements name no organization, because links belong to users. */
export class PasswordResetsRepo extends Context.Service<PasswordResetsRepo>()(
  "invoicing/identity/users/PasswordResetsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = SqlSchema.void({
        Request: Issue,
        execute: ({ hash, is_mailed, user_id }) => sql`
          insert into password_resets (hash, user_id, is_mailed, expires_at)
          values (${hash}, ${user_id}, ${is_mailed}, now() + make_interval(mins => ${reset_minutes}))`
      })
      const isDue = SqlSchema.findOne({
        Request: UserId,
        Result: Schema.Struct({ is_due: Schema.Boolean }),
        execute: (user_id) => sql`
          select count(*) < ${resets_per_hour_max} as is_due from password_resets
          where user_id = ${user_id} and is_mailed and created_at > now() - interval '1 hour'`
      })
      const find = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: Schema.Struct({ user_id: UserId, state: LinkState }),
        execute: (hash) => sql`
          select user_id,
            case when used_at is not null then 'used'
              -- now() of a transaction that waited for another one is before the expiry that the other set.
              when expires_at > clock_timestamp() then 'open'
              when exists (select from password_resets o where o.user_id = l.user_id and o.used_at = l.expires_at)
                then 'replaced'
              else 'expired' end as state
          from password_resets l where hash = ${hash}`
      })
      /** Ends every link of the user, `used` by its use and the others by expiry, so that only one of two links that are used at the same time sets a password. */
      const end = SqlSchema.findAll({
        Request: Schema.Struct({ user_id: UserId, used: Schema.NullOr(Schema.Uint8Array) }),
        Result: Schema.Struct({ hash: Schema.Uint8Array }),
        execute: ({ used, user_id }) => sql`
          update password_resets set
            used_at = case when hash = ${used}::bytea then now() end,
            expires_at = case when hash = ${used}::bytea then expires_at else now() end
          where user_id = ${user_id} and used_at is null and expires_at > now()
          returning hash`
      })

      return traced("PasswordResetsRepo", { insert, isDue, find, end })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
