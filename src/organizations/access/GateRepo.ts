import { Context, Effect, Exit, Layer, Request, RequestResolver } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { ActiveOrganization, Principal } from "../../platform/http/Security.ts"
import { EdgeSql } from "../../platform/sql/Database.ts"
import { bigints } from "../../platform/sql/statements/Columns.ts"

interface Credential extends Omit<Principal, "scopes" | "actor"> {
  readonly scopes: ReadonlyArray<string>
}

interface Membership extends Omit<ActiveOrganization, "settings"> {
  /** JSON text, which is decoded once per distinct value instead of once per request. */
  readonly settings: string
}

interface Asked {
  readonly hash: Uint8Array | null
  readonly address: string
  readonly organization_id: number | null
}

type Absent<Fields> = { readonly [Key in keyof Fields]: null }

/** The columns of the credential are all present or all null, and so are those of the membership. */
export type Found = { readonly used: number; readonly reset_seconds: number } & (Credential | Absent<Credential>) &
  (Membership | Absent<Membership>)

interface Shape {
  readonly from: Fragment
  readonly counted: Fragment
  readonly used: Fragment
  readonly ordered: Fragment
}

class Admit extends Request.Class<Asked, Found> {}

const requests_per_statement_max = 64

/** Values that match no row, in place of null: PostgreSQL could not tell the type of an array of nulls. */
const no_hash = new Uint8Array()
const no_organization = 0

/**
 * Counts a request, and reads the credential, the membership and the organization, which decide whether the request may
 * proceed. Requests that arrive in the same turn of the event loop share one SQL statement, because a statement for
 * four requests costs little more than a statement for one.
 */
export class GateRepo extends Context.Service<GateRepo>()("invoicing/organizations/access/GateRepo", {
  make: Effect.gen(function* () {
    const sql = yield* EdgeSql
    // Requests are counted per minute for each user or organization token, and without a credential for each address.
    // The counters are locked in the order of their keys, so that statements cannot deadlock.
    // Boundary: the columns of `Found` were written through schemas. A schema does not decode them again, because this
    // statement runs on every request.
    const admitting = ({ counted, from, ordered, used }: Shape) => sql<Found>`
      with asked as (
        select a.place, coalesce('user:' || c.user_id, 'token:' || c.token_id, 'ip:' || a.address) as key,
          coalesce(nullif(a.organization_id, ${no_organization}), c.organization_id) as named_id,
          c.token_id, c.kind, c.user_id, c.client_id, c.scopes, c.organization_id as bound_organization_id
        from ${from} left join credentials c on c.hash = a.hash),
      counted as (
        insert into rate_windows as w (key, started_at, used)
        select key, now(), ${counted}
        on conflict (key) do update set
          used = case when w.started_at <= now() - interval '1 minute' then 0 else w.used end + excluded.used,
          started_at = case when w.started_at <= now() - interval '1 minute' then now() else w.started_at end
        returning key, used, ceil(extract(epoch from started_at + interval '1 minute' - now()))::integer as reset_seconds)
      select ${used} as used, counted.reset_seconds,
        a.token_id, a.kind, a.user_id, a.client_id, a.scopes, a.bound_organization_id,
        o.id, o.name, o.country, o.currency, o.timezone, o.language,
        (o.settings - 'mail_texts')::text as settings, o.currency_in_use, o.plan,
        o.archived_at is not null as archived, m.role
      from asked a
      join counted using (key)
      left join members m on m.user_id = a.user_id and m.status = 'active' and m.organization_id = a.named_id
      left join organizations o on o.id = a.named_id
        and (m.user_id is not null or (a.kind = 'organization' and a.bound_organization_id = o.id))
        and (a.bound_organization_id is null or a.bound_organization_id = o.id)
      ${ordered}`

    const single = {
      counted: sql.literal("1 from asked"),
      used: sql.literal("counted.used"),
      ordered: sql.literal("")
    }
    const uncounted = { ...single, counted: sql.literal("0 from asked") }
    const several = {
      counted: sql.literal("count(*) from asked group by key order by key"),
      used: sql.literal("(counted.used + 1 - count(*) over (partition by key order by a.place desc))::integer"),
      ordered: sql.literal("order by a.place")
    }

    const admitOne = ({ address, hash, organization_id }: Asked, shape = single) => {
      const from = sql`(select ${hash ?? no_hash}::bytea as hash, ${address}::text as address,
        ${organization_id ?? no_organization}::bigint as organization_id, 1 as place) a`
      return admitting({ ...shape, from })
    }

    const admitAll = (asked: ReadonlyArray<Asked>) => {
      const from = sql`unnest(${asked.map(({ hash }) => hash ?? no_hash)}::bytea[],
        ${asked.map(({ address }) => address)}::text[],
        ${bigints(asked.map(({ organization_id }) => organization_id ?? no_organization))}::bigint[])
        with ordinality as a (hash, address, organization_id, place)`
      return admitting({ ...several, from })
    }

    const admissions = RequestResolver.make<Admit>(
      Effect.fnUntraced(function* (entries) {
        const asked = entries.map(({ request }) => request)
        const [first] = asked
        // The statement for a single request omits sorting and grouping, which are a third of the cost.
        const rows = yield* Effect.orDie(first === undefined || asked.length > 1 ? admitAll(asked) : admitOne(first))
        // The statement returns one row per request, in the order of the requests.
        rows.forEach((found, index) => entries[index]?.completeUnsafe(Exit.succeed(found)))
      })
    ).pipe(RequestResolver.batchN(requests_per_statement_max))

    return {
      admit: (asked: Asked) => Effect.request(new Admit(asked), admissions),
      /** Like `admit`, but does not count the request. */
      readmit: (asked: Asked) =>
        admitOne(asked, uncounted).pipe(
          Effect.flatMap(([found]) => Effect.fromNullishOr(found)),
          Effect.orDie
        )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
