import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { TimeZone } from "../kernel/Calendar.ts"
import { CountryCode } from "../kernel/Country.ts"
import { CurrencyCode } from "../kernel/Currency.ts"
import { ClientId, OrganizationId, TokenId, UserId } from "../kernel/Ids.ts"
import { OrganizationSettings } from "../kernel/OrganizationSettings.ts"
import { Role } from "../kernel/Role.ts"

const Request = Schema.Struct({
  hash: Schema.NullOr(Schema.Uint8Array),
  address: Schema.String,
  organization_id: Schema.NullOr(Schema.Int)
})

const Found = Schema.Struct({
  used: Schema.Int,
  reset_seconds: Schema.Int,
  token_id: Schema.NullOr(TokenId),
  kind: Schema.NullOr(Schema.Literals(["access", "personal", "organization"])),
  user_id: Schema.NullOr(UserId),
  client_id: Schema.NullOr(ClientId),
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  bound_organization_id: Schema.NullOr(OrganizationId),
  id: Schema.NullOr(OrganizationId),
  name: Schema.NullOr(Schema.String),
  country: Schema.NullOr(CountryCode),
  currency: Schema.NullOr(CurrencyCode),
  timezone: Schema.NullOr(TimeZone),
  language: Schema.NullOr(Schema.String),
  settings: Schema.NullOr(OrganizationSettings),
  currency_in_use: Schema.NullOr(Schema.Boolean),
  archived: Schema.NullOr(Schema.Boolean),
  role: Schema.NullOr(Role)
})
export type Found = typeof Found.Type

/** The one statement of the edge. It counts the request and reads whatever decides whether it may go on. */
export class GateRepo extends Context.Service<GateRepo>()("invoicing/organizations/GateRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const admit = SqlSchema.findOne({
      Request,
      Result: Found,
      // A fixed window of one minute per user, organization token or, without a credential, per address.
      execute: ({ address, hash, organization_id }) => sql`
        with credential as (select * from credentials where hash = ${hash}),
        counted as (
          insert into rate_windows as w (key, started_at, used)
          select coalesce((select coalesce('user:' || user_id, 'token:' || token_id) from credential), ${`ip:${address}`}), now(), 1
          on conflict (key) do update set
            used = case when w.started_at <= now() - interval '1 minute' then 1 else w.used + 1 end,
            started_at = case when w.started_at <= now() - interval '1 minute' then now() else w.started_at end
          returning used, ceil(extract(epoch from started_at + interval '1 minute' - now()))::integer as reset_seconds)
        select counted.used, counted.reset_seconds,
          c.token_id, c.kind, c.user_id, c.client_id, c.scopes, c.organization_id as bound_organization_id,
          o.id, o.name, o.country, o.currency, o.timezone, o.language, o.settings, o.currency_in_use,
          o.archived_at is not null as archived, m.role
        from counted
        left join credential c on true
        left join members m on m.user_id = c.user_id and m.status = 'active'
          and m.organization_id = coalesce(${organization_id}::integer, c.organization_id)
        left join organizations o on o.id = coalesce(${organization_id}::integer, c.organization_id)
          and (m.user_id is not null or (c.kind = 'organization' and c.organization_id = o.id))
          and (c.organization_id is null or c.organization_id = o.id)`
    })
    return { admit: (request: typeof Request.Type) => admit(request).pipe(Effect.orDie) }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
