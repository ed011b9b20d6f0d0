import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import type { ClientChanges } from "../../../src/identity/clients/Client.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { Disconnections } from "../../../src/webhooks/disconnections/Disconnections.ts"
import { codeFor, join, type Registered, tokenRequest, tokensFor } from "../../identity/Visitor.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { requestDuring } from "../../support/service/Meanwhile.ts"
import { active, disconnected, useApplications } from "./Applications.ts"

const { acme, app, application, call, create, disconnect, logIn, made, madeWith, member, seen } = useApplications()

const activate = (hook: { readonly id: number }, token: string) =>
  call("PUT", `/${hook.id}`, token, { is_active: true })

const withClients = <A, E>(use: (clients: Clients["Service"]) => Effect.Effect<A, E>) =>
  app.run(Clients.use(use).pipe(Effect.provide(Clients.layer)))

const change = ({ id }: Registered, changes: ClientChanges) => withClients((clients) => clients.update(id, changes))

const overlapping = async (request: (id: number, token: string) => ReturnType<typeof create>) => {
  const [ana, registered] = [await member(), await application()]
  const { access_token } = await tokensFor(app, registered, ana.email)
  const hook = await made(access_token)
  const end = [
    `update tokens set revoked_at = now() where client_id = '${registered.id}'`,
    `update webhooks set is_active = false, disabled_reason = 'disconnected' where id = ${hook.id}`
  ]
  expect((await requestDuring(app, end, () => request(hook.id, access_token))).status).toBe(401)
  return seen(hook)
}

/** Holds the audit log, as a request that writes does. Fails if the use waits for it. */
const duringWrites = <A>(organization_id: number, use: () => Promise<A>) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`select 1 from journals where organization_id = ${organization_id} for update`
      return yield* Effect.promise(use).pipe(Effect.timeout("5 seconds"))
    }).pipe((work) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(work)))
  )

const disabledOf = async (hook: { readonly id: number }) => {
  const { entries } = await app.run(verifiedAuditLog(acme().id))
  return entries.filter(({ action, data }) => action === "webhook.disabled" && data["webhook_id"] === hook.id)
}

const users = (user_id: number) => `/api/v1/organizations/${acme().id}/users/${user_id}`
const asOwner = () => ({ token: acme().owner.token })

describe("a webhook that an application activates with the access of another user", () => {
  it("is deactivated when that user disconnects the application", async () => {
    const [ana, ben, registered] = [await member(), await member(), await application()]
    const hook = await madeWith(registered, ana)
    const { access_token } = await tokensFor(app, registered, ben.email)
    await disconnect(ana, registered)
    const { body, status } = await activate(hook, access_token)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ created_by: { user_id: ben.id }, client: { client_id: registered.id } })
    await disconnect(ben, registered)
    expect(await seen(hook)).toMatchObject({ ...disconnected, version: 4 })
  })
})

describe("a webhook of a person to which an application gives its URL", () => {
  it("is deactivated when the user disconnects the application", async () => {
    const [ana, registered] = [await member(), await application()]
    const hook = await made(acme().owner.token)
    const { access_token } = await tokensFor(app, registered, ana.email)
    await call("PUT", `/${hook.id}`, access_token, { description: "Invoices" })
    expect(await seen(hook)).toMatchObject({ client: null })
    await call("PUT", `/${hook.id}`, access_token, { url: "https://ledger.example.com/stolen" })
    await disconnect(ana, registered)
    expect(await seen(hook)).toMatchObject({ ...disconnected, version: 4 })
  })

  it("still belongs to the person if the application is first-party", async () => {
    const [ana, registered] = [await member(), await application(true)]
    const hook = await made(acme().owner.token)
    const { access_token } = await tokensFor(app, registered, ana.email)
    await call("PUT", `/${hook.id}`, access_token, { url: "https://ledger.example.com/own" })
    expect(await seen(hook)).toMatchObject({ client: null, created_by: { user_id: acme().owner.id } })
  })
})

describe("a request that overlaps with the end of the application's access", () => {
  it("does not activate a webhook", async () => {
    expect(await overlapping((id, token) => activate({ id }, token))).toMatchObject({ is_active: false, version: 1 })
  })

  it("does not rotate a secret", async () => {
    const rotated = overlapping((id, token) => call("POST", `/${id}/rotate-secret`, token))
    expect(await rotated).toMatchObject({ is_active: false, version: 1 })
  })

  it("does not send a test message", async () => {
    const hook = await overlapping((id, token) => call("POST", `/${id}/test`, token))
    expect((await call("GET", `/${hook.id}/logs`, acme().owner.token)).body.data).toEqual([])
  })
})

describe("an application that loses scopes", () => {
  it("cannot use its access tokens any more, and gets new ones without these scopes", async () => {
    const registered = await application()
    const login = await logIn(await member(), registered)
    const hook = await made(login.access_token)
    await change(registered, { name: "Ledger", scopes: ["webhooks:write", "webhooks:read"] })
    expect((await create(login.access_token)).status).toBe(201)
    await change(registered, { scopes: ["webhooks:read"] })
    expect(await seen(hook)).toMatchObject(disconnected)
    expect((await create(login.access_token)).status).toBe(401)
    const { client_id } = login.redemption
    const renewal = { grant_type: "refresh_token", client_id, refresh_token: login.refresh_token }
    const renewed = await tokenRequest(app, renewal)
    expect(renewed.body).toMatchObject({ scope: "webhooks:read" })
    expect((await activate(hook, renewed.body.access_token)).status).toBe(403)
  })

  it.each(["renewal", "login"])("loses them in a %s that overlaps with the change", async (kind) => {
    const registered = await application()
    const login = await logIn(await member(), registered)
    const request =
      kind === "login"
        ? await codeFor(app, registered, login.user.email)
        : { grant_type: "refresh_token", client_id: registered.id, refresh_token: login.refresh_token }
    const narrowing = `update clients set scopes = '{webhooks:read}' where id = '${registered.id}'`
    const { body, status } = await requestDuring(app, [narrowing], () => tokenRequest(app, request))
    expect(status).toBe(200)
    expect(body.scope).toBe("webhooks:read")
  })
})

describe("the audit log of an organization", () => {
  it("delays neither the removal of an application nor the end of its webhooks, and gets an entry for each", async () => {
    const registered = await application()
    const hooks = [await madeWith(registered, await member()), await madeWith(registered, await member())]
    await duringWrites(acme().id, () => withClients((clients) => clients.remove(registered.id)))
    for (const hook of hooks) {
      expect(await seen(hook)).toMatchObject(disconnected)
      const entries = await until("the audit entry", async () => (await disabledOf(hook)).at(0) && disabledOf(hook))
      expect(entries).toMatchObject([{ data: { reason: "disconnected", client_id: registered.id } }])
    }
  })

  it("does not delay the answer to a stolen refresh token, whose login ends", async () => {
    const [user, registered] = [await member(), await application()]
    const home = await app.organization()
    await join(app, user.id, home.id)
    await app.inDatabase(`update users set primary_organization_id = ${home.id} where id = ${user.id}`)
    const redemption = await codeFor(app, registered, user.email)
    const { body } = await tokenRequest(app, { ...redemption, organization_id: String(acme().id) })
    const hook = await made(body.access_token)
    const refresh = { grant_type: "refresh_token", client_id: registered.id }
    const atHome = { ...refresh, refresh_token: body.refresh_token, organization_id: String(home.id) }
    const renewal = { ...refresh, refresh_token: (await tokenRequest(app, atHome)).body.refresh_token }
    await tokenRequest(app, renewal)
    await app.inDatabase(
      `update tokens set rotated_at = rotated_at - interval '1 minute' where client_id = '${registered.id}'`
    )
    expect((await duringWrites(acme().id, () => tokenRequest(app, renewal))).status).toBe(400)
    expect(await seen(hook)).toMatchObject({ is_active: false })
  })
})

describe("the record of ended webhooks", () => {
  it("is written for other organizations if that of one organization fails, and the job is repeated", async () => {
    const [ana, registered] = [await member(), await application()]
    const broken = await madeWith(registered, ana)
    const home = await app.organization()
    await app.inDatabase(
      `insert into webhooks (organization_id, url, events, secret, secret_hint, after_sequence, is_active,
         disabled_reason, disconnection_unrecorded, client_id)
       values (${home.id}, 'https://hooks.example.com/ended', '{*}', '', '', 0, false, 'disconnected', true,
         '${registered.id}')`
    )
    await app.inDatabase(
      `update webhooks set is_active = false, disabled_reason = 'disconnected', disconnection_unrecorded = true
       where id = ${broken.id}`
    )
    const refusal = "alter table audit_entries"
    await app.inDatabase(`${refusal} add constraint refused check (organization_id <> ${acme().id}) not valid`)
    const record = () =>
      app.run(
        Effect.exit(
          Effect.provide(
            Disconnections.use((all) => all.record),
            Disconnections.layer
          )
        )
      )
    const unrecorded = () =>
      app.inDatabase("select organization_id from webhooks where disconnection_unrecorded order by organization_id")
    expect((await record())._tag).toBe("Failure")
    expect(await unrecorded()).toEqual([{ organization_id: acme().id }])
    await app.inDatabase(`${refusal} drop constraint refused`)
    expect((await record())._tag).toBe("Success")
    expect(await unrecorded()).toEqual([])
    expect(await disabledOf(broken)).toHaveLength(1)
  })
})

describe("a webhook of an application of a member", () => {
  it("is deactivated when the member is removed, but not in other organizations or of other members", async () => {
    const [ana, ben, registered] = [await member(), await member(), await application()]
    const hook = await madeWith(registered, ana)
    const other = await madeWith(registered, ben)
    expect((await app.call("DELETE", users(ana.id), asOwner())).status).toBe(200)
    expect(await seen(hook)).toMatchObject(disconnected)
    expect(await seen(other)).toMatchObject(active)
  })

  it("is deactivated when the member gets a role that may not manage webhooks", async () => {
    const [ana, registered] = [await member(), await application()]
    const hook = await madeWith(registered, ana)
    const appoint = async (role: string) => {
      const path = users(ana.id)
      expect((await app.call("PUT", path, { ...asOwner(), body: { role } })).status).toBe(200)
    }
    await appoint("admin")
    expect(await seen(hook)).toMatchObject(active)
    await appoint("member")
    expect(await seen(hook)).toMatchObject(disconnected)
  })
})
