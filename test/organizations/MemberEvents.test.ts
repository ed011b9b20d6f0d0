import { Effect, Option, Redacted } from "effect"
import { expect, it } from "vitest"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import { Invitations } from "../../src/organizations/invitations/Invitations.ts"
import { Members } from "../../src/organizations/members/Members.ts"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { useApp } from "../support/App.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { seedMember } from "../support/database/Seed.ts"
import { browser, hiddenFields, password, person } from "../identity/Visitor.ts"

const app = useApp()

const eventsOf = async (id: number) =>
  (await app.run(verifiedAuditLog(id))).events.map(({ data, type }) => [
    type,
    data.attributes["status"],
    data.attributes["role"],
    data.previous?.status
  ])

/** Replaces the token of the only open invitation, which only the mail contains, and returns the path of the link. */
const linkOf = async (id: number) => {
  const token = `inv_of-organization-${id}`
  await app.inDatabase(
    `update members set invitation_hash = '\\x${Buffer.from(hashToken(token)).toString("hex")}'
     where organization_id = ${id} and status = 'invited'`
  )
  return `/invitations/${token}`
}

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
  const token = (await linkOf(id)).slice("/invitations/".length)
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

it("An organization sees only the invited address of a person, until the person accepts", async () => {
  const { id, owner } = await app.organization()
  const { email: invited, id: user_id } = await person(app)
  const token = { token: owner.token }
  const path = `/api/v1/organizations/${id}/users`
  const invite = (email: string) => app.call("POST", `${path}/invite`, { ...token, body: { email, role: "member" } })
  expect((await invite(invited)).body.data).toMatchObject({ id: user_id, name: invited, email: invited })
  const own = "ana-at-home@example.com"
  await app.inDatabase(`update users set email = '${own}' where id = ${user_id}`)
  const changed = await app.call("PUT", `${path}/${user_id}`, { ...token, body: { role: "viewer" } })
  expect(changed.body.data).toMatchObject({ name: invited, email: invited, role: "viewer" })
  const link = await linkOf(id)
  const page = await browser(app).get(link)
  expect([page.text.includes(invited), page.text.includes(own)]).toEqual([true, false])
  const { events } = await app.run(verifiedAuditLog(id))
  expect(events).toHaveLength(2)
  expect(JSON.stringify(events)).not.toContain(own)
  const visitor = browser(app)
  const form = hiddenFields((await visitor.get(link)).text)
  expect((await visitor.post(link, { ...form, password })).status).toBe(200)
  const members = await app.call("GET", path, token)
  expect(members.body.data[0]).toMatchObject({ id: user_id, name: "Ana Visitor", email: own })
})

it("An organization that invites the new address of an invited person sees that address", async () => {
  const { id, owner } = await app.organization()
  const { email, id: user_id } = await person(app)
  const invite = async (address: string) => {
    const request = { token: owner.token, body: { email: address, role: "member" } }
    return (await app.call("POST", `/api/v1/organizations/${id}/users/invite`, request)).body.data
  }
  await invite(email)
  await app.inDatabase(`update users set email = 'ana-again@example.com' where id = ${user_id}`)
  expect(await invite("Ana-Again@example.com")).toMatchObject({ id: user_id, email: "Ana-Again@example.com" })
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
