import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { purged_rows_max } from "../platform/sql/statements/Purge.ts"

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

    const accessTokens = sql`
      delete from tokens where id in (
        select id from tokens
        where kind <> 'refresh' and least(expires_at, revoked_at) < ${expired}
          and (kind = 'access' or least(expires_at, revoked_at) < ${ended})
        limit ${purged_rows_max} for update skip locked)
      returning id`
    const familyTokens = sql`
      delete from tokens where id in (
        select id from tokens where family_id in (${endedFamilies})
        limit ${purged_rows_max} for update skip locked)
      returning id`
    const familyCodes = sql`
      delete from authorization_codes where hash in (
        select hash from authorization_codes where family_id in (${endedFamilies})
        limit ${purged_rows_max} for update skip locked)
      returning user_id`
    const families = sql`
      delete from token_families where id in (
        select id from token_families f where least(expires_at, revoked_at) < ${ended}
          and not exists (select from tokens where family_id = f.id)
          and not exists (select from authorization_codes where family_id = f.id)
        limit ${purged_rows_max} for update skip locked)
      returning id`
    const unusedCodes = sql`
      delete from authorization_codes where hash in (
        select hash from authorization_codes where family_id is null and expires_at < ${expired}
        limit ${purged_rows_max} for update skip locked)
      returning user_id`
    const sessions = sql`
      delete from sessions where id in (
        select id from sessions where least(expires_at, revoked_at) < ${ended}
        limit ${purged_rows_max} for update skip locked)
      returning id`
    const devices = sql`
      delete from login_devices where hash in (
        select hash from login_devices where expires_at < now()
        limit ${purged_rows_max} for update skip locked)
      returning user_id`
    const passwordResets = sql`
      delete from password_resets where hash in (
        select hash from password_resets where expires_at < ${ended}
        limit ${purged_rows_max} for update skip locked)
      returning user_id`
    const emailChanges = sql`
      delete from email_changes where hash in (
        select hash from email_changes where expires_at < ${ended}
        limit ${purged_rows_max} for update skip locked)
      returning user_id`
    const loginFailures = sql`
      delete from login_failures where key in (
        select key from login_failures
        where updated_at < ${expired} and blocked_until < now()
        limit ${purged_rows_max} for update skip locked)
      returning 1`

    return {
      accessTokens: Effect.orDie(accessTokens),
      familyTokens: Effect.orDie(familyTokens),
      familyCodes: Effect.orDie(familyCodes),
      families: Effect.orDie(families),
      unusedCodes: Effect.orDie(unusedCodes),
      sessions: Effect.orDie(sessions),
      devices: Effect.orDie(devices),
      passwordResets: Effect.orDie(passwordResets),
      emailChanges: Effect.orDie(emailChanges),
      loginFailures: Effect.orDie(loginFailures)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
