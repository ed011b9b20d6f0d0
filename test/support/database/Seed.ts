import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken, newToken } from "../../../src/platform/crypto/Opaque.ts"
import type { Role } from "../../../src/kernel/Role.ts"

export interface SeedOptions {
  readonly name?: string
  readonly country?: string
  readonly currency?: string
  readonly timezone?: string
  readonly plan?: string
  readonly settings?: Record<string, unknown>
  /** Percentages of the default tax rates; empty for an organization without any. */
  readonly rates?: ReadonlyArray<number>
}

export interface SeededOrganization {
  readonly id: number
  readonly owner: SeededUser
  readonly tax_rate_ids: ReadonlyArray<number>
}

export interface SeededUser {
  readonly id: number
  readonly email: string
  readonly token: string
}

let users = 0

/** Creates a member with a personal access token; `scopes` restricts the token. */
export const seedMember = Effect.fn("seedMember")(function* (
  organization_id: number | undefined,
  role: Role,
  scopes: ReadonlyArray<string> = ["*"]
) {
  const sql = yield* SqlClient.SqlClient
  const email = `person${++users}@example.com`
  const [user] = yield* sql<{ id: number }>`
    insert into users (name, email, primary_organization_id)
    values (${`Person ${users}`}, ${email}, ${organization_id ?? null}) returning id`
  const id = user?.id ?? 0
  if (organization_id !== undefined) {
    yield* sql`insert into members (organization_id, user_id, role, status)
               values (${organization_id}, ${id}, ${role}, 'active')`
  }
  return { id, email, token: yield* seedToken(id, scopes) }
})

interface TokenOwner {
  readonly kind: "personal" | "organization"
  readonly user_id?: number
  readonly organization_id?: number
}

const insertToken = Effect.fnUntraced(function* (prefix: string, owner: TokenOwner, scopes: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const token = yield* newToken(prefix)
  const list = `{${scopes.map((scope) => `"${scope}"`).join(",")}}`
  yield* sql`insert into tokens ${sql.insert({ ...owner, hash: hashToken(token), name: "test", scopes: list })}`
  return token
})

export const seedToken = (user_id: number, scopes: ReadonlyArray<string>) =>
  insertToken("pat", { kind: "personal", user_id }, scopes)

export const seedOrganizationToken = (organization_id: number, scopes: ReadonlyArray<string> = ["*"]) =>
  insertToken("org", { kind: "organization", organization_id }, scopes)

export const seedOrganization = Effect.fn("seedOrganization")(function* (options: SeedOptions) {
  const sql = yield* SqlClient.SqlClient
  const name = options.name ?? "Acme"
  const [organization] = yield* sql<{ id: number }>`
    insert into organizations (name, country, currency, timezone, plan, language, settings, search)
    values (${name}, ${options.country ?? "BE"}, ${options.currency ?? "EUR"}, ${options.timezone ?? "Europe/Brussels"},
      ${options.plan ?? "standard"}, 'en', ${JSON.stringify(options.settings ?? {})}::jsonb, ${name.toLowerCase()})
    returning id`
  const id = organization?.id ?? 0
  yield* sql`insert into journals (organization_id) values (${id})`
  const owner = yield* seedMember(id, "owner")
  const tax_rate_ids: Array<number> = []
  for (const rate of options.rates ?? [21]) {
    const [row] = yield* sql<{ id: number }>`
      insert into tax_rates (organization_id, name, rate, category, is_default)
      values (${id}, ${`VAT ${rate}%`}, ${rate}, ${rate === 0 ? "Z" : "S"}, ${tax_rate_ids.length === 0}) returning id`
    tax_rate_ids.push(row?.id ?? 0)
  }
  return { id, owner, tax_rate_ids } satisfies SeededOrganization
})
