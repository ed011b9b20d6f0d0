import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { challengeOf as challenge } from "../../../src/identity/oauth/Pkce.ts"
import { mobileScopes } from "../../../src/identity/Scope.ts"
import { useApp } from "../../support/App.ts"
import {
  answerAt,
  authorizePath,
  browser,
  client,
  codeFor,
  newVerifier,
  person,
  type Registered,
  tokenRequest
} from "../Visitor.ts"

const app = useApp()
let ana: { readonly id: number; readonly email: string }
let mobile: Registered

beforeAll(async () => {
  await app.organization()
  ana = await person(app)
  mobile = await client(app, {
    redirect_uris: ["https://client.example/callback", "acme://oauth2redirect", "http://127.0.0.1/done"]
  })
})

const loggedIn = async () => {
  const visitor = browser(app)
  expect((await visitor.logIn(ana.email)).status).toBe(303)
  return visitor
}

describe("GET /oauth/authorize", () => {
  it("sends an unknown visitor to the login and back, then gives the client code, state and issuer", async () => {
    const visitor = browser(app)
    const path = authorizePath(mobile, newVerifier())
    const asked = await visitor.get(path)
    expect(asked.status).toBe(302)
    expect(asked.location).toMatch(/^\/login\?/)
    const back = await visitor.logIn(ana.email, asked.location)
    expect(new URL(back.location, app.url).searchParams.get("client_id")).toBe(mobile.id)
    expect(back.location).toMatch(/^\/oauth\/authorize\?/)
    const done = await visitor.get(back.location)
    expect(done.status).toBe(302)
    expect(done.location).toMatch(/^https:\/\/client\.example\/callback\?/)
    expect(answerAt(done.location)).toEqual({
      code: expect.stringMatching(/^oac_/),
      state: "af0ifjsldkj",
      iss: app.url
    })
    expect(done.headers.get("cache-control")).toBe("no-store")
    expect(done.headers.get("referrer-policy")).toBe("no-referrer")
  })

  it("answers HEAD with 405, because only GET may issue a code", async () => {
    const visitor = await loggedIn()
    const sql = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select count(*) from authorization_codes`)
    const codes = await app.run(sql)
    const answer = await visitor.request("HEAD", authorizePath(mobile, newVerifier()))
    expect([answer.status, answer.headers.get("allow"), answer.location, answer.text]).toEqual([405, "GET", "", ""])
    expect(await app.run(sql)).toEqual(codes)
  })

  it("answers 401 invalid_client without a redirect for an unknown client", async () => {
    const visitor = await loggedIn()
    for (const client_id of ["", "nobody", "00000000-0000-4000-8000-000000000000", "' or 1=1 --", "\u0000"]) {
      const answer = await visitor.get(authorizePath(mobile, newVerifier(), { client_id }))
      expect(answer.status).toBe(401)
      expect(answer.headers.get("location")).toBeNull()
      expect(JSON.parse(answer.text)).toMatchObject({ error: "invalid_client", message: expect.any(String) })
    }
  })

  it("shows a page in a browser for an unknown client, and keeps status and sentence", async () => {
    const visitor = await loggedIn()
    const path = authorizePath(mobile, newVerifier(), { client_id: "nobody" })
    const answer = await visitor.get(path, { accept: "text/html", "accept-language": "de" })
    expect([answer.status, answer.location]).toEqual([401, ""])
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(answer.text).toContain("Eine Anwendung hat Sie mit einer falschen Anfrage hierher geschickt.")
    expect(answer.text).toContain("The client is unknown")
    const form = await visitor.get("/oauth/consent", { accept: "text/html" })
    expect([form.status, form.text]).toEqual([404, expect.stringContaining("There is no page at this address.")])
  })

  it("accepts any free port of the user's own machine, and no other difference", async () => {
    const visitor = await loggedIn()
    const at = (redirect_uri: string) => visitor.get(authorizePath(mobile, newVerifier(), { redirect_uri }))
    expect((await at("http://127.0.0.1:51234/done")).location).toMatch(/^http:\/\/127\.0\.0\.1:51234\/done\?code=/)
    expect((await at("acme://oauth2redirect")).location).toMatch(/^acme:\/\/oauth2redirect\?code=/)
    const others = [
      "http://127.0.0.1:51234/other",
      "http://127.0.0.2/done",
      "http://[::1]/done",
      "https://127.0.0.1/done"
    ]
    for (const redirect_uri of others) {
      expect((await at(redirect_uri)).status).toBe(401)
    }
  })

  it("reports an error to the client at its redirect_uri, with the state", async () => {
    const visitor = await loggedIn()
    const refused = async (changes: Record<string, string | undefined>) =>
      answerAt((await visitor.get(authorizePath(mobile, newVerifier(), changes))).location)
    expect(await refused({ response_type: "token" })).toMatchObject({
      error: "unsupported_response_type",
      state: "af0ifjsldkj",
      iss: app.url
    })
    expect(await refused({ response_type: undefined })).toMatchObject({ error: "invalid_request" })
    expect(await refused({ code_challenge: undefined })).toMatchObject({
      error: "invalid_request",
      state: "af0ifjsldkj"
    })
    expect(await refused({ code_challenge: "short" })).toMatchObject({ error: "invalid_request" })
    expect(await refused({ code_challenge_method: "plain" })).toMatchObject({ error: "invalid_request" })
    expect(await refused({ code_challenge_method: undefined })).toMatchObject({ error: "invalid_request" })
    expect(await refused({ scope: "invoices:read everything" })).toMatchObject({ error: "invalid_scope" })
    expect(await refused({ scope: "*" })).toMatchObject({ error: "invalid_scope" })
    const stateless = await refused({ state: undefined })
    expect(stateless).toMatchObject({ error: "invalid_request" })
    expect(stateless).not.toHaveProperty("state")
    expect(stateless).not.toHaveProperty("code")
  })

  it("refuses a repeated parameter", async () => {
    const visitor = await loggedIn()
    const path = authorizePath(mobile, newVerifier())
    expect(answerAt((await visitor.get(`${path}&scope=a&scope=b`)).location)).toMatchObject({
      error: "invalid_request"
    })
    expect(answerAt((await visitor.get(`${path}&state=b`)).location)).not.toHaveProperty("state")
    expect((await visitor.get(`${path}&client_id=${mobile.id}`)).status).toBe(401)
    expect((await visitor.get(`${path}&redirect_uri=https%3A%2F%2Fclient.example%2Fcallback`)).status).toBe(401)
  })

  it("returns any state unchanged, and lets no part of it break the headers", async () => {
    const visitor = await loggedIn()
    for (const state of [
      "a b+c&d=e#f",
      "\r\nSet-Cookie: a=b\r\n\r\n<html>",
      "é漢\u{1f600}",
      "%0d%0aX: y",
      "x".repeat(1500)
    ]) {
      const answer = await visitor.get(authorizePath(mobile, newVerifier(), { state }))
      expect(answer.status).toBe(302)
      expect(answerAt(answer.location)["state"]).toBe(state)
      expect(answer.headers.get("set-cookie")).toBeNull()
      expect(answer.headers.get("x")).toBeNull()
      expect(answer.text).toBe("")
    }
  })
})

describe("the authorization_code grant", () => {
  it("computes the challenge of RFC 7636, appendix B", () => {
    expect(challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  })

  it("answers tokens that may not be stored, with the default scopes of the client", async () => {
    const answer = await tokenRequest(app, await codeFor(app, mobile, ana.email))
    expect(answer.status).toBe(200)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.body).toEqual({
      token_type: "Bearer",
      expires_in: 3600,
      access_token: expect.stringMatching(/^oat_[A-Za-z0-9_-]{43}$/),
      refresh_token: expect.stringMatching(/^ort_[A-Za-z0-9_-]{43}$/),
      scope: mobileScopes.join(" "),
      organization_id: null
    })
    const user = await app.call("GET", "/api/v1/user", { token: answer.body.access_token })
    expect(user.body.data).toMatchObject({ id: ana.id, email: ana.email })
  })

  it("accepts JSON as well as a form", async () => {
    const body = await codeFor(app, mobile, ana.email)
    expect((await app.call("POST", "/oauth/token", { body })).status).toBe(200)
  })

  it("answers invalid_grant for a wrong, short, long, foreign or missing verifier and keeps the code for its owner", async () => {
    const request = await codeFor(app, mobile, ana.email)
    for (const code_verifier of [newVerifier(), "", undefined]) {
      const answer = await tokenRequest(app, { ...request, code_verifier })
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"])
    }
    // A verifier of invalid length or characters is refused even if it matches the challenge.
    for (const code_verifier of ["a".repeat(42), "a".repeat(129), "ä".repeat(43)]) {
      const asked = await codeFor(app, mobile, ana.email, { code_challenge: challenge(code_verifier) })
      const answer = await tokenRequest(app, { ...asked, code_verifier })
      expect([code_verifier, answer.status, answer.body.error]).toEqual([code_verifier, 400, "invalid_grant"])
    }
    expect((await tokenRequest(app, request)).status).toBe(200)
  })

  it("answers invalid_grant for another redirect_uri, another client's code and an unknown code", async () => {
    const request = await codeFor(app, mobile, ana.email)
    const other = await client(app)
    for (const changes of [
      { redirect_uri: "acme://oauth2redirect" },
      { client_id: other.id },
      { code: "oac_unknown" },
      { code: request.code?.toLowerCase() }
    ]) {
      const answer = await tokenRequest(app, { ...request, ...changes })
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"])
    }
    expect((await tokenRequest(app, request)).status).toBe(200)
  })

  it("narrows the token to the requested scope", async () => {
    const request = await codeFor(app, mobile, ana.email, { scope: "invoices:read" })
    const { access_token, scope } = (await tokenRequest(app, request)).body
    expect(scope).toBe("invoices:read")
    expect((await app.call("GET", "/api/v1/organizations", { token: access_token })).status).toBe(403)
  })
})
