import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import { browser, client, hiddenFields, person, type Registered } from "../Visitor.ts"

const app = useApp()
const redirect_uri = "http://127.0.0.1:43210/callback"
let ana: { readonly email: string }
let mobile: Registered
let website: Registered

beforeAll(async () => {
  const { owner } = await app.organization()
  expect(owner.id).toBeGreaterThan(0)
  ana = await person(app)
  mobile = await client(app, { redirect_uris: ["http://127.0.0.1/callback"] })
  website = await client(app, { confidential: true, redirect_uris: ["https://client.example/callback?from=here"] })
})

/** Does what a person does between the client's request and the final address of the browser. */
const visit = async (address: URL): Promise<URL> => {
  const visitor = browser(app)
  const login = await visitor.get(address.href)
  const back = await visitor.logIn(ana.email, login.location)
  const done = await visitor.get(back.location)
  if (done.status !== 200) return new URL(done.location)
  return new URL((await visitor.post("/oauth/consent", { ...hiddenFields(done.text), decision: "approve" })).location)
}

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  const discover = async () => {
    const issuer = new URL(app.url)
    return oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
    )
  }

  it("completes the code flow of a public client, refreshes and revokes", async () => {
    const server = await discover()
    const us: oauth.Client = { client_id: mobile.id }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? "")
    address.search = new URLSearchParams({
      client_id: mobile.id,
      redirect_uri,
      response_type: "code",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256"
    }).toString()
    const parameters = oauth.validateAuthResponse(server, us, await visit(address), state)
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      us,
      await oauth.authorizationCodeGrantRequest(server, us, oauth.None(), parameters, redirect_uri, verifier, insecure)
    )
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      us,
      await oauth.refreshTokenGrantRequest(server, us, oauth.None(), tokens.refresh_token ?? "", insecure)
    )
    const whoAmI = () =>
      oauth.protectedResourceRequest(
        refreshed.access_token,
        "GET",
        new URL("/api/v1/user", app.url),
        undefined,
        null,
        insecure
      )
    expect((await whoAmI()).status).toBe(200)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, us, oauth.None(), refreshed.refresh_token ?? "", insecure)
    )
    expect((await app.call("GET", "/api/v1/user", { token: refreshed.access_token })).status).toBe(401)
  })

  it("authenticates a confidential client by Basic and by the body", async () => {
    const server = await discover()
    const us: oauth.Client = { client_id: website.id }
    const registered = website.redirect_uris[0] ?? ""
    for (const authentication of [
      oauth.ClientSecretBasic(website.secret ?? ""),
      oauth.ClientSecretPost(website.secret ?? "")
    ]) {
      const verifier = oauth.generateRandomCodeVerifier()
      const address = new URL(server.authorization_endpoint ?? "")
      address.search = new URLSearchParams({
        client_id: website.id,
        redirect_uri: registered,
        response_type: "code",
        state: "s",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256"
      }).toString()
      const landed = await visit(address)
      expect(landed.searchParams.get("from")).toBe("here")
      landed.searchParams.delete("from")
      const parameters = oauth.validateAuthResponse(server, us, landed, "s")
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        us,
        authentication,
        parameters,
        registered,
        verifier,
        insecure
      )
      expect((await oauth.processAuthorizationCodeResponse(server, us, response)).access_token).toMatch(/^oat_/)
    }
  })
})

describe("openid-client", () => {
  it("completes the code flow with PKCE, refreshes and revokes", async () => {
    const configuration = await openid.discovery(new URL(app.url), mobile.id, undefined, openid.None(), {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests]
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri,
      scope: "invoices:read customers:read",
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256"
    })
    const landed = await visit(address)
    const tokens = await openid.authorizationCodeGrant(configuration, landed, { pkceCodeVerifier, expectedState })
    expect(tokens.scope).toBe("invoices:read customers:read")
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? "")
    expect((await app.call("GET", "/api/v1/user", { token: refreshed.access_token })).status).toBe(200)
    await openid.tokenRevocation(configuration, refreshed.refresh_token ?? "")
    await expect(openid.refreshTokenGrant(configuration, refreshed.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant"
    })
  })
})
