import { describe, expect, it } from "vitest"
import { purgeInvitationMails } from "../../src/organizations/invitations/InvitationMailsPurge.ts"
import { useApp } from "../support/App.ts"
import type { SeededOrganization } from "../support/database/Seed.ts"

const app = useApp()
const person_max = 5
const organization_max = 100
const day_seconds = 86_400

const users = (id: number) => `/api/v1/organizations/${id}/users`
const invite = ({ id, owner }: SeededOrganization, email: string) =>
  app.call("POST", `${users(id)}/invite`, { token: owner.token, body: { email, role: "viewer" } })
const cancel = ({ id, owner }: SeededOrganization, user: number) =>
  app.call("DELETE", `${users(id)}/${user}`, { token: owner.token })
const mails = async () =>
  (await app.inDatabase("select from jobs where queue_name = 'invitations.mail' and state = 'pending'")).length

/** Makes the counted mails older. */
const pass = (time: string) =>
  app.inDatabase(`update invitation_mails set created_at = created_at - interval '${time}'`)

describe("POST /api/v1/organizations/{id}/users/invite", () => {
  it("mails one person 5 times a day, however often the invitation is cancelled and whoever invites", async () => {
    const [organization, other] = [await app.organization(), await app.organization()]
    for (let nth = 1; nth < person_max; nth++) {
      const invited = await invite(organization, "stranger@example.org")
      expect(invited.status).toBe(201)
      if (nth % 2 === 0) await cancel(organization, invited.body.data.id)
    }
    await pass("1 hour")
    expect((await invite(other, "Stranger@example.org")).status).toBe(201)
    const before = await mails()
    for (const inviting of [organization, other]) {
      const refused = await invite(inviting, "stranger@example.org")
      expect([refused.status, refused.body]).toEqual([429, { message: "Too Many Attempts." }])
      const wait = Number(refused.headers.get("retry-after"))
      expect(wait).toBeGreaterThan(day_seconds - 4000)
      expect(wait).toBeLessThanOrEqual(day_seconds - 3600)
    }
    expect(await mails()).toBe(before)
    expect((await invite(organization, "another@example.org")).status).toBe(201)
    await pass("23 hours")
    expect((await invite(organization, "stranger@example.org")).status).toBe(201)
  })

  it("sends 100 mails a day for one organization, also if the requests are concurrent", async () => {
    const [organization, other] = [await app.organization(), await app.organization()]
    const { id, owner } = organization
    await app.inDatabase(`insert into invitation_mails (organization_id, user_id)
      select ${id}, ${owner.id} from generate_series(1, ${organization_max - 2})`)
    const answers = await Promise.all([1, 2, 3, 4].map((nth) => invite(organization, `guest${nth}@example.net`)))
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([201, 201, 429, 429])
    expect((await invite(other, "guest1@example.net")).status).toBe(201)
    await pass("1 day")
    await app.run(purgeInvitationMails())
    expect(await app.inDatabase("select from invitation_mails")).toEqual([])
    expect((await invite(organization, "guest5@example.net")).status).toBe(201)
  })
})
