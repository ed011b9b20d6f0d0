import { describe, expect, it } from "vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { verifiedAuditLog } from "../../../support/AuditLog.ts"
import { seedMember } from "../../../support/database/Seed.ts"
import { usePanel } from "../Panel.ts"

const { app, enter, fill, lastEntry, state } = usePanel()

const setting = async (name: string) => {
  const admin = await enter()
  const organization = await app.organization({ name })
  const member = await app.run(seedMember(organization.id, "member"))
  return { admin, ...organization, member, path: `/admin/organizations/${organization.id}/members` }
}

const roleOf = (organization_id: number, user_id: number) =>
  app.run(
    Effect.map(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ role: string; status: string }>`
          select role, status from members where organization_id = ${organization_id} and user_id = ${user_id}`
      ),
      ([row]) => row
    )
  )

describe("members in the panel", () => {
  it("are listed with their roles", async () => {
    const { admin, member, owner, path } = await setting("Listed")
    const { text } = await admin.get(path)
    for (const email of [member.email, owner.email]) expect(text).toContain(email)
    expect(text).toMatch(/<span class="tag">owner<\/span>/)
  })

  it("are invited by mail, owners too, once", async () => {
    const { admin, id, member, path } = await setting("Inviting")
    const invited = await fill(admin, `${path}/invite`, { email: "new@example.com", role: "owner" })
    expect(invited.location).toBe(`${path}?done=InviteMember`)
    expect(await lastEntry(id)).toMatchObject({
      actor: `user:${admin.user.id}`,
      action: "member.invited",
      data: { role: "owner" }
    })
    expect((await admin.get(path)).text).toMatch(/new@example\.com[^]*<span class="tag">invited<\/span>/)
    const before = await state()
    for (const [fields, sentence] of [
      [{ email: member.email, role: "viewer" }, "This person is already a member of the organization."],
      [{ email: "nobody", role: "viewer" }, "Email address must be a valid email address."],
      [{ email: "b@example.com", role: "emperor" }, "Role must be"]
    ] as const) {
      const refused = await fill(admin, `${path}/invite`, fields)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(sentence)
      expect(refused.text).toContain(`value="${fields.email}"`)
    }
    expect(await state()).toBe(before)
  })

  it("change their role, but the last owner stays an owner", async () => {
    const { admin, id, member, owner, path } = await setting("Roles")
    expect((await fill(admin, `${path}/${member.id}/role`, { role: "owner" })).location).toBe(`${path}?done=SetRole`)
    expect(await lastEntry(id)).toEqual({
      actor: `user:${admin.user.id}`,
      action: "member.role_changed",
      data: { user_id: member.id, role: "owner", previous: "member" }
    })
    expect((await fill(admin, `${path}/${owner.id}/role`, { role: "viewer" })).status).toBe(303)
    const before = await state()
    const refused = await fill(admin, `${path}/${member.id}/role`, { role: "viewer" })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("The organization must have an owner.")
    expect(refused.text).toMatch(/<option value="viewer"\s+selected/)
    expect(await state()).toBe(before)
  })

  it("are removed only after a question, and lose access at once", async () => {
    const { admin, id, member, owner, path } = await setting("Removing")
    const read = () => app.call("GET", "/api/v1/customers", { token: member.token, organization: id })
    expect((await admin.get(`${path}/${member.id}/remove`)).text).toContain("Remove ")
    expect((await read()).status).toBe(200)
    expect((await fill(admin, `${path}/${member.id}/remove`, {})).location).toBe(`${path}?done=RemoveMember`)
    expect((await read()).status).toBe(403)
    expect(await lastEntry(id)).toMatchObject({ actor: `user:${admin.user.id}`, action: "member.removed" })
    const before = await state()
    expect((await fill(admin, `${path}/${owner.id}/remove`, {})).text).toContain("The organization must have an owner.")
    expect((await fill(admin, `${path}/${member.id}/remove`, {})).status).toBe(404)
    expect(await state()).toBe(before)
    await app.run(verifiedAuditLog(id))
  })

  it("keep an owner when two superadmins demote the last two at the same time", async () => {
    const { admin, id, owner, path } = await setting("Race")
    const other = await app.run(seedMember(id, "owner"))
    const second = await enter()
    const answers = await Promise.all([
      fill(admin, `${path}/${owner.id}/role`, { role: "viewer" }),
      fill(second, `${path}/${other.id}/remove`, {})
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422])
    const roles = [await roleOf(id, owner.id), await roleOf(id, other.id)]
    expect(roles.filter((row) => row?.role === "owner")).toHaveLength(1)
  })
})
