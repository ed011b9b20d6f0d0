import { expect, it } from "vitest"
import { client, disable, disconnect, join, person, tokensFor } from "../identity/Visitor.ts"
import { useBilling } from "../support/Billing.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { orderingOf } from "./Ordering.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })

it("run after the access token of their client expired, but not after its access was revoked", async () => {
  const books = await open()
  const { draftsTo, ended, order } = orderingOf(books)
  const registered = await client(app, { scopes: ["invoices:read", "invoices:write"] })
  const [invoice_id] = await draftsTo("held@beta.example")
  await order("/batch/invoices/send", { invoice_ids: [invoice_id], attach_pdf: false })
  await until("the mail that is held", () => (mails.held() === 1 ? true : undefined))

  const ordered = async () => {
    const user = await person(app)
    await join(app, user.id, books.id)
    const { access_token: token } = await tokensFor(app, registered, user.email)
    const { body, status } = await books.call(
      "POST",
      "/batch/invoices/create",
      { invoices: [books.body()] },
      { token, headers: { prefer: "respond-async" } }
    )
    expect(status).toBe(202)
    return { user, token, id: body.data.id as number }
  }
  const [expired, removed, revoked, disconnected, disabled] = [
    await ordered(),
    await ordered(),
    await ordered(),
    await ordered(),
    await ordered()
  ]
  await app.inDatabase(`update tokens set expires_at = now() - interval '1 hour' where user_id = ${expired.user.id}`)
  await app.inDatabase(`delete from tokens where kind = 'access' and user_id = ${removed.user.id}`)
  const revocation = { token: revoked.token, client_id: registered.id, client_secret: registered.secret ?? "" }
  expect((await app.call("POST", "/oauth/revoke", { body: revocation })).status).toBe(200)
  await disconnect(app, disconnected.user.id, registered)
  await disable(app, disabled.user.email)
  mails.release()

  const codes: Array<string> = []
  for (const { id } of [expired, removed, revoked, disconnected, disabled]) {
    codes.push((await ended(id)).error?.code ?? "none")
  }
  expect(codes).toEqual(["none", "none", "unauthenticated", "unauthenticated", "unauthenticated"])
  expect((await books.call("GET", "/invoices?status=draft")).body.meta.total).toBe(2)
})
