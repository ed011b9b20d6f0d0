import { beforeAll, describe, expect, it } from "vitest"
import { mobileScopes } from "../../../src/identity/Scope.ts"
import { useApp } from "../../support/App.ts"
import { client, codeFor, join, person, type Registered, tokenRequest, tokensFor } from "../Visitor.ts"

const app = useApp()
let ana: { readonly id: number; readonly email: string }
let mobile: Registered
let website: Registered
let thirdParty: Registered
let acme: number
let beta: number
let foreign: number

beforeAll(async () => {
  ana = await person(app)
  acme = (await app.organization({ name: "Acme" })).id
  beta = (await app.organization({ name: "Beta" })).id
  foreign = (await app.organization({ name: "Foreign" })).id
  await join(app, ana.id, acme)
  await join(app, ana.id, beta)
  mobile = await client(app)
  website = await client(app, { confidential: true })
  thirdParty = await client(app, {
    first_party: false,
    confidential: true,
    scopes: ["invoices:read", "customers:read"]
  })
})

const refresh = (registered: Registered, refresh_token: string, changes: Record<string, string | undefined> = {}) =>
  tokenRequest(app, {
    grant_type: "refresh_token",
    client_id: registered.id,
    client_secret: registered.secret,
    refresh_token,
    ...changes
  })

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id.replaceAll("-", "%2D")}:${secret.replaceAll("_", "%5F")}`).toString("base64")}`
})

const revoke = (registered: Registered, token: string, secret = registered.secret) =>
  app.call("POST", "/oauth/revoke", {
    body: new URLSearchParams({
      token,
      client_id: registered.id,
      ...(secret === undefined ? {} : { client_secret: secret })
    }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })

describe("client authentication", () => {
  it("answers 401 invalid_client with a challenge for a missing, unknown or wrong client", async () => {
    const request = await codeFor(app, website, ana.email)
    const refused = [
      { client_id: undefined },
      { client_id: "nobody" },
      { client_secret: undefined },
      { client_secret: "wrong" },
      { client_secret: website.secret?.toUpperCase() }
    ]
    for (const changes of refused) {
      const answer = await tokenRequest(app, { ...request, ...changes })
      expect([answer.status, answer.body.error]).toEqual([401, "invalid_client"])
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /)
      expect(answer.headers.get("cache-control")).toBe("no-store")
    }
    expect((await tokenRequest(app, { ...request, client_secret: website.secret })).status).toBe(200)
  })

  it("accepts the secret by HTTP Basic, form-encoded, but not in two ways at once", async () => {
    const { client_id, ...request } = await codeFor(app, website, ana.email)
    const header = basic(client_id, website.secret ?? "")
    const twice = await tokenRequest(app, { ...request, client_secret: website.secret }, header)
    expect([twice.status, twice.body.error]).toEqual([400, "invalid_request"])
    const two = await tokenRequest(app, { ...request, client_id: mobile.id }, header)
    expect([two.status, two.body.error]).toEqual([400, "invalid_request"])
    expect((await tokenRequest(app, request, basic(client_id, "wrong"))).status).toBe(401)
    expect((await tokenRequest(app, request, { authorization: "Basic %%%" })).status).toBe(401)
    expect((await tokenRequest(app, request, header)).status).toBe(200)
  })

  it("refuses a secret in the name of a public client", async () => {
    const request = await codeFor(app, mobile, ana.email)
    expect((await tokenRequest(app, { ...request, client_secret: "guess" })).status).toBe(401)
    expect((await tokenRequest(app, { ...request, client_secret: "" })).status).toBe(200)
  })
})

describe("POST /oauth/token", () => {
  it("answers OAuth errors, not validation errors, for unreadable requests", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const bodies: ReadonlyArray<[unknown, Record<string, string>?]> = [
      [""],
      ["{"],
      [[]],
      [{ grant_type: ["password", "password"] }],
      [{ grant_type: 5 }],
      ["grant_type=password&grant_type=password", form],
      ["", form],
      ["grant_type=password", { "content-type": "text/plain" }],
      ["", { "content-type": "text/plain" }],
      [`grant_type=refresh_token&client_id=${mobile.id}&refresh_token=a%00b`, form],
      [{ grant_type: "x".repeat(10_000) }]
    ]
    for (const [body, headers = {}] of bodies) {
      const answer = await app.call("POST", "/oauth/token", { body, headers })
      expect([answer.status, answer.body.error, typeof answer.body.message]).toEqual([400, "invalid_request", "string"])
      expect(answer.headers.get("cache-control")).toBe("no-store")
    }
    const foreignGrant = await tokenRequest(app, { grant_type: "client_credentials", client_id: mobile.id })
    expect([foreignGrant.status, foreignGrant.body.error]).toEqual([400, "unsupported_grant_type"])
  })

  it("names the parameter that an empty body lacks", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    for (const [path, name] of [
      ["/oauth/token", "grant_type"],
      ["/oauth/revoke", "token"]
    ] as const) {
      const answers = [
        await app.call("POST", path),
        await app.call("POST", path, { body: "" }),
        ...(name === "token" ? [] : [await app.call("POST", path, { body: "", headers: form })])
      ]
      for (const { body, status } of answers) {
        expect([status, body.error, body.error_description]).toEqual([
          400,
          "invalid_request",
          `The ${name} parameter is missing.`
        ])
      }
    }
  })

  it("counts null and empty values as absent", async () => {
    const body = { ...(await codeFor(app, mobile, ana.email)), organization_id: null, scope: null, client_secret: "" }
    expect((await app.call("POST", "/oauth/token", { body })).status).toBe(200)
  })
})

describe("the refresh_token grant", () => {
  it("answers a new pair and keeps the rest of the family", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    const second = await refresh(mobile, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    expect(second.body.scope).toBe(mobileScopes.join(" "))
    const third = await refresh(mobile, second.body.refresh_token)
    expect((await app.call("GET", "/api/v1/user", { token: third.body.access_token })).status).toBe(200)
  })

  it("narrows one access token, and never widens it", async () => {
    const { refresh_token } = await tokensFor(app, mobile, ana.email)
    const narrow = await refresh(mobile, refresh_token, { scope: "invoices:read" })
    expect(narrow.body.scope).toBe("invoices:read")
    const again = await refresh(mobile, narrow.body.refresh_token)
    expect(again.body.scope).toBe(mobileScopes.join(" "))
    const wide = await refresh(mobile, again.body.refresh_token, { scope: "invoices:read payments:write" })
    expect([wide.status, wide.body.error]).toEqual([400, "invalid_scope"])
    expect((await refresh(mobile, again.body.refresh_token)).status).toBe(200)
  })

  it("never exceeds the scopes of the login, although the client may ask for more at the next one", async () => {
    const login = await tokenRequest(app, await codeFor(app, mobile, ana.email, { scope: "invoices:read" }))
    const wide = await refresh(mobile, login.body.refresh_token, { scope: "invoices:read invoices:write" })
    expect([wide.status, wide.body.error]).toEqual([400, "invalid_scope"])
    const kept = await refresh(mobile, login.body.refresh_token)
    expect([kept.status, kept.body.scope]).toEqual([200, "invoices:read"])
  })

  it("answers invalid_grant for an access token, another client's token and an unknown one", async () => {
    const tokens = await tokensFor(app, mobile, ana.email)
    const other = await client(app)
    const answers = [
      await refresh(mobile, tokens.access_token),
      await refresh(other, tokens.refresh_token),
      await refresh(mobile, "ort_unknown")
    ]
    for (const answer of answers) expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"])
    expect((await refresh(mobile, tokens.refresh_token)).status).toBe(200)
  })

  it("does not accept a refresh token as a bearer token", async () => {
    const { refresh_token } = await tokensFor(app, mobile, ana.email)
    expect((await app.call("GET", "/api/v1/user", { token: refresh_token })).status).toBe(401)
  })
})

describe("binding to an organization", () => {
  it("ignores organization_id for a first-party client", async () => {
    const request = await codeFor(app, mobile, ana.email)
    const answer = await tokenRequest(app, { ...request, organization_id: "not a number" })
    expect([answer.status, answer.body.organization_id]).toEqual([200, null])
  })

  it("binds a third-party client to the primary organization, or to the one it names", async () => {
    const request = async () => ({ ...(await codeFor(app, thirdParty, ana.email)), client_secret: thirdParty.secret })
    const primary = await tokenRequest(app, await request())
    expect(primary.body.organization_id).toBe(acme)
    const named = await tokenRequest(app, { ...(await request()), organization_id: String(beta) })
    expect(named.body.organization_id).toBe(beta)
    const user = await app.call("GET", "/api/v1/user", { token: named.body.access_token })
    expect(user.body.data.organizations).toEqual([{ id: beta, name: "Beta", role: "owner" }])
    const elsewhere = await app.call("GET", "/api/v1/customers", { token: named.body.access_token, organization: acme })
    expect(elsewhere.status).toBe(403)
    // A refresh must name the organization again; otherwise it binds the token to the primary organization.
    const kept = await refresh(thirdParty, named.body.refresh_token, { organization_id: String(beta) })
    expect(kept.body.organization_id).toBe(beta)
    expect((await refresh(thirdParty, kept.body.refresh_token)).body.organization_id).toBe(acme)
  })

  it("keeps a third-party login out of other organizations when the user has left the one of the login", async () => {
    const { id: left } = await app.organization({ name: "Left" })
    const ben = await person(app)
    await join(app, ben.id, left)
    const request = { ...(await codeFor(app, thirdParty, ben.email)), client_secret: thirdParty.secret }
    const { body } = await tokenRequest(app, request)
    expect(body.organization_id).toBe(left)
    await join(app, ben.id, beta)
    await app.inDatabase(`delete from members where user_id = ${ben.id} and organization_id = ${left}`)
    const moved = await refresh(thirdParty, body.refresh_token)
    expect([moved.status, moved.body.error]).toEqual([400, "invalid_grant"])
    const named = await refresh(thirdParty, body.refresh_token, { organization_id: String(beta) })
    expect([named.status, named.body.organization_id]).toEqual([200, beta])
  })

  it("refuses an organization that is not the user's, and leaves the code and the token usable", async () => {
    const request = { ...(await codeFor(app, thirdParty, ana.email)), client_secret: thirdParty.secret }
    for (const organization_id of [String(foreign), "999999", "0", "-1", "1e0", "99999999999"]) {
      const answer = await tokenRequest(app, { ...request, organization_id })
      expect([organization_id, answer.status, answer.body.error]).toEqual([organization_id, 400, "invalid_grant"])
    }
    const { body } = await tokenRequest(app, request)
    expect((await refresh(thirdParty, body.refresh_token, { organization_id: String(foreign) })).status).toBe(400)
    expect((await refresh(thirdParty, body.refresh_token)).status).toBe(200)
  })

  it("gives a third-party client nothing for a user without an organization", async () => {
    const loner = await person(app)
    const request = { ...(await codeFor(app, thirdParty, loner.email)), client_secret: thirdParty.secret }
    expect((await tokenRequest(app, request)).body.error).toBe("invalid_grant")
  })
})

describe("POST /oauth/revoke", () => {
  it("ends a refresh token with its access tokens, and an access token alone", async () => {
    const tokens = await tokensFor(app, mobile, ana.email)
    expect((await revoke(mobile, tokens.access_token)).status).toBe(200)
    expect((await app.call("GET", "/api/v1/user", { token: tokens.access_token })).status).toBe(401)
    const next = (await refresh(mobile, tokens.refresh_token)).body
    expect((await revoke(mobile, next.refresh_token)).status).toBe(200)
    expect((await app.call("GET", "/api/v1/user", { token: next.access_token })).status).toBe(401)
    expect((await refresh(mobile, next.refresh_token)).body.error).toBe("invalid_grant")
  })

  it("answers 200 for an invalid token, 401 for an unproven client, 400 for another client's token", async () => {
    const tokens = await tokensFor(app, mobile, ana.email)
    expect((await revoke(mobile, "ort_unknown")).status).toBe(200)
    expect((await revoke(website, tokens.refresh_token, "wrong")).status).toBe(401)
    expect((await revoke(website, tokens.refresh_token)).body).toMatchObject({
      error: "unauthorized_client",
      error_description: "The token belongs to another client, which alone may revoke it."
    })
    expect((await app.call("POST", "/oauth/revoke", { body: { client_id: mobile.id } })).body.error).toBe(
      "invalid_request"
    )
    expect((await app.call("GET", "/api/v1/user", { token: tokens.access_token })).status).toBe(200)
  })
})
