import { Option } from "effect"
import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import {
  authorizePath,
  type Browser,
  browser,
  client,
  hiddenFields,
  join,
  newVerifier,
  password,
  person,
  type Registered,
  type Seen,
  tokenRequest,
  tokensFor
} from "./Visitor.ts"

const app = useApp()
const secureApp = useApp({ publicUrl: Option.some(new URL("https://books.example")) })
let ana: { readonly id: number; readonly email: string }
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

const loggedIn = async (email = ana.email) => {
  const visitor = browser(app)
  expect((await visitor.logIn(email)).location).toBe("/account")
  return visitor
}

const loginLeadingTo = async (to: string) =>
  (await browser(app).logIn(ana.email, `/login?to=${encodeURIComponent(to)}`)).location

const languages = { "accept-language": "xx, nl-BE;q=0.3, fr;q=0.9, *;q=0.1" }

/** Checks the headers that restrict what a browser may do with a page. */
const expectStrict = (page: Seen) => {
  const policy = page.headers.get("content-security-policy") ?? ""
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page.text) ?? []
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain("img-src data:;")
  expect(page.headers.get("x-frame-options")).toBe("DENY")
  expect(page.headers.get("cache-control")).toBe("no-store")
  expect([page.headers.get("content-language"), page.headers.get("vary")]).toEqual(["en", "accept-language"])
  expect(page.headers.get("x-content-type-options")).toBe("nosniff")
  expect(page.text).not.toMatch(/<script|<img|<link(?! rel="icon" href="data:)|style="|\son[a-z]+=/i)
  expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
}

describe("the pages", () => {
  it("let a browser only show them and submit their forms", async () => {
    const visitor = browser(app)
    expectStrict(await visitor.get("/"))
    expectStrict(await visitor.get("/login"))
    expectStrict(await visitor.post("/login", { ...hiddenFields((await visitor.get("/login")).text), email: "x" }))
    expectStrict(await (await loggedIn()).get("/account"))
  })

  it("are in the reader's language, or else in English", async () => {
    const visitor = browser(app)
    expect((await visitor.get("/login", languages)).text).toMatch(/<html lang="fr">[^]*Se connecter/)
    expect((await visitor.get("/login", { "accept-language": "sv,ja;q=0.5" })).text).toContain('<html lang="en">')
    expect((await visitor.get("/login", { "accept-language": "ar-EG" })).text).toContain('<html lang="ar" dir="rtl">')
    expect((await visitor.get("/login", { "accept-language": "fr;q=0, de;q=0.1" })).text).toContain('<html lang="de">')
  })

  it("name every field for a screen reader", async () => {
    const pages = [await browser(app).get("/login"), await (await loggedIn()).get("/account")]
    for (const { text } of pages) {
      const shown = [...text.matchAll(/<(?:input|select)\s(?![^>]*type="hidden")[^>]*id="([^"]+)"/g)]
      expect(shown.length).toBeGreaterThan(1)
      for (const [, id = ""] of shown) expect(text).toContain(`<label for="${id}">`)
    }
  })
})

const deviceCookie = (page: Seen) => page.headers.getSetCookie().find((cookie) => cookie.includes("device="))

describe("POST /login", () => {
  it("starts a session under a new cookie, whatever the browser had before", async () => {
    const visitor = browser(app)
    const page = await visitor.get("/login")
    expect(page.headers.get("set-cookie")).toMatch(/^session=pre_[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
    const before = visitor.jar.get("session")
    const answer = await visitor.post("/login", { ...hiddenFields(page.text), email: ana.email, password })
    expect(answer.status).toBe(303)
    expect(visitor.jar.get("session")).toMatch(/^ses_/)
    const planted = browser(app)
    planted.jar.set("session", before ?? "")
    expect((await planted.get("/account")).location).toBe("/login")
    planted.jar.set("session", `ses_${"a".repeat(43)}`)
    await planted.logIn(ana.email)
    expect(planted.jar.get("session")).not.toBe(`ses_${"a".repeat(43)}`)
  })

  it("uses a __Host- cookie when the public address is https", async () => {
    const page = await secureApp.call("GET", "/login")
    expect(page.headers.get("set-cookie")).toMatch(
      /^__Host-session=pre_[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    )
  })

  it("makes the browser a known device for 180 days, which logging out does not end", async () => {
    const attributes = `=dev_[\\w-]{43}; Max-Age=${180 * 86_400}; Path=/; HttpOnly`
    const visitor = browser(app)
    expect(deviceCookie(await visitor.get("/login"))).toBeUndefined()
    expect(deviceCookie(await visitor.logIn(ana.email))).toMatch(new RegExp(`^device${attributes}; SameSite=Lax$`))
    const device = visitor.jar.get("device")
    await visitor.post("/logout", hiddenFields((await visitor.get("/account")).text, "/logout"))
    expect(visitor.jar.get("device")).toBe(device)
    const secure = await browser(secureApp).logIn((await person(secureApp)).email)
    expect(deviceCookie(secure)).toMatch(new RegExp(`^__Host-device${attributes}; Secure; SameSite=Lax$`))
  })

  it("refuses a form that this site did not show to this browser", async () => {
    const visitor = browser(app)
    const fields = { ...hiddenFields((await visitor.get("/login")).text), email: ana.email, password }
    const others = hiddenFields((await browser(app).get("/login")).text)
    const refused = [
      await visitor.post("/login", { email: ana.email, password }),
      await visitor.post("/login", { ...fields, csrf: "" }),
      await visitor.post("/login", { ...fields, csrf: others["csrf"] ?? "" }),
      await visitor.post("/login", fields, { origin: "https://evil.example" }),
      await visitor.post("/login", fields, { origin: "null" }),
      await visitor.post("/login", fields, { origin: `${app.url}.evil.example` }),
      await browser(app).post("/login", fields)
    ]
    for (const { status } of refused) expect(status).toBe(403)
    expect((await visitor.get("/account")).location).toBe("/login")
    expect((await visitor.post("/login", fields)).status).toBe(303)
  })

  it("shows a wrong password as such and puts the typed address back as text", async () => {
    const visitor = browser(app)
    const fields = hiddenFields((await visitor.get("/login")).text)
    const email = `"><script>alert(1)</script>@example.com`
    const page = await visitor.post("/login", { ...fields, email, password: "wrong password" })
    expect(page.status).toBe(422)
    expect(page.text).toContain("&quot;&gt;&lt;script&gt;")
    expect(page.text).toContain('role="alert"')
    expectStrict(page)
    expect((await visitor.get("/account")).location).toBe("/login")
  })

  it("leads to the interrupted authorization or the account, and nowhere else", async () => {
    const targets = [
      "/login?return_to=https://evil.example",
      "/login?next=//evil.example",
      "/login?query=https://evil.example",
      "/login?https://evil.example",
      "/login?client_id=x&redirect_uri=https://evil.example"
    ]
    for (const target of targets) {
      const { location } = await browser(app).logIn(ana.email, target)
      expect(location).toMatch(/^\/(account$|oauth\/authorize\?client_id=x&redirect_uri=https%3A%2F%2Fevil\.example$)/)
    }
    for (const query of ["//evil.example", "https://evil.example", "\r\nLocation: https://evil.example"]) {
      const visitor = browser(app)
      const fields = hiddenFields((await visitor.get("/login")).text)
      const answer = await visitor.post("/login", { ...fields, query, email: ana.email, password })
      expect([answer.status, answer.location]).toEqual([303, "/account"])
    }
  })

  it("leads back to a page of the panel, which is the only other place", async () => {
    const wanted = "/admin/organizations?search=b%C3%A4cker+x&page=2"
    expect(await loginLeadingTo(wanted)).toBe(wanted)
    const hostile = [
      "//evil.example/admin",
      "https://evil.example/admin",
      "/admin.evil.example",
      "/adminx",
      "/admin//evil.example",
      "/admin/../oauth/authorize?client_id=x",
      "/admin\\evil.example",
      "/admin\r\nLocation: https://evil.example",
      "/account"
    ]
    for (const to of hostile) expect([to, await loginLeadingTo(to)]).toEqual([to, "/account"])
  })

  it("names the client that the login is for", async () => {
    const asked = await browser(app).get(authorizePath(mobile, newVerifier()))
    const page = await browser(app).get(asked.location)
    expect(page.text).toContain("to continue to Acme Books")
    // Browsers check every redirect after a form against this list.
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://client.example")
  })
})

describe("POST /logout", () => {
  it("ends the session, only for a form of its own", async () => {
    const visitor = await loggedIn()
    const fields = hiddenFields((await visitor.get("/account")).text, "/logout")
    const cookie = visitor.jar.get("session") ?? ""
    expect((await visitor.post("/logout", {})).status).toBe(403)
    expect((await visitor.post("/logout", fields, { origin: "https://evil.example" })).status).toBe(403)
    expect((await visitor.get("/account")).status).toBe(200)
    expect((await visitor.post("/logout", fields)).location).toBe("/")
    visitor.jar.set("session", cookie)
    expect((await visitor.get("/account")).location).toBe("/login")
  })
})

const submit = async (visitor: Browser, action: string, fields: Record<string, string>) =>
  visitor.post(action, { ...hiddenFields((await visitor.get("/account")).text), ...fields })
const secretOn = (page: Seen) => /<code>\s*(pat_[A-Za-z0-9_-]{43})\s*<\/code>/.exec(page.text)?.[1]

describe("/account", () => {
  it("creates a personal access token, shows it once, and revokes it", async () => {
    const owner = await person(app)
    const visitor = await loggedIn(owner.email)
    const page = await submit(visitor, "/account/tokens", { name: "<i>Script</i>", access: "full", days: "30" })
    const token = secretOn(page)
    expect((await app.call("GET", "/api/v1/user", { token })).body.data.id).toBe(owner.id)
    const after = await visitor.get("/account")
    expect(after.text).toContain("&lt;i&gt;Script&lt;/i&gt;")
    expect(secretOn(after)).toBeUndefined()
    const { id = "" } = hiddenFields(after.text, "/account/tokens/revoke")
    const stranger = await loggedIn()
    expect((await submit(stranger, "/account/tokens/revoke", { id })).status).toBe(303)
    expect((await app.call("GET", "/api/v1/user", { token })).status).toBe(200)
    expect((await submit(visitor, "/account/tokens/revoke", { id })).location).toBe("/account")
    expect((await app.call("GET", "/api/v1/user", { token })).status).toBe(401)
  })

  it("creates a read-only token", async () => {
    const { id } = await app.organization()
    const owner = await person(app)
    await join(app, owner.id, id)
    const visitor = await loggedIn(owner.email)
    const token = secretOn(await submit(visitor, "/account/tokens", { name: "Reports", access: "read", days: "" }))
    const customers = (method: string, body?: unknown) =>
      app.call(method, "/api/v1/customers", { token, organization: id, body })
    expect((await customers("GET")).status).toBe(200)
    const refused = await customers("POST", { name: "Beta" })
    expect([refused.status, refused.body.code]).toEqual([403, "missing_scope"])
  })

  it("refuses a token without a name and more than fifty of them", async () => {
    const visitor = await loggedIn((await person(app)).email)
    for (const name of ["", "  ", "x".repeat(256), "a\u0000b"]) {
      expect((await submit(visitor, "/account/tokens", { name, access: "full", days: "30" })).status).toBe(422)
    }
    for (let count = 0; count < 50; count++) {
      expect((await submit(visitor, "/account/tokens", { name: "t", access: "read", days: "30" })).status).toBe(200)
    }
    expect((await submit(visitor, "/account/tokens", { name: "t", access: "read", days: "30" })).status).toBe(422)
  })

  it("ends another browser's session", async () => {
    const owner = await person(app)
    const lost = await loggedIn(owner.email)
    const visitor = await loggedIn(owner.email)
    const ids = [...(await visitor.get("/account")).text.matchAll(/name="id"\s+value="(\d+)"/g)].map(
      ([, id = ""]) => id
    )
    expect(ids).toHaveLength(2)
    const older = ids[1] ?? ""
    await submit(await loggedIn(), "/account/sessions/end", { id: older })
    expect((await lost.get("/account")).status).toBe(200)
    await submit(visitor, "/account/sessions/end", { id: older })
    expect((await lost.get("/account")).location).toBe("/login")
    expect((await visitor.get("/account")).status).toBe(200)
  })

  it("disconnects an application with all its tokens", async () => {
    const owner = await person(app)
    const tokens = await tokensFor(app, mobile, owner.email)
    const visitor = await loggedIn(owner.email)
    const { id = "" } = hiddenFields((await visitor.get("/account")).text, "/account/apps/disconnect")
    expect(id).toBe(mobile.id)
    expect((await submit(visitor, "/account/apps/disconnect", { id })).location).toBe("/account")
    expect((await app.call("GET", "/api/v1/user", { token: tokens.access_token })).status).toBe(401)
    const { refresh_token } = tokens
    const refused = await tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
    expect(refused.body.error).toBe("invalid_grant")
    expect((await visitor.get("/account")).text).not.toContain("/account/apps/disconnect")
  })

  it("does nothing for a form of another site", async () => {
    const visitor = await loggedIn()
    const fields = { ...hiddenFields((await visitor.get("/account")).text), name: "t", access: "full", days: "" }
    for (const path of ["tokens", "tokens/revoke", "apps/disconnect", "sessions/end"]) {
      const answer = await visitor.post(`/account/${path}`, fields, { origin: "https://evil.example" })
      expect(answer.status).toBe(403)
      expect((await visitor.post(`/account/${path}`, { ...fields, csrf: "x" })).status).toBe(403)
      expect((await browser(app).post(`/account/${path}`, fields)).location).toBe("/login")
    }
  })
})
