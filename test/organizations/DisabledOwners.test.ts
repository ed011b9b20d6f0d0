import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { seedMember } from "../support/database/Seed.ts"

const app = useApp()

const withDisabledOwner = async () => {
  const { id, owner } = await app.organization()
  const [admin, other] = [await app.run(seedMember(id, "admin")), await app.run(seedMember(id, "owner"))]
  await app.inDatabase(`update users set disabled_at = now() where id = ${other.id}`)
  const change = (method: string, user_id: number, token: string, body?: unknown) =>
    app.call(method, `/api/v1/organizations/${id}/users/${user_id}`, { token, body })
  return { admin, owner, other, change }
}

describe("The only owner who is not disabled", () => {
  it("stays an owner", async () => {
    const { admin, change, owner } = await withDisabledOwner()
    const answers = [
      await change("PUT", owner.id, owner.token, { role: "admin" }),
      await change("DELETE", owner.id, admin.token)
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: "last_owner" } })
  })

  it("can remove the disabled one", async () => {
    const { change, other, owner } = await withDisabledOwner()
    expect((await change("DELETE", other.id, owner.token)).status).toBe(200)
  })
})
