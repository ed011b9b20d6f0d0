import { Effect, Option, Redacted } from "effect"
import { expect, it } from "vitest"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import { Invitations } from "../../src/organizations/invitations/Invitations.ts"
import { Members } from "../../src/organizations/members/Members.ts"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { useApp } from "../support/App.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { seedMember } from "../support/database/Seed.ts"

const app = useApp()

const eventsOf = async (id: number) =>
  (await app.run(verifiedAuditLog(id))).events.map(({ data, type }) => [
    type,
    data.attributes["status"],
    data.attributes["role"],
    data.previous?.status
  ])

const inviting = async () => {
  const { id, owner } = await app.organization()
  const invite = (role: string) =>
    app.call("POST", `/api/v1/organizations/${id}/users/invite`, {
      token: owner.token,
      body: { email: `guest${id}@example.com`, role }
    })
  const { body } = await invite("member")
  return { id, invite, user_id: UserId.make(body.data.id) }
}

it("An invitation, its repetition with another role and its acceptance cause one event each", async () => {
  const { id, invite } = await inviting()
  expect((await invite("member")).status).toBe(201)
  expect((await invite("viewer")).status).toBe(201)
  const token = "inv_of-this-test"
  await app.inDatabase(
    `update members set invitation_hash = '\\x${Buffer.from(hashToken(token)).toString("hex")}'
     where organization_id = ${id} and status = 'invited'`
  )
  const proof = {
    session: Option.none(),
    password: Redacted.make("correct horse battery"),
    name: "Ina Invited",
    origin: { address: "127.0.0.1" }
  }
  await app.run(Invitations.use(({ accept }) => accept(token, proof)).pipe(Effect.provide(Invitations.layer)))
  expect(await eventsOf(id)).toEqual([
    ["member.created", "invited", "member", undefined],
    ["member.updated", "invited", "viewer", undefined],
    ["member.updated", "active", "viewer", "invited"]
  ])
})

it("A person who is added becomes a member, with or without an earlier invitation", async () => {
  const { id, user_id } = await inviting()
  const { id: stranger } = await app.run(seedMember(undefined, "member"))
  const add = (user: UserId) =>
    app.run(
      Members.use((members) =>
        members.add({ organization_id: OrganizationId.make(id), user_id: user, role: "admin" }, "admin")
      ).pipe(Effect.provide(Members.layer))
    )
  await add(user_id)
  await add(UserId.make(stranger))
  expect(await eventsOf(id)).toEqual([
    ["member.created", "invited", "member", undefined],
    ["member.updated", "active", "admin", "invited"],
    ["member.created", "active", "admin", undefined]
  ])
})
