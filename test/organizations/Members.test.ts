import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import type { Role } from "../../src/kernel/Role.ts"
import { Members } from "../../src/organizations/members/Members.ts"
import { useApp } from "../support/App.ts"
import { runs } from "../support/service/Runs.ts"
import {
  seedMember,
  seedOrganizationToken,
  type SeededOrganization,
  type SeededUser
} from "../support/database/Seed.ts"

const app = useApp()
const roles: ReadonlyArray<Role> = ["owner", "admin", "accountant", "member", "viewer"]

const users = (id: number) => `/api/v1/organizations/${id}/users`
const setRole = (id: number, user: number, role: string, token: string) =>
  app.call("PUT", `${users(id)}/${user}`, { token, body: { role } })
const remove = (id: number, user: number, token: string) => app.call("DELETE", `${users(id)}/${user}`, { token })
const join = (id: number, role: Role) => app.run(seedMember(id, role))

const members = async ({ id, owner }: SeededOrganization): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await app.call("GET", `${users(id)}?per_page=100`, { token: owner.token })).body.data
const roleOf = async (organization: SeededOrganization, { id }: SeededUser) =>
  (await members(organization)).find((member) => member["id"] === id)?.["role"]

const ownersOf = (id: number) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`select user_id from members where organization_id = ${id} and role = 'owner'`
    )
  )
const lastEntry = async (id: number) => {
  const [row] = await app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ canonical: string }>`
        select canonical from audit_entries where organization_id = ${id} order by seq desc limit 1`
    )
  )
  return JSON.parse(row?.canonical ?? "null")
}

describe("Access to an organization and its members", () => {
  const attempts: Record<string, (organization: SeededOrganization, token: string) => Promise<{ status: number }>> = {
    "list organizations": (_, token) => app.call("GET", "/api/v1/organizations", { token }),
    "get the organization": ({ id }, token) => app.call("GET", `/api/v1/organizations/${id}`, { token }),
    "get its statistics": ({ id }, token) => app.call("GET", `/api/v1/organizations/${id}/statistics`, { token }),
    "list its users": ({ id }, token) => app.call("GET", users(id), { token }),
    "update it": ({ id }, token) => app.call("PUT", `/api/v1/organizations/${id}`, { token, body: { city: "Gent" } }),
    "invite a member": ({ id }, token) =>
      app.call("POST", `${users(id)}/invite`, { token, body: { email: "new@example.com", role: "member" } }),
    "invite an owner": ({ id }, token) =>
      app.call("POST", `${users(id)}/invite`, { token, body: { email: "boss@example.com", role: "owner" } }),
    "change a role": async ({ id }, token) => setRole(id, (await join(id, "viewer")).id, "member", token),
    "make an owner": async ({ id }, token) => setRole(id, (await join(id, "viewer")).id, "owner", token),
    "demote an owner": async ({ id }, token) => setRole(id, (await join(id, "owner")).id, "viewer", token),
    "remove a member": async ({ id }, token) => remove(id, (await join(id, "viewer")).id, token),
    "remove an owner": async ({ id }, token) => remove(id, (await join(id, "owner")).id, token)
  }
  const all = { owner: 200, admin: 200, accountant: 200, member: 200, viewer: 200 }
  const admins = { owner: 200, admin: 200, accountant: 403, member: 403, viewer: 403 }
  const owners = { owner: 200, admin: 403, accountant: 403, member: 403, viewer: 403 }
  const expected: Record<string, Record<Role, number>> = {
    "list organizations": all,
    "get the organization": all,
    "get its statistics": all,
    "list its users": all,
    "update it": admins,
    "invite a member": { ...admins, owner: 201, admin: 201 },
    "invite an owner": { ...owners, owner: 201 },
    "change a role": admins,
    "make an owner": owners,
    "demote an owner": owners,
    "remove a member": admins,
    "remove an owner": owners
  }

  it.each(roles)("follows the table of permissions for the role %s", async (role) => {
    const answers: Record<string, number> = {}
    for (const [name, attempt] of Object.entries(attempts)) {
      const organization = await app.organization()
      const caller = await join(organization.id, role)
      answers[name] = (await attempt(organization, caller.token)).status
    }
    expect(answers).toEqual(Object.fromEntries(Object.keys(attempts).map((name) => [name, expected[name]?.[role]])))
  })

  it("answers 404 on every endpoint of an organization to outsiders", async () => {
    const { token } = (await app.organization()).owner
    const { "list organizations": _, ...inside } = attempts
    for (const [name, attempt] of Object.entries(inside)) {
      const organization = await app.organization()
      expect([name, (await attempt(organization, token)).status]).toEqual([name, 404])
      expect(await roleOf(organization, organization.owner)).toBe("owner")
    }
  })

  it("answers 404 to an invited person, who is not a member yet", async () => {
    const organization = await app.organization()
    const person = await join(organization.id, "admin")
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update members set status = 'invited' where user_id = ${person.id}`
      )
    )
    expect((await app.call("GET", users(organization.id), { token: person.token })).status).toBe(404)
  })

  it("answers 403 to a token without the scope, whatever the role", async () => {
    const organization = await app.organization()
    const { token } = await app.run(seedMember(organization.id, "owner", ["organizations:read"]))
    const { body, status } = await setRole(organization.id, organization.owner.id, "viewer", token)
    expect(status).toBe(403)
    expect(body.required_scope).toBe("organizations:users")
  })

  it("lets an organization API token manage members but never owners", async () => {
    const organization = await app.organization()
    const token = await app.run(seedOrganizationToken(organization.id))
    const person = await join(organization.id, "viewer")
    expect((await setRole(organization.id, person.id, "member", token)).status).toBe(200)
    expect((await setRole(organization.id, person.id, "owner", token)).status).toBe(403)
  })
})

describe("GET /api/v1/organizations/{id}/users", () => {
  it("answers each member with name, address, role and status, newest first and in pages", async () => {
    const organization = await app.organization()
    const person = await join(organization.id, "accountant")
    const { body } = await app.call("GET", `${users(organization.id)}?per_page=1`, { token: person.token })
    expect(body.data).toEqual([
      {
        id: person.id,
        name: expect.stringMatching(/^Person/),
        email: person.email,
        role: "accountant",
        status: "active",
        joined_at: null,
        created_at: expect.stringMatching(/Z$/)
      }
    ])
    expect(body.meta).toMatchObject({ total: 2, last_page: 2 })
  })
})

describe("PUT /api/v1/organizations/{id}/users/{userId}", () => {
  it("answers 200 with the member, and the new role applies from the next request on", async () => {
    const organization = await app.organization()
    const person = await join(organization.id, "viewer")
    const before = await app.call("PUT", `/api/v1/organizations/${organization.id}`, { token: person.token, body: {} })
    expect(before.status).toBe(403)
    const { body, status } = await setRole(organization.id, person.id, "admin", organization.owner.token)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: person.id, role: "admin", status: "active" })
    const after = await app.call("PUT", `/api/v1/organizations/${organization.id}`, { token: person.token, body: {} })
    expect(after.status).toBe(200)
  })

  it("leaves an audit entry with both roles", async () => {
    const organization = await app.organization()
    const person = await join(organization.id, "viewer")
    await setRole(organization.id, person.id, "member", organization.owner.token)
    expect(await lastEntry(organization.id)).toMatchObject({
      action: "member.role_changed",
      actor: `user:${organization.owner.id}`,
      data: { user_id: person.id, role: "member", previous: "viewer" }
    })
  })

  it.each(["king", "", 5, null])("answers 422 for the role %j and changes nothing", async (role) => {
    const organization = await app.organization()
    const { owner, id } = organization
    const { body, status } = await app.call("PUT", `${users(id)}/${owner.id}`, { token: owner.token, body: { role } })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(["role"])
    expect(await roleOf(organization, owner)).toBe("owner")
  })

  it("answers 404 for a user who is not a member", async () => {
    const { id, owner } = await app.organization()
    const stranger = (await app.organization()).owner
    expect((await setRole(id, stranger.id, "viewer", owner.token)).status).toBe(404)
    expect((await setRole(id, 999_999, "viewer", owner.token)).status).toBe(404)
  })

  it("answers 400 last_owner for the only owner, who stays owner", async () => {
    const organization = await app.organization()
    const { id, owner } = organization
    const { body, status } = await setRole(id, owner.id, "admin", owner.token)
    expect([status, body.code]).toEqual([400, "last_owner"])
    expect(await roleOf(organization, owner)).toBe("owner")
  })

  it("answers 403 to an admin who demotes the only owner, because the permission is checked first", async () => {
    const organization = await app.organization()
    const admin = await join(organization.id, "admin")
    const { body, status } = await setRole(organization.id, organization.owner.id, "viewer", admin.token)
    expect([status, body.code, body.required_role]).toEqual([403, "forbidden", "owner"])
    expect(await roleOf(organization, organization.owner)).toBe("owner")
  })
})

describe("DELETE /api/v1/organizations/{id}/users/{userId}", () => {
  it("answers 200 and revokes access with the next request, but keeps the token valid elsewhere", async () => {
    const organization = await app.organization()
    const person = await join(organization.id, "viewer")
    const { body, status } = await remove(organization.id, person.id, organization.owner.token)
    expect([status, body]).toEqual([200, { success: true, data: { id: person.id } }])
    expect((await app.call("GET", users(organization.id), { token: person.token })).status).toBe(404)
    expect((await app.call("GET", "/api/v1/organizations", { token: person.token })).body.data).toEqual([])
    expect(await lastEntry(organization.id)).toMatchObject({ action: "member.removed", data: { user_id: person.id } })
  })

  it("answers 404 the second time", async () => {
    const { id, owner } = await app.organization()
    const person = await join(id, "viewer")
    await remove(id, person.id, owner.token)
    expect((await remove(id, person.id, owner.token)).status).toBe(404)
  })

  it("answers 400 cannot_remove_self, even if another owner remains", async () => {
    const organization = await app.organization()
    const { id, owner } = organization
    await join(id, "owner")
    const { body, status } = await remove(id, owner.id, owner.token)
    expect([status, body.code]).toEqual([400, "cannot_remove_self"])
    expect(await roleOf(organization, owner)).toBe("owner")
  })

  it("answers 400 last_owner when an admin removes the only owner", async () => {
    const organization = await app.organization()
    const admin = await join(organization.id, "admin")
    const { body, status } = await remove(organization.id, organization.owner.id, admin.token)
    expect([status, body.code]).toEqual([400, "last_owner"])
    expect(await roleOf(organization, organization.owner)).toBe("owner")
  })
})

describe("A person who is only invited as an owner", () => {
  it("does not count as an owner: the only owner stays, and an admin cannot change the invitation", async () => {
    const organization = await app.organization()
    const { id, owner } = organization
    const admin = await join(id, "admin")
    const invite = (token: string, role: string) =>
      app.call("POST", `${users(id)}/invite`, { token, body: { email: "heir@example.org", role } })
    expect((await invite(owner.token, "owner")).status).toBe(201)
    const before = await members(organization)
    const left = await setRole(id, owner.id, "admin", owner.token)
    expect([left.status, left.body.code]).toEqual([400, "last_owner"])
    expect((await invite(admin.token, "viewer")).status).toBe(403)
    expect(await members(organization)).toEqual(before)
  })
})

describe("Two owners who act against each other concurrently", () => {
  const rounds = runs(8)

  it("leave one owner when they remove each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, owner } = await app.organization()
      const other = await join(id, "owner")
      const answers = await Promise.all([remove(id, other.id, owner.token), remove(id, owner.id, other.token)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await ownersOf(id)).toHaveLength(1)
    }
  })

  it("leave one owner when they demote each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, owner } = await app.organization()
      const other = await join(id, "owner")
      const answers = await Promise.all([
        setRole(id, other.id, "viewer", owner.token),
        setRole(id, owner.id, "viewer", other.token)
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await ownersOf(id)).toHaveLength(1)
    }
  })
})

describe("Members.add", () => {
  it("makes a user an active member at once, and only once", async () => {
    const { id } = await app.organization()
    const person = await app.run(seedMember(undefined, "member"))
    const add = Effect.flatMap(Members, (service) =>
      service.add({ organization_id: OrganizationId.make(id), user_id: UserId.make(person.id), role: "admin" }, "admin")
    ).pipe(Effect.provide(Members.layer))
    expect(await app.run(add)).toMatchObject({ id: person.id, role: "admin", status: "active" })
    expect((await app.call("GET", users(id), { token: person.token })).status).toBe(200)
    expect(await app.run(Effect.flip(add))).toMatchObject({ code: "already_member" })
  })
})
