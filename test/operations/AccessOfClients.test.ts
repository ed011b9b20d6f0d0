import { Effect } from "effect"
import { expect, it } from "vitest"
import { Clients } from "../../src/identity/clients/Clients.ts"
import type { Scope } from "../../src/identity/Scope.ts"
import { client, disable, disconnect, join, person, type Registered, tokensFor } from "../identity/Visitor.ts"
import { useBilling } from "../support/Billing.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { orderingOf } from "./Ordering.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })

const setScopes = (client_id: Registered["id"], scopes: ReadonlyArray<Scope>) =>
  app.run(Clients.use((clients) => clients.update(client_id, { scopes })).pipe(Effect.provide(Clients.layer)))

it("run after the access token of their client ended, but not after somebody ended its access", async () => {
  const books = await open()
  const { draftsTo, ended, order } = orderingOf(books)
  const registered = await client(app, { scopes: ["invoices:read", "invoices:write"] })
  const [narrowed, stripped] = [
    await client(app, { scopes: ["invoices:read", "invoices:write"] }),
    await client(app, { scopes: ["invoices:read", "invoices:write"] })
  ]
  const [invoice_id] = await draftsTo("held@beta.example")
  await order("/batch/invoices/send", { invoice_ids: [invoice_id], attach_pdf: false })
  await until("the mail that is held", () => (mails.held() === 1 ? true : undefined))

  const ordered = async (registered: Registered) => {
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
    await ordered(registered),
    await ordered(registered),
    await ordered(registered),
    await ordered(registered),
    await ordered(registered)
  ]
  const [without_reading, without_writing] = [await ordered(narrowed), await ordered(stripped)]
  await app.inDatabase(`update tokens set expires_at = now() - interval '1 hour' where user_id = ${expired.user.id}`)
  await app.inDatabase(`delete from tokens where kind = 'access' and user_id = ${removed.user.id}`)
  const revocation = { token: revoked.token, client_id: registered.id, client_secret: registered.secret ?? "" }
  expect((await app.call("POST", "/oauth/revoke", { body: revocation })).status).toBe(200)
  await disconnect(app, disconnected.user.id, registered)
  await disable(app, disabled.user.email)
  await setScopes(narrowed.id, ["invoices:write"])
  await setScopes(stripped.id, ["invoices:read"])
  mails.release()

  const codes: Array<string> = []
  for (const { id } of [expired, removed, without_reading, revoked, disconnected, disabled, without_writing]) {
    codes.push((await ended(id)).error?.code ?? "none")
  }
  expect((await ended(without_writing.id)).error).toMatchObject({ required_scope: "invoices:write" })
  expect(codes.join(" ")).toBe("none none none unauthenticated unauthenticated unauthenticated missing_scope")
  expect((await books.call("GET", "/invoices?status=draft")).body.meta.total).toBe(3)
})
