import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { ClientChanges } from "../../../src/identity/clients/Client.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { tokenRequest, tokensFor } from "../../identity/Visitor.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { requestDuring } from "../../support/service/Meanwhile.ts"
import { seedOrganizationToken, seedToken } from "../../support/database/Seed.ts"
import { active, disconnected, type Login, useApplications } from "./Applications.ts"

const { acme, app, application, call, create, disconnect, logIn, made, madeWith, member, resetPassword, seen } =
  useApplications()

const endings: Readonly<Record<string, (login: Login) => Promise<unknown>>> = {
  "the application revokes its refresh token": ({ refresh_token, registered }) =>
    app.call("POST", "/oauth/revoke", {
      body: new URLSearchParams({ client_id: registered.id, token: refresh_token }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    }),
  "the application logs out": ({ access_token: token }) => app.call("POST", "/api/v1/logout", { token }),
  "a stolen refresh token is used again": async ({ refresh_token, registered }) => {
    const request = { grant_type: "refresh_token", client_id: registered.id, refresh_token }
    await tokenRequest(app, request)
    await app.inDatabase(
      `update tokens set rotated_at = rotated_at - interval '1 minute' where client_id = '${registered.id}'`
    )
    await tokenRequest(app, request)
  },
  "the code of the login is used again": ({ redemption }) => tokenRequest(app, redemption)
}

describe("the creator of a webhook", () => {
  it("is answered with the application, in the answers to POST and GET and in the list", async () => {
    const ana = await member()
    const registered = await application()
    const hook = await madeWith(registered, ana)
    const creator = {
      created_by: { user_id: ana.id, name: "Ana Visitor" },
      client: { client_id: registered.id, name: "Ledger Link" }
    }
    expect(hook).toMatchObject(creator)
    expect(await seen(hook)).toMatchObject(creator)
    expect((await call("GET", "?per_page=1", acme().owner.token)).body.data).toMatchObject([creator])
  })

  it("has no application with a personal token, and is null with a token of the organization", async () => {
    const ana = await member()
    const personal = await app.run(seedToken(ana.id, ["*"]))
    expect(await made(personal)).toMatchObject({ created_by: { user_id: ana.id }, client: null })
    const token = await app.run(seedOrganizationToken(acme().id))
    expect(await made(token)).toMatchObject({ created_by: null, client: null })
  })

  it("is shown after they were removed from the organization, and the webhook stays active", async () => {
    const ana = await member()
    const hook = await made(await app.run(seedToken(ana.id, ["*"])))
    const path = `/api/v1/organizations/${acme().id}/users/${ana.id}`
    expect((await app.call("DELETE", path, { token: acme().owner.token })).status).toBe(200)
    expect(await seen(hook)).toMatchObject({ ...active, created_by: { user_id: ana.id, name: "Ana Visitor" } })
  })
})

describe("a webhook of an application", () => {
  it("is deactivated when its creator disconnects the application, with an audit entry, and no other one", async () => {
    const [ana, ben] = [await member(), await member()]
    const [registered, other] = [await application(), await application()]
    const hook = await madeWith(registered, ana)
    const others = [
      await madeWith(registered, ben),
      await madeWith(other, ana),
      await made(await app.run(seedToken(ana.id, ["*"])))
    ]
    await disconnect(ana, registered)
    expect(await seen(hook)).toMatchObject(disconnected)
    for (const one of others) expect(await seen(one)).toMatchObject(active)
    const entry = await until("the audit entry", async () => {
      const { entries } = await app.run(verifiedAuditLog(acme().id))
      return entries.findLast(({ action }) => action === "webhook.disabled")
    })
    expect(entry).toMatchObject({
      actor: "system",
      data: { webhook_id: hook.id, reason: "disconnected", client_id: registered.id }
    })
  })

  it("is deactivated when the application loses the scope to create it", async () => {
    const registered = await application()
    const hook = await madeWith(registered, await member())
    const change = (changes: ClientChanges) =>
      app.run(Clients.use((clients) => clients.update(registered.id, changes)).pipe(Effect.provide(Clients.layer)))
    await change({ name: "Ledger" })
    expect(await seen(hook)).toMatchObject(active)
    await change({ scopes: ["webhooks:read"] })
    expect(await seen(hook)).toMatchObject(disconnected)
  })

  it("is deactivated for all users when the application is removed", async () => {
    const registered = await application()
    const hooks = [await madeWith(registered, await member()), await madeWith(registered, await member())]
    await app.run(Clients.use((clients) => clients.remove(registered.id)).pipe(Effect.provide(Clients.layer)))
    for (const hook of hooks) expect(await seen(hook)).toMatchObject(disconnected)
  })

  it("is deactivated when its creator logs out everywhere, unless the application is first-party", async () => {
    const ana = await member()
    const hook = await madeWith(await application(), ana)
    const own = await madeWith(await application(true), ana)
    const token = await app.run(seedToken(ana.id, ["*"]))
    expect((await app.call("POST", "/api/v1/logout-all", { token })).status).toBe(200)
    expect(await seen(hook)).toMatchObject(disconnected)
    expect(await seen(own)).toMatchObject(active)
  })

  it.each(Object.entries(endings))("is deactivated when %s, unless another login remains", async (_, end) => {
    const user = await member()
    const registered = await application()
    const first = await logIn(user, registered)
    const hook = await made(first.access_token)
    const second = await logIn(user, registered)
    await end(first)
    expect(await seen(hook)).toMatchObject(active)
    await end(second)
    expect(await seen(hook)).toMatchObject(disconnected)
    await call("PUT", `/${hook.id}`, acme().owner.token, { is_active: true })
    await end(second)
    expect(await seen(hook)).toMatchObject({ is_active: true, version: 3 })
  })

  it("is deactivated when the last login ends, although another login has expired without a renewal", async () => {
    const user = await member()
    const registered = await application()
    const hook = await made((await logIn(user, registered)).access_token)
    await app.inDatabase(`update tokens set expires_at = now() where client_id = '${registered.id}'`)
    const { access_token } = await logIn(user, registered)
    expect((await app.call("POST", "/api/v1/logout", { token: access_token })).status).toBe(200)
    expect(await seen(hook)).toMatchObject(disconnected)
  })

  it("is deactivated when its creator resets the password, even after the login has expired", async () => {
    const login = await logIn(await member(), await application())
    const hook = await made(login.access_token)
    await app.inDatabase(`update token_families set expires_at = now() where client_id = '${login.registered.id}'`)
    expect(await seen(hook)).toMatchObject(active)
    await resetPassword(login)
    expect(await seen(hook)).toMatchObject(disconnected)
  })

  it("can be activated again by a person", async () => {
    const ana = await member()
    const registered = await application()
    const hook = await madeWith(registered, ana)
    await disconnect(ana, registered)
    await call("PUT", `/${hook.id}`, acme().owner.token, { is_active: true })
    expect(await seen(hook)).toMatchObject({ is_active: true, disabled_reason: null, version: 3 })
  })

  it("is not created by a request that overlaps with the end of the access", async () => {
    const ana = await member()
    const registered = await application()
    const { access_token } = await tokensFor(app, registered, ana.email)
    const revocation = `update tokens set revoked_at = now() where client_id = '${registered.id}'`
    expect((await requestDuring(app, [revocation], () => create(access_token))).status).toBe(401)
    expect(await app.inDatabase(`select id from webhooks where created_by = ${ana.id}`)).toEqual([])
  })
})
