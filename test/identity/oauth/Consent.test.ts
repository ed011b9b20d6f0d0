import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import type { Scope } from "../../../src/identity/Scope.ts"
import { accountTexts } from "../../../src/identity/texts/AccountTexts.ts"
import { useApp } from "../../support/App.ts"
import {
  answerAt,
  authorizePath,
  browser,
  client,
  hiddenFields,
  join,
  newVerifier,
  password,
  person,
  type Registered,
  tokenRequest
} from "../Visitor.ts"

const app = useApp()
let ana: { readonly id: number; readonly email: string }
let thirdParty: Registered

beforeAll(async () => {
  const { id } = await app.organization({ name: "Acme" })
  ana = await person(app)
  await join(app, ana.id, id)
  thirdParty = await client(app, {
    name: "Tax <b>Helper</b>",
    first_party: false,
    scopes: ["invoices:read", "webhooks:read", "webhooks:write"]
  })
})

const loggedIn = async ({ email } = ana) => {
  const visitor = browser(app)
  expect((await visitor.logIn(email)).status).toBe(303)
  return visitor
}

describe("the consent screen", () => {
  it("asks before a third-party client gets anything, and shows its name as text", async () => {
    const visitor = await loggedIn()
    const page = await visitor.get(authorizePath(thirdParty, newVerifier()))
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toMatch(/^text\/html/)
    expect(page.text).toContain("Tax &lt;b&gt;Helper&lt;/b&gt;")
    expect(page.text).toContain("Invoices: read")
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://client.example")
    // With the policy `no-referrer`, the browser would post the form with `Origin: null`.
    expect(page.headers.get("referrer-policy")).toBe("same-origin")
  })

  it("returns a code when the user allows it, and access_denied when not", async () => {
    const visitor = await loggedIn()
    const page = await visitor.get(authorizePath(thirdParty, newVerifier()))
    const allowed = await visitor.post("/oauth/consent", { ...hiddenFields(page.text), decision: "approve" })
    expect(allowed.status).toBe(303)
    expect(answerAt(allowed.location)).toMatchObject({ code: expect.stringMatching(/^oac_/), state: "af0ifjsldkj" })
    const denied = await visitor.post("/oauth/consent", { ...hiddenFields(page.text), decision: "deny" })
    expect(answerAt(denied.location)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "af0ifjsldkj",
      iss: app.url
    })
  })

  it("refuses an answer from another site or another browser", async () => {
    const visitor = await loggedIn()
    const page = await visitor.get(authorizePath(thirdParty, newVerifier()))
    const fields = { ...hiddenFields(page.text), decision: "approve" }
    expect((await visitor.post("/oauth/consent", fields, { origin: "https://evil.example" })).status).toBe(403)
    expect((await visitor.post("/oauth/consent", fields, { origin: "null" })).status).toBe(403)
    expect((await browser(app).post("/oauth/consent", fields)).status).toBe(403)
  })

  it("cannot be used to approve another request than the registered client's", async () => {
    const visitor = await loggedIn()
    const page = await visitor.get(authorizePath(thirdParty, newVerifier()))
    const query = hiddenFields(page.text)["query"]?.replace("client.example", "evil.example") ?? ""
    const answer = await visitor.post("/oauth/consent", { ...hiddenFields(page.text), query, decision: "approve" })
    expect(answer.location).toMatch(/^\/oauth\/authorize\?/)
    expect((await visitor.get(answer.location)).status).toBe(401)
  })
})

/** Shows the page of a client that requests no scopes by name, changes the client, and allows what was shown. */
const allowedAfter = async (scopes: ReadonlyArray<Scope>) => {
  const changing = await client(app, { first_party: false, scopes: ["invoices:read", "quotes:read"] })
  const visitor = await loggedIn()
  const verifier = newVerifier()
  const page = await visitor.get(authorizePath(changing, verifier))
  expect(page.text).toContain("Quotes: read")
  await app.run(Clients.use(({ update }) => update(changing.id, { scopes })).pipe(Effect.provide(Clients.layer)))
  const allowed = await visitor.post("/oauth/consent", { ...hiddenFields(page.text), decision: "approve" })
  const { code, error } = answerAt(allowed.location)
  const [redirect_uri] = changing.redirect_uris
  const redemption = { grant_type: "authorization_code", client_id: changing.id, code, redirect_uri }
  return { error, redeem: () => tokenRequest(app, { ...redemption, code_verifier: verifier }) }
}

describe("the scopes of a client that change while its consent page is open", () => {
  it("gives only the scopes that the page showed", async () => {
    const { redeem } = await allowedAfter(["invoices:read", "quotes:read", "payments:write"])
    expect((await redeem()).body.scope).toBe("invoices:read quotes:read")
  })

  it("gives nothing if the client has lost a scope that the page showed", async () => {
    expect((await allowedAfter(["invoices:read", "payments:write"])).error).toBe("invalid_scope")
  })
})

describe("the consent to webhooks", () => {
  it.each(["en", "fr", "nl", "de", "es", "it", "pt", "pl", "ar"] as const)(
    "says in %s that the client learns of every change of all records",
    async (language) => {
      const visitor = await loggedIn()
      const { all_changes } = accountTexts[language].security
      const pageFor = async (scope: string) =>
        (await visitor.get(authorizePath(thirdParty, newVerifier(), { scope }), { "accept-language": language })).text
      expect(await pageFor("webhooks:read")).toContain(all_changes)
      expect(await pageFor("webhooks:write")).toContain(all_changes)
      expect(await pageFor("invoices:read")).not.toContain(all_changes)
    }
  )
})

describe("the consent of a user without an organization", () => {
  it("offers no approval, but the way back to the client and another account", async () => {
    const loner = await person(app)
    const visitor = await loggedIn(loner)
    const path = authorizePath(thirdParty, newVerifier())
    const { text } = await visitor.get(path)
    expect(text).toContain("Your account belongs to no organization")
    expect(text).not.toContain('value="approve"')
    const fields = hiddenFields(text)
    const back = await visitor.post("/oauth/consent", { ...fields, decision: "deny" })
    expect(answerAt(back.location)["error"]).toBe("access_denied")
    const other = await visitor.post("/oauth/consent", { ...fields, decision: "other_account" })
    expect(other.location).toMatch(/^\/login\?/)
    const loggedInAgain = await visitor.logIn(ana.email, other.location)
    expect((await visitor.get(loggedInAgain.location)).text).toContain('value="approve"')
  })
})

describe("a consent that is given after a logout in another tab", () => {
  it("leads to the login, and then asks again for the same authorization", async () => {
    const visitor = await loggedIn()
    const fields = hiddenFields((await visitor.get(authorizePath(thirdParty, newVerifier()))).text)
    const path = `/oauth/authorize?${fields["query"]}`
    await visitor.post("/logout", hiddenFields((await visitor.get("/account")).text, "/logout"))
    const late = await visitor.post("/oauth/consent", { ...fields, decision: "approve" })
    expect([late.status, late.location]).toEqual([303, path])
    const asked = await visitor.get(late.location)
    expect(asked.location).toMatch(/^\/login\?/)
    const form = hiddenFields((await visitor.get(asked.location)).text)
    const back = await visitor.post("/login", { ...form, email: ana.email, password })
    expect(back.location).toBe(path)
    expect((await visitor.get(back.location)).text).toContain('value="approve"')
  })

  it("asks again, and gives no code, if somebody else has logged in meanwhile", async () => {
    const visitor = await loggedIn()
    const fields = hiddenFields((await visitor.get(authorizePath(thirdParty, newVerifier()))).text)
    const path = `/oauth/authorize?${fields["query"]}`
    await visitor.logIn((await person(app)).email, "/account")
    const late = await visitor.post("/oauth/consent", { ...fields, decision: "approve" })
    expect([late.status, late.location]).toEqual([303, path])
  })
})
