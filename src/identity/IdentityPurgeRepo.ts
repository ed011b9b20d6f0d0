import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { purge } from "../platform/sql/statements/Purge.ts"

/** Days for which an ended credential is kept, so that incidents can be investigated. */
const ended_kept_days = 30
/** Hours for which unused codes and ended access tokens are kept, because a request in progress may still use them. */
const expired_kept_hours = 24

/**
 * A token family (all tokens of one login) is removed as a whole, long after it ended: until then, its rotated refresh
 * tokens and its code serve to recognise a second use (rules/authentication.md, Tokens).
 */
export class IdentityPurgeRepo extends Context.Service<IdentityPurgeRepo>()("invoicing/identity/IdentityPurgeRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ended = sql`now() - make_interval(days => ${ended_kept_days})`
    const expired = sql`now() - make_interval(hours => ${expired_kept_hours})`
    const endedFamilies = sql`select id from token_families where least(expires_at, revoked_at) < ${ended}`

    return {
      access_tokens: purge(
        sql,
        "tokens",
        "id",
        sql`kind <> 'refresh' and least(expires_at, revoked_at) < ${expired}
          and (kind = 'access' or least(expires_at, revoked_at) < ${ended})`
      ),
      family_tokens: purge(sql, "tokens", "id", sql`family_id in (${endedFamilies})`),
      family_codes: purge(sql, "authorization_codes", "hash", sql`family_id in (${endedFamilies})`),
      families: purge(
        sql,
        "token_families",
        "id",
        sql`least(expires_at, revoked_at) < ${ended}
          and not exists (select from tokens where family_id = token_families.id)
          and not exists (select from authorization_codes where family_id = token_families.id)`
      ),
      unused_codes: purge(sql, "authorization_codes", "hash", sql`family_id is null and expires_at < ${expired}`),
      sessions: purge(sql, "sessions", "id", sql`least(expires_at, revoked_at) < ${ended}`),
      devices: purge(sql, "login_devices", "hash", sql`expires_at < now()`),
      password_resets: purge(sql, "password_resets", "hash", sql`expires_at < ${ended}`),
      email_changes: purge(sql, "email_changes", "hash", sql`expires_at < ${ended}`),
      login_failures: purge(sql, "login_failures", "key", sql`updated_at < ${expired} and blocked_until < now()`)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
