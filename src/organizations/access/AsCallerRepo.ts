import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { StoredScopes } from "../../identity/Scope.ts"
import { TimeZone } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { LoadedSettings } from "../../kernel/OrganizationSettings.ts"
import { Role } from "../../kernel/Role.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Rights = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  country: CountryCode,
  currency: CurrencyCode,
  timezone: TimeZone,
  language: Schema.String,
  settings: LoadedSettings,
  currency_in_use: Schema.Boolean,
  plan: Schema.String,
  archived: Schema.Boolean,
  /** Null when the user is not a member. */
  role: Schema.NullOr(Role),
  /** True if the token is neither revoked nor expired. */
  token_is_live: Schema.Boolean,
  /**
   * The scopes that the client has now. Null if the token of the client or its access to the user was revoked; both may
   * have expired.
   */
  client_scopes: Schema.NullOr(StoredScopes)
})

export class AsCallerRepo extends Context.Service<AsCallerRepo>()("invoicing/organizations/access/AsCallerRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const find = SqlSchema.findOne({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        user_id: Schema.NullOr(UserId),
        client_id: Schema.NullOr(ClientId),
        token_id: TokenId
      }),
      Result: Rights,
      execute: ({ client_id, organization_id, token_id, user_id }) => sql`
        select o.id, o.name, o.country, o.currency, o.timezone, o.language, o.settings - 'mail_texts' as settings,
          o.currency_in_use, o.plan, o.archived_at is not null as archived, m.role,
          exists (select from credentials c where c.token_id = ${token_id}) as token_is_live,
          (select s.scopes from standing_access s where s.user_id = ${user_id} and s.client_id = ${client_id}
            and not exists (select from revoked_tokens t where t.token_id = ${token_id}) limit 1) as client_scopes
        from organizations o
        left join members m on m.organization_id = o.id and m.user_id = ${user_id} and m.status = 'active'
        where o.id = ${organization_id}`
    })
    return traced("AsCallerRepo", { find })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
