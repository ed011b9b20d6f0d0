import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { WebhookNoticeQueue } from "../../src/webhooks/notices/WebhookNoticeQueue.ts"
import { client, disable, disconnect, join, person, tokensFor } from "../identity/Visitor.ts"
import { type Books, useBilling } from "../support/Billing.ts"
import { customer } from "../support/counterparts/Hooks.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { receiver, until } from "../support/counterparts/Receiver.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"

const mails = await smtp()
const receiving = await receiver()
const { app, open } = useBilling({ role: "all", ...receiving.settings(), ...mails.settings })

const hook = async (books: Books, token: string, path: string): Promise<number> => {
  const draft = { url: receiving.url(path), events: ["customer.created"] }
  const { body, status } = await books.call("POST", "/webhooks", draft, { token })
  expect(status).toBe(201)
  return body.data.id
}

const mailed = async (...addresses: ReadonlyArray<string>) => {
  await until("the mails", () => (mails.received.length >= addresses.length ? true : undefined))
  expect(mails.received.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
}

const member = async (books: Books) => {
  const user = await person(app)
  await join(app, user.id, books.id)
  return user
}

const application = () => client(app, { first_party: false, scopes: ["webhooks:read", "webhooks:write"] })

describe("the deactivation of a webhook", () => {
  it("is mailed once to its creator, in their language, without the path of the URL", async () => {
    const books = await open()
    const creator = await app.run(seedMember(books.id, "admin"))
    await app.inDatabase(`update users set language = 'fr' where id = ${creator.id}`)
    const id = await hook(books, creator.token, "/gone/secret")
    await customer(books)
    await mailed(creator.email)
    const [mail] = mails.received
    expect(mail?.header("Content-Language")).toBe("fr")
    expect(mail?.text).toContain(`Le webhook ${id} (${new URL(receiving.url("/")).host}) de Acme a été désactivé`)
    expect(mail?.text).toContain("410")
    expect(mail?.raw).not.toContain("secret")
    const jobs = await app.inDatabase(`select id from jobs where queue_name = 'webhooks.notice'`)
    expect(jobs).toEqual([{ id: `${id}:2:${creator.id}` }])
  })

  it("is mailed to the owners if a token of the organization created it, or its creator has left", async () => {
    const books = await open()
    const second = await app.run(seedMember(books.id, "owner"))
    const leaver = await app.run(seedMember(books.id, "admin"))
    await hook(books, await app.run(seedOrganizationToken(books.id)), "/gone/organization")
    await hook(books, leaver.token, "/gone/leaver")
    await books.made("DELETE", `/organizations/${books.id}/users/${leaver.id}`)
    await customer(books)
    await mailed(books.owner.email, second.email, books.owner.email, second.email)
  })

  it("is not mailed to disabled owners, who do not count for the limit of mails either", async () => {
    const books = await open()
    const disabled = await Promise.all(Array.from({ length: 20 }, () => app.run(seedMember(books.id, "owner"))))
    const last = await app.run(seedMember(books.id, "owner"))
    await app.inDatabase(`update users set disabled_at = now() where id in (${disabled.map(({ id }) => id).join()})`)
    await hook(books, await app.run(seedOrganizationToken(books.id)), "/gone/limit")
    await customer(books)
    await mailed(books.owner.email, last.email)
  })

  it("is mailed to the user who disconnected its application", async () => {
    const books = await open()
    const [user, registered] = [await member(books), await application()]
    await hook(books, (await tokensFor(app, registered, user.email)).access_token, "/ok/disconnected")
    await disconnect(app, user.id, registered)
    await mailed(user.email)
  })

  it("is mailed to the owners if the operator has disabled its creator", async () => {
    const books = await open()
    const [user, registered] = [await member(books), await application()]
    await hook(books, (await tokensFor(app, registered, user.email)).access_token, "/ok/disabled")
    await disable(app, user.email)
    await mailed(books.owner.email)
  })

  it.each(["removed", "demoted"])("is mailed to the owners if its creator was %s", async (ending) => {
    const books = await open()
    const [user, registered] = [await member(books), await application()]
    await hook(books, (await tokensFor(app, registered, user.email)).access_token, "/ok/former")
    const path = `/organizations/${books.id}/users/${user.id}`
    await (ending === "removed" ? books.made("DELETE", path) : books.made("PUT", path, { role: "member" }))
    await mailed(books.owner.email)
  })

  it("is not mailed if the webhook was activated, or activated and deactivated again, before the mail was sent", async () => {
    const books = await open()
    const id = await hook(books, books.owner.token, "/gone/again")
    await customer(books)
    await mailed(books.owner.email)
    await books.made("PUT", `/webhooks/${id}`, { is_active: true })
    await customer(books)
    await mailed(books.owner.email, books.owner.email)
    const { version } = await books.made("PUT", `/webhooks/${id}`, { is_active: true })
    // A record of the first deactivation may be written late, with the version of today.
    for (const stale of [2, version]) {
      const ended = { organization_id: books.id, webhook_id: id, version: stale, reason: "gone", recipient: "creator" }
      const notice = Schema.decodeSync(WebhookNoticeQueue.payload)({ ...ended, user_id: books.owner.id })
      const job = `stale:${id}:${stale}`
      await app.run(Jobs.use((jobs) => jobs.offer(WebhookNoticeQueue, notice, { id: job })))
      await until("the job", async () => {
        const jobs = await app.inDatabase(`select id from jobs where id = '${job}' and state = 'completed'`)
        return jobs[0]
      })
    }
    expect(mails.received).toHaveLength(2)
  })

  it("is not mailed if a person did it", async () => {
    const books = await open()
    const id = await hook(books, books.owner.token, "/ok/by-hand")
    await books.made("PUT", `/webhooks/${id}`, { is_active: false })
    expect(await app.inDatabase(`select id from jobs where id like '${id}:%'`)).toEqual([])
  })
})
