import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { scopesKnown } from "../../../src/identity/Scope.ts"
import { hashToken } from "../../../src/platform/crypto/Opaque.ts"
import type { Role } from "../../../src/kernel/Role.ts"
import type { Endpoint } from "../Endpoints.ts"
import { holders } from "./Permissions.ts"

export interface Caller {
  /** Kind of the token; `garbage` is a token that was never issued. */
  readonly kind: "personal" | "access" | "organization" | "refresh" | "garbage" | "none"
  readonly life: "live" | "expired" | "revoked"
  readonly scopes: ReadonlyArray<string>
  /** The place in which the request names the organization. With `other`, header and token name two different ones. */
  readonly names: "header" | "token" | "both" | "nothing" | "malformed" | "other"
  /** Null for an organization's own token, which has all permissions. */
  readonly role: Role | null
  /** Standing of the user in the organization, or of the organization itself. */
  readonly standing: "active" | "invited" | "stranger" | "archived"
}

export const owner: Caller = {
  kind: "personal",
  life: "live",
  scopes: ["*"],
  names: "header",
  role: "owner",
  standing: "active"
}

/** Ids of organizations: the requested one, the one that another token is bound to, and an archived one. */
export interface Places {
  readonly ours: number
  readonly other: number
  readonly archived: number
}

export const placeOf = (places: Places, { standing }: Caller) =>
  standing === "archived" ? places.archived : places.ours

/** Creates a user, a membership and a token for each caller; the tokens are in the order of the callers. */
export const seedCallers = Effect.fn("seedCallers")(function* (callers: ReadonlyArray<Caller>, places: Places) {
  const sql = yield* SqlClient.SqlClient
  const client_id = "7d0a2a8e-3d5b-4b52-9f43-0d9a3c1c2b11"
  yield* sql`insert into clients (id, name, first_party, redirect_uris, scopes)
             values (${client_id}, 'Sweep', true, '{}', '{"*"}')`
  const tokens = callers.map((_, index) => `sweep_${index}`)
  const given = callers.map((caller, index) => {
    const { kind, life, names, role, scopes, standing } = caller
    const isBound = kind === "organization" || ["token", "both", "malformed", "other"].includes(names)
    const place = placeOf(places, caller)
    return {
      email: `caller${index}@example.com`,
      hash: Buffer.from(hashToken(tokens[index] ?? "")).toString("hex"),
      kind,
      life,
      scopes,
      role,
      place,
      status: standing === "archived" ? "active" : standing,
      bound: isBound ? (names === "other" ? places.other : place) : null
    }
  })
  yield* sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (email text, hash text, kind text, life text,
        scopes text[], role text, place integer, status text, bound integer)
      where kind not in ('garbage', 'none')),
    people as (insert into users (name, email) select 'Caller', email from given where role is not null returning id, email),
    joined as (
      insert into members (organization_id, user_id, role, status)
      select place, id, role, status from given join people using (email) where status in ('active', 'invited')),
    families as (
      insert into token_families (user_id, client_id, expires_at)
      select id, ${client_id}, 'infinity' from given join people using (email) where kind in ('access', 'refresh')
      returning id, user_id)
    insert into tokens (kind, hash, user_id, client_id, family_id, organization_id, scopes, expires_at, revoked_at)
    select kind, decode(hash, 'hex'), people.id, case when families.id is not null then ${client_id}::uuid end,
      families.id, bound, scopes, case life when 'expired' then now() - interval '1 second' end,
      case life when 'revoked' then now() end
    from given left join people using (email) left join families on families.user_id = people.id`
  return tokens
})

/**
 * Lists of scopes to try: the required scopes, none, all, all except a required one, and each single scope of the same
 * areas (such as `invoices`).
 */
export const scopesFor = ({ scopes }: Endpoint): ReadonlyArray<ReadonlyArray<string>> => {
  const areas = scopes.map((scope) => scope.split(/[:.]/)[0])
  const neighbours = scopesKnown.filter((known) => areas.includes(known.split(/[:.]/)[0]))
  const alone = neighbours.filter((known) => scopes.length !== 1 || known !== scopes[0]).map((known) => [known])
  return [scopes, [], ["*"], ...scopes.map((scope) => scopesKnown.filter((known) => known !== scope)), ...alone]
}

interface Refusal {
  readonly status: number
  readonly code: string
  /** The scope or permission that the caller lacks. */
  readonly required?: string
}

/** Returns the refusal that the contract prescribes; undefined if the caller is admitted. */
export const refusalOf = (endpoint: Endpoint, caller: Caller): Refusal | undefined => {
  const refusal = refusalAtTheDoor(endpoint, caller)
  if (refusal !== undefined || caller.kind !== "organization") return refusal
  // An organization's token has no user to describe and no login to end.
  if (endpoint.name === "session.user") return unauthenticated
  return endpoint.name.startsWith("session.") ? { status: 400, code: "invalid_token_type" } : undefined
}

/** Returns the refusal that is decided before the endpoint runs; undefined if there is none. */
export const refusalAtTheDoor = (endpoint: Endpoint, caller: Caller): Refusal | undefined => {
  const { kind, life, names, role, scopes, standing } = caller
  if (life !== "live" || !["personal", "access", "organization"].includes(kind)) return unauthenticated
  const isIn = names !== "other" && (kind === "organization" || standing === "active" || standing === "archived")
  if (endpoint.caller === "member" && endpoint.inPath && !isIn) return { status: 404, code: "not_found" }
  if (endpoint.caller === "member" && !endpoint.inPath) {
    if (names === "malformed" || names === "nothing") return { status: 400, code: "organization_required" }
    if (!isIn) return { status: 403, code: "organization_forbidden" }
  }
  const scope = endpoint.scopes.find((asked) => !scopes.includes("*") && !scopes.includes(asked))
  if (scope !== undefined) return { status: 403, code: "missing_scope", required: scope }
  for (const permission of endpoint.permissions) {
    const isHeld = role === null || holders(permission).includes(role)
    if (!isHeld) return { status: 403, code: "forbidden", required: permission }
    const changes = !/\.(view|export)$/.test(permission)
    if (standing === "archived" && changes) return { status: 403, code: "organization_archived" }
  }
  return undefined
}

const unauthenticated = { status: 401, code: "unauthenticated" }
