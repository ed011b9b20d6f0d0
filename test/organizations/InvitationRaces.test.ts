import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { Invitations } from "../../src/organizations/invitations/Invitations.ts"
import { InvitationMail } from "../../src/organizations/invitations/InvitationMail.ts"
import { InvitationMailQueue } from "../../src/organizations/invitations/InvitationMailQueue.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { Mailer, MailRefused } from "../../src/platform/mail/Mailer.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { watchedPasswords } from "../support/database/WatchedPasswords.ts"
import { useApp } from "../support/App.ts"
import { browser, hiddenFields, password } from "../identity/Visitor.ts"
import { requestDuring } from "../support/service/Meanwhile.ts"

const app = useApp()

it("An invitation is refused with already_member if the person accepts an earlier one meanwhile", async () => {
  const { id, owner } = await app.organization()
  const path = `/api/v1/organizations/${id}/users/invite`
  const invite = (role: string) =>
    app.call("POST", path, { token: owner.token, body: { email: "invited@example.com", role } })
  expect((await invite("member")).status).toBe(201)
  const accepted = `update members set status = 'active', joined_at = now()
    where organization_id = ${id} and status = 'invited'`
  const again = await requestDuring(app, [accepted], () => invite("viewer"))
  expect(again).toMatchObject({ status: 422, body: { code: "already_member" } })
})

it("An invited user's new password is hashed before the transaction", async () => {
  const { id, owner } = await app.organization()
  const path = `/api/v1/organizations/${id}/users/invite`
  await app.call("POST", path, { token: owner.token, body: { email: "hashed@example.com", role: "member" } })
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
  const open: Array<number> = []
  await app.run(
    Invitations.use((invitations) => invitations.accept(token, proof)).pipe(
      Effect.provide(Invitations.layer.pipe(Layer.provide(watchedPasswords(app, open))), { local: true })
    )
  )
  expect(open).toEqual([0])
})

/** Invites a user, and opens the invitation in a browser. */
const openInvitation = async () => {
  const { id, owner } = await app.organization()
  const email = `disabled-${id}@example.com`
  const path = `/api/v1/organizations/${id}/users/invite`
  await app.call("POST", path, { token: owner.token, body: { email, role: "member" } })
  const token = `inv_${id}`
  await app.inDatabase(
    `update members set invitation_hash = sha256('${token}') where organization_id = ${id} and status = 'invited'`
  )
  const visitor = browser(app)
  const fields = { ...hiddenFields((await visitor.get(`/invitations/${token}`)).text), name: "Ina", password }
  return {
    accept: () => visitor.post(`/invitations/${token}`, fields),
    disable: `update users set disabled_at = now() where email = '${email}'`,
    status: () =>
      app.inDatabase(`select status from members where organization_id = ${id} and invitation_hash is not null`)
  }
}

describe("An invitation of a disabled user", () => {
  it("cannot be accepted", async () => {
    const { accept, disable, status } = await openInvitation()
    await app.inDatabase(disable)
    expect((await accept()).status).toBe(404)
    expect(await status()).toEqual([{ status: "invited" }])
  })

  it("cannot be accepted if the user is disabled at the same time", async () => {
    const { accept, disable, status } = await openInvitation()
    expect((await requestDuring(app, [disable], accept)).status).toBe(404)
    expect(await status()).toEqual([{ status: "invited" }])
  })
})

const refusingMailer = Layer.succeed(Mailer, {
  send: () => Effect.fail(new MailRefused({ code: "mailbox_unknown", answer: "no mailbox" }))
})

it("An invitation causes an event if the earlier one is withdrawn at the same time", async () => {
  const { id, owner } = await app.organization()
  const path = `/api/v1/organizations/${id}/users/invite`
  const body = { email: "refused@example.com", role: "member" }
  const invite = () => app.call("POST", path, { token: owner.token, body })
  const user_id = Number((await invite()).body.data.id)
  const [job] = await app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ payload: unknown }>`
        select element::jsonb -> 'payload' as payload from jobs
        where queue_name = 'invitations.mail' and (element::jsonb -> 'payload' ->> 'user_id')::bigint = ${user_id}`
    )
  )
  const withdraw = () =>
    app.run(
      Schema.decodeUnknownEffect(InvitationMailQueue.payload)(job?.payload).pipe(
        Effect.flatMap((order) => InvitationMail.use(({ deliver }) => deliver(order))),
        Effect.provide(Layer.provide(InvitationMail.layer, refusingMailer), { local: true })
      )
    )
  const waiting = (count: number) =>
    until(`${count} waiting`, async () => {
      const found = await app.inDatabase(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      )
      return found.length >= count || undefined
    })
  const { transaction } = await app.run(Database)
  const during = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // The invitation waits for this lock after it has read the member, and before it writes the member.
    yield* sql`select pg_advisory_xact_lock(hashtextextended('invitation_mails', ${user_id}))`
    const inviting = invite()
    yield* Effect.promise(() => waiting(1))
    const withdrawing = withdraw()
    yield* Effect.promise(() => Promise.race([withdrawing, waiting(2)]))
    return { inviting, withdrawing }
  })
  const { inviting, withdrawing } = await app.run(transaction(during))
  expect((await inviting).status).toBe(201)
  await withdrawing
  const { events } = await app.run(verifiedAuditLog(id))
  expect(events.map(({ type }) => type).at(-1)).toBe("member.created")
  expect(await app.inDatabase(`select from members where user_id = ${user_id}`)).toHaveLength(1)
})
