import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { seedOrganizationToken, seedToken } from "../support/database/Seed.ts"
import { browser, client, person, type Registered, tokenRequest, tokensFor } from "./Visitor.ts"

const admin_token = "an-admin-token-of-at-least-32-characters"
const app = useApp({ adminToken: Option.some(Redacted.make(admin_token)) })
let ana: { readonly id: number; readonly email: string }
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

const user = (token?: string) => app.call("GET", "/api/v1/user", { token })
const logout = (token?: string) => app.call("POST", "/api/v1/logout", { token })
const logoutAll = (token?: string) => app.call("POST", "/api/v1/logout-all", { token })
const refresh = (refresh_token: string) =>
  tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })

describe("GET /api/v1/user", () => {
  it("answers the user with their organizations", async () => {
    const { id, owner } = await app.organization({ name: "Acme" })
    const answer = await user(owner.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: owner.id,
        name: expect.any(String),
        email: owner.email,
        primary_organization_id: id,
        organizations: [{ id, name: "Acme", role: "owner" }]
      }
    })
    expect(answer.headers.get("cache-control")).toBe("private, no-cache")
  })

  it("answers 401 without a token, for an organization API token and for an expired token", async () => {
    const { id } = await app.organization()
    expect((await user()).status).toBe(401)
    expect((await user(await app.run(seedOrganizationToken(id)))).status).toBe(401)
    const { access_token } = await tokensFor(app, mobile, ana.email)
    expect((await user(access_token)).status).toBe(200)
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update tokens set expires_at = expires_at - interval '1 hour' where kind = 'access'`
      })
    )
    expect((await user(access_token)).status).toBe(401)
  })
})

describe("POST /api/v1/logout", () => {
  it("ends the access token and its refresh token; a second logout is 401, a refresh invalid_grant", async () => {
    const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
    const other = await tokensFor(app, mobile, ana.email)
    expect((await logout(access_token)).status).toBe(200)
    expect((await logout(access_token)).status).toBe(401)
    expect((await user(access_token)).status).toBe(401)
    const refused = await refresh(refresh_token)
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"])
    expect((await user(other.access_token)).status).toBe(200)
  })

  it("ends a personal access token alone", async () => {
    const tokens = await app.run(Effect.all([seedToken(ana.id, ["*"]), seedToken(ana.id, ["*"])]))
    expect((await logout(tokens[0])).status).toBe(200)
    expect((await user(tokens[0])).status).toBe(401)
    expect((await user(tokens[1])).status).toBe(200)
  })

  it("answers 400 invalid_token_type for an organization API token, which stays valid", async () => {
    const { id } = await app.organization()
    const token = await app.run(seedOrganizationToken(id))
    for (const answer of [await logout(token), await logoutAll(token)]) {
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ error: "invalid_token_type", message: expect.any(String) })
    }
    expect((await app.call("GET", "/api/v1/customers", { token })).status).toBe(200)
  })

  it("answers 400 unsupported_token_type for a credential that serves another purpose", async () => {
    const bearers = [admin_token, `ocs_${"a".repeat(43)}`].map((token) => `Bearer ${token}`)
    for (const authorization of [...bearers, `Basic ${btoa("client:secret")}`]) {
      for (const path of ["/api/v1/logout", "/api/v1/logout-all"]) {
        const answer = await app.call("POST", path, { headers: { authorization } })
        expect([authorization, answer.status]).toEqual([authorization, 400])
        expect(answer.body).toMatchObject({ error: "unsupported_token_type", message: expect.any(String) })
      }
    }
    for (const authorization of ["Basic", "Basic ??", "Bearer ocs", `Bearer ${admin_token}x`]) {
      expect((await app.call("POST", "/api/v1/logout", { headers: { authorization } })).status).toBe(401)
    }
  })

  it("answers 401 without a token and for an unknown one", async () => {
    for (const token of [undefined, "oat_never", "garbage"]) {
      expect((await logout(token)).status).toBe(401)
      expect((await logoutAll(token)).status).toBe(401)
    }
  })
})

describe("POST /api/v1/logout-all", () => {
  it("ends all tokens, codes and browser sessions of the user, but not those of others", async () => {
    const ben = await person(app)
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    const phone = await tokensFor(app, mobile, ana.email)
    const laptop = await tokensFor(app, mobile, ana.email)
    const personal = await app.run(seedToken(ana.id, ["*"]))
    const others = await tokensFor(app, mobile, ben.email)
    expect((await visitor.get("/account")).status).toBe(200)
    expect((await logoutAll(phone.access_token)).status).toBe(200)
    for (const token of [phone.access_token, laptop.access_token, personal])
      expect((await user(token)).status).toBe(401)
    expect((await refresh(laptop.refresh_token)).body.error).toBe("invalid_grant")
    expect((await visitor.get("/account")).location).toBe("/login")
    expect((await user(others.access_token)).status).toBe(200)
    expect((await logoutAll(phone.access_token)).status).toBe(401)
  })
})
