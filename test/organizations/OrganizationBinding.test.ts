import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { OrganizationBinding } from "../../src/identity/OrganizationBinding.ts"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import { OrganizationBindingLive } from "../../src/organizations/OrganizationBindingLive.ts"
import { useApp } from "../support/App.ts"
import { seedMember } from "../support/Seed.ts"

const app = useApp()

const ask = <A>(use: (binding: OrganizationBinding["Service"]) => Effect.Effect<A>) =>
  app.run(Effect.flatMap(OrganizationBinding, use).pipe(Effect.provide(OrganizationBindingLive)))
const primaryOf = async (id: number) => Option.getOrNull(await ask((binding) => binding.primaryOf(UserId.make(id))))
const query = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement))

describe("The organization to which a user's token is bound", () => {
  it("is the primary one while the user is a member, then the one joined first, then none", async () => {
    const [first, second, third] = [await app.organization(), await app.organization(), await app.organization()]
    const { id } = await app.run(seedMember(undefined, "viewer"))
    const join = (organization: number, joined_at: string) =>
      query(
        (sql) => sql`insert into members (organization_id, user_id, role, status, joined_at)
                     values (${organization}, ${id}, 'viewer', 'active', ${joined_at}::timestamptz)`
      )
    const leave = (organization: number) =>
      query((sql) => sql`delete from members where organization_id = ${organization} and user_id = ${id}`)

    expect(await primaryOf(id)).toBeNull()
    await join(third.id, "2026-01-03")
    await join(first.id, "2026-01-02")
    await join(second.id, "2026-01-01")
    await query((sql) => sql`update users set primary_organization_id = ${third.id} where id = ${id}`)
    expect(await primaryOf(id)).toBe(third.id)
    await leave(third.id)
    expect(await primaryOf(id)).toBe(second.id)
    const memberships = await ask((binding) => binding.membershipsOf(UserId.make(id)))
    expect(memberships.map((membership) => membership.id)).toEqual([second.id, first.id])
  })

  it("is never one to which the user is only invited", async () => {
    const organization = await app.organization()
    const { id } = await app.run(seedMember(organization.id, "viewer"))
    const isMember = () => ask((binding) => binding.isMember(UserId.make(id), OrganizationId.make(organization.id)))
    expect(await isMember()).toBe(true)
    await query((sql) => sql`update members set status = 'invited' where user_id = ${id}`)
    expect(await isMember()).toBe(false)
    expect(await primaryOf(id)).toBeNull()
  })
})
