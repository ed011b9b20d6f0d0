import { Context, Effect, Layer } from "effect"
import type { ActiveOrganization, Principal } from "../../platform/http/Security.ts"
import { EdgeSql } from "../../platform/sql/Database.ts"

interface Credential extends Omit<Principal, "scopes" | "actor"> {
  readonly scopes: ReadonlyArray<string>
}

interface Membership extends Omit<ActiveOrganization, "settings"> {
  /** JSON text, so that it is decoded once per distinct value and not once per request. */
  readonly settings: string
}

interface Request {
  readonly hash: Uint8Array | null
  readonly address: string
  readonly organization_id: number | null
}

type Absent<Fields> = { readonly [Key in keyof Fields]: null }

/** One row of two outer joins: each half is there as a whole or not at all. */
export type Found = { readonly used: number; readonly reset_seconds: number } & (Credential | Absent<Credential>) &
  (Membership | Absent<Membership>)

/** The one statement of the edge. It counts the request and reads whatever decides whether it may go on. */
export class GateRepo extends Context.Service<GateRepo>()("invoicing/organizations/access/GateRepo", {
  make: Effect.gen(function* () {
    const sql = yield* EdgeSql
    // No result schema: this runs on every request, and the row is made of what other repositories wrote through theirs.
    // A fixed window of one minute per user, organization token or, without a credential, per address.
    const admit = (request: Request) => {
      const { address, hash, organization_id } = request
      return sql<Found>`
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
          o.id, o.name, o.country, o.currency, o.timezone, o.language, o.settings::text, o.currency_in_use,
          o.plan, o.archived_at is not null as archived, m.role
        from counted
        left join credential c on true
        left join members m on m.user_id = c.user_id and m.status = 'active'
          and m.organization_id = coalesce(${organization_id}::integer, c.organization_id)
        left join organizations o on o.id = coalesce(${organization_id}::integer, c.organization_id)
          and (m.user_id is not null or (c.kind = 'organization' and c.organization_id = o.id))
          and (c.organization_id is null or c.organization_id = o.id)`
    }
    return {
      admit: Effect.fnUntraced(function* (request: Request) {
        const [found] = yield* Effect.orDie(admit(request))
        return found ?? (yield* Effect.die("the counter always yields one row"))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
