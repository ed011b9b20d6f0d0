import { Effect, Layer, Logger, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { Administration } from "../../src/administration/AdministrationHandlers.ts"
import { OrganizationOpener } from "../../src/administration/OrganizationOpener.ts"
import { SetupLinks } from "../../src/administration/SetupLinks.ts"
import type { Scope } from "../../src/identity/Scope.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { logLine } from "../../src/platform/observability/Logs.ts"
import {
  type Browser,
  browser,
  client,
  codeFor,
  hiddenFields,
  password,
  person,
  tokenRequest,
  tokensFor
} from "../identity/Visitor.ts"
import { OrganizationBindingLive } from "../../src/organizations/OrganizationBindingLive.ts"
import { useApp } from "../support/App.ts"
import { watchedPasswords } from "../support/database/WatchedPasswords.ts"
import { administered, administrationOf, opening as draft, useAdministration } from "./Administration.ts"
import { opening } from "./panel/Panel.ts"

const { app, ask } = useAdministration()

const user = (token: string) => app.call("GET", "/api/v1/user", { token })

describe("a disabled user", () => {
  it("is logged out everywhere immediately, cannot log in in any way, and can log in after being enabled", async () => {
    const { email } = await person(app)
    const registered = await client(app, { password_grant: true })
    const visitor = browser(app)
    await visitor.logIn(email)
    const { access_token, refresh_token } = await tokensFor(app, registered, email)
    const personal = await ask((admin) => admin.IssuePersonalAccessToken({ email, name: "Script", scopes: ["*"] }))
    const { link } = await ask((admin) => admin.CreatePasswordLink({ email }))
    expect((await user(access_token)).status).toBe(200)
    const disabled = await ask((admin) => admin.DisableUser({ email }))
    expect(disabled.disabled_at).not.toBeNull()
    const { _tag } = await ask((admin) =>
      Effect.flip(admin.IssuePersonalAccessToken({ email, name: "Script", scopes: ["*"] }))
    )
    expect(_tag).toBe("NotFound")
    expect((await ask((admin) => Effect.flip(admin.CreatePasswordLink({ email }))))._tag).toBe("NotFound")
    expect((await user(Redacted.value(personal.secret))).status).toBe(401)
    expect((await fetch(Redacted.value(link))).status).toBe(410)
    expect((await user(access_token)).status).toBe(401)
    expect((await visitor.get("/account")).location).toBe("/login")
    const oauth = { client_id: registered.id }
    const refreshed = await tokenRequest(app, { ...oauth, grant_type: "refresh_token", refresh_token })
    const granted = await tokenRequest(app, { ...oauth, grant_type: "password", username: email, password })
    expect([refreshed.status, granted.status]).toEqual([400, 400])
    const refused = await browser(app).logIn(email)
    const unknown = await browser(app).logIn("nobody@example.com")
    expect([refused.status, unknown.status]).toEqual([422, 422])
    await ask((admin) => admin.EnableUser({ email }))
    expect((await browser(app).logIn(email)).location).toBe("/account")
    // Enabling the account does not restore its revoked tokens.
    expect((await user(access_token)).status).toBe(401)
    expect((await visitor.get("/account")).location).toBe("/login")
  })

  it("is not let in by a login, a refresh or a token that overlaps with the disabling", async () => {
    const { email, id } = await person(app)
    const registered = await client(app, { password_grant: true })
    const visitors = Array.from({ length: 4 }, () => browser(app))
    const grant = { grant_type: "password", client_id: registered.id, username: email, password }
    const [, ...granted] = await Promise.all([
      ask((admin) => admin.DisableUser({ email })),
      ...Array.from({ length: 4 }, () => tokenRequest(app, grant)),
      ...visitors.map((visitor) => visitor.logIn(email))
    ])
    for (const answer of granted) {
      const token = "body" in answer ? answer.body.access_token : undefined
      if (token !== undefined) expect((await user(token)).status).toBe(401)
    }
    for (const visitor of visitors) expect((await visitor.get("/account")).status).toBe(303)
    expect(await app.inDatabase(`select id from tokens where user_id = ${id} and revoked_at is null`)).toEqual([])
  })
})

describe("a removed client", () => {
  it("loses its tokens and codes immediately, and is no longer listed", async () => {
    const { email } = await person(app)
    const registered = await client(app)
    const { access_token, refresh_token } = await tokensFor(app, registered, email)
    await ask((admin) => admin.RemoveOAuthClient({ client_id: registered.id }))
    expect((await user(access_token)).status).toBe(401)
    const refreshed = await tokenRequest(app, { grant_type: "refresh_token", client_id: registered.id, refresh_token })
    expect([refreshed.status, refreshed.body.error]).toEqual([401, "invalid_client"])
    const { clients } = await ask((admin) => admin.ListOAuthClients({}))
    expect(clients.map(({ id }) => id)).not.toContain(registered.id)
    const again = await ask((admin) => Effect.flip(admin.RemoveOAuthClient({ client_id: registered.id })))
    expect(again._tag).toBe("NotFound")
  })
})

const scopesOf = (answer: { readonly body: { readonly scope: string } }) => answer.body.scope.split(" ").toSorted()

describe("a changed client", () => {
  it("gets * only if it is first-party, and a refused change changes nothing", async () => {
    const [foreign, own] = [await client(app, { first_party: false }), await client(app)]
    const changes = { name: "Store", scopes: ["*"] } as const
    const refused = await ask((admin) => Effect.flip(admin.UpdateOAuthClient({ client_id: foreign.id, ...changes })))
    expect(refused).toMatchObject({
      errors: { scopes: ["The scopes field may hold * for a first-party client only."] }
    })
    const { secret: _, ...before } = own
    const changed = await ask((admin) => admin.UpdateOAuthClient({ client_id: own.id, ...changes }))
    expect(changed).toEqual({ ...before, name: "Store", scopes: ["*"] })
    const { clients } = await ask((admin) => admin.ListOAuthClients({}))
    expect(clients).toContainEqual(changed)
    expect(clients).toContainEqual(
      expect.objectContaining({ id: foreign.id, name: foreign.name, scopes: foreign.scopes })
    )
  })

  it("loses its access tokens with a scope, and renews them without the scopes that it lost", async () => {
    const { email } = await person(app)
    const registered = await client(app, { scopes: ["invoices:read", "customers:read"] })
    const client_id = registered.id
    const { access_token, refresh_token } = await tokensFor(app, registered, email)
    const change = (scopes: ReadonlyArray<Scope>) => ask((admin) => admin.UpdateOAuthClient({ client_id, scopes }))
    await change(["customers:read", "quotes:read"])
    expect((await user(access_token)).status).toBe(401)
    const renew = (refresh_token: string, scope?: string) =>
      tokenRequest(app, { grant_type: "refresh_token", client_id, refresh_token, scope })
    expect((await renew(refresh_token, "invoices:read")).body.error).toBe("invalid_scope")
    const renewed = await renew(refresh_token)
    expect(scopesOf(renewed)).toEqual(["customers:read"])
    await change(["quotes:read"])
    expect((await renew(renewed.body.refresh_token)).body.error).toBe("invalid_scope")
    // A scope that the client gets back was granted by the user before.
    await change(["invoices:read", "customers:read"])
    expect(scopesOf(await renew(renewed.body.refresh_token))).toEqual(["customers:read", "invoices:read"])
  })

  it("keeps its access tokens without a scope that it lost", async () => {
    const registered = await client(app, { scopes: ["invoices:read", "customers:read"] })
    const { email } = await person(app)
    const request = await codeFor(app, registered, email, { scope: "customers:read" })
    const narrow = await tokenRequest(app, { ...request, client_secret: registered.secret })
    const wide = await tokensFor(app, registered, email)
    await ask((admin) => admin.UpdateOAuthClient({ client_id: registered.id, scopes: ["customers:read"] }))
    expect((await user(narrow.body.access_token)).status).toBe(200)
    expect((await user(wide.access_token)).status).toBe(401)
  })

  it("renews a token for everything as one for the scopes that it still has", async () => {
    const { email } = await person(app)
    const registered = await client(app, { scopes: ["*"] })
    const client_id = registered.id
    const { refresh_token } = await tokensFor(app, registered, email)
    await ask((admin) => admin.UpdateOAuthClient({ client_id, scopes: ["quotes:read"] }))
    const renewed = await tokenRequest(app, { grant_type: "refresh_token", client_id, refresh_token })
    expect(scopesOf(renewed)).toEqual(["quotes:read"])
  })
})

describe("a change by the administration", () => {
  it("is logged with its procedure, the ids of its records and its actor, without secrets and personal data", async () => {
    const { email, id } = await person(app)
    const { id: client_id } = await client(app)
    const organization_id = OrganizationId.make((await app.organization()).id)
    const lines: Array<unknown> = []
    const kept = Logger.layer([Logger.map(logLine, (line) => void lines.push(JSON.parse(line)))])
    await app.run(
      Effect.gen(function* () {
        const procedures = (yield* Administration)("user:7")
        const { CreateUser, ListUsers, SetSuperadmin, UpdateOAuthClient } = procedures
        const draft = { name: "New", email: "logged@example.com", password: Redacted.make(password) }
        yield* CreateUser(draft)
        yield* Effect.flip(CreateUser(draft))
        yield* SetSuperadmin({ email, superadmin: true })
        yield* ListUsers({})
        yield* UpdateOAuthClient({ client_id, name: "Renamed" })
        const app = { name: "Till", first_party: true, confidential: false, redirect_uris: [] }
        yield* procedures.CreateOAuthClient(app)
        yield* procedures.IssuePersonalAccessToken({ email, name: "Laptop", scopes: ["*"] })
        yield* procedures.InviteMember({ organization_id, email, role: "member" })
        yield* procedures.SetRole({ organization_id, user_id: id, role: "viewer" })
        yield* procedures.RemoveMember({ organization_id, user_id: id })
      }).pipe(Effect.provide([Layer.provide(Administration.layer, OrganizationBindingLive), kept]))
    )
    const line = { level: "info", message: "administered", actor: "user:7", time: expect.any(String) }
    expect(lines).toEqual([
      { ...line, procedure: "CreateUser", user_id: expect.any(Number) },
      { ...line, procedure: "SetSuperadmin", user_id: id, superadmin: true },
      { ...line, procedure: "UpdateOAuthClient", client_id },
      { ...line, procedure: "CreateOAuthClient", client_id: expect.any(String) },
      { ...line, procedure: "IssuePersonalAccessToken", user_id: id, token_id: expect.any(Number) },
      { ...line, procedure: "InviteMember", organization_id, user_id: id, role: "member" },
      { ...line, procedure: "SetRole", organization_id, user_id: id, role: "viewer" },
      { ...line, procedure: "RemoveMember", organization_id, user_id: id }
    ])
  })
})

describe("an installation with users", () => {
  it("hashes the password of a new owner before the transaction", async () => {
    const open: Array<number> = []
    const opening = { ...draft("hashed@example.com"), owner_password: Redacted.make(password) }
    await app.run(
      OrganizationOpener.use((opener) => opener.open(opening, "admin")).pipe(
        Effect.provide(OrganizationOpener.layer.pipe(Layer.provide(watchedPasswords(app, open))), { local: true })
      )
    )
    expect(open).toEqual([0])
  })

  it("gets no setup link, lists its users, and answers a link for an owner without a password", async () => {
    const { email } = await person(app)
    expect((await ask((admin) => Effect.flip(admin.CreateSetupLink())))._tag).toBe("AlreadySetUp")
    const { users } = await ask((admin) => admin.ListUsers({ search: email.toUpperCase() }))
    expect(users.map((found) => found.email)).toEqual([email])
    const owned = await ask((admin) => admin.CreateOrganization(draft("new.owner@example.com")))
    expect(owned.password_link?.valid_minutes).toBe(30)
    expect((await ask((admin) => admin.CreateOrganization(draft(email)))).password_link).toBeNull()
  })
})

const submit = async (visitor: Browser, path: string, fields: Record<string, string>) =>
  visitor.post(path, { ...hiddenFields((await visitor.get(path)).text), ...fields })

describe("the setup of an installation", () => {
  const app = useApp(administered)

  it("hashes the password of its first owner before the transaction", async () => {
    const open: Array<number> = []
    const { link } = await administrationOf(app)((admin) => admin.CreateSetupLink())
    const [, token = ""] = Redacted.value(link).split("/setup/")
    const opening = { ...draft("first@example.com"), owner_password: Redacted.make(password) }
    await app.run(
      SetupLinks.use((links) => links.use(token, opening)).pipe(
        Effect.provide(
          SetupLinks.layer.pipe(Layer.provide(OrganizationBindingLive), Layer.provide(watchedPasswords(app, open))),
          { local: true }
        )
      )
    )
    expect(open).toEqual([0])
  })
})

describe("an empty installation", () => {
  const empty = useApp(administered)
  const pathOf = async () => {
    const { link } = await administrationOf(empty)((admin) => admin.CreateSetupLink())
    return new URL(Redacted.value(link)).pathname
  }

  it("is set up once by one of several links: organization, owner and password in one go", async () => {
    const [first, second] = [await pathOf(), await pathOf()]
    expect((await browser(empty).get("/setup/set_unknown")).status).toBe(410)
    expect((await browser(empty).post(first, opening("owner@example.com"))).status).toBe(403)
    const short = await submit(browser(empty), first, { ...opening("owner@example.com"), owner_password: "short" })
    expect(short.status).toBe(422)
    const reader = browser(empty)
    const form = { ...hiddenFields((await reader.get(first)).text), ...opening("owner@example.com") }
    const common = await reader.post(first, { ...form, owner_password: "password" }, { "accept-language": "nl" })
    expect([common.status, common.text]).toEqual([
      422,
      expect.stringMatching(/id="owner_password-error">Dit wachtwoord/)
    ])
    const portuguese = await browser(empty).get(first, { "accept-language": "pt" })
    expect(portuguese.text).toMatch(/>\s*Polónia\s*</)
    const visitors = [browser(empty), browser(empty), browser(empty)]
    const raced = await Promise.all(
      visitors.map((visitor, n) => submit(visitor, n === 2 ? second : first, opening(`owner${n}@example.com`)))
    )
    expect(raced.map(({ status }) => String(status)).toSorted()).toEqual(["303", "410", "410"])
    const winner = raced.findIndex(({ status }) => status === 303)
    expect((await visitors[winner]?.get(raced[winner]?.location ?? ""))?.text).toContain("The organization is open.")
    expect((await browser(empty).get(second)).status).toBe(410)
    expect(await empty.inDatabase("select superadmin from users")).toEqual([{ superadmin: true }])
  })
})
