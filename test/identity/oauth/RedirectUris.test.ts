import { beforeAll, describe, expect, it } from "vitest"
import { isRegistrable } from "../../../src/identity/clients/RedirectUri.ts"
import { useApp } from "../../support/App.ts"
import { authorizePath, browser, client, newVerifier, person, type Registered } from "../Visitor.ts"

const app = useApp()
let mobile: Registered
let ana: { readonly email: string }

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app, {
    redirect_uris: [
      "https://client.example/mobile/oauth2/callback",
      "acme://oauth2redirect",
      "http://127.0.0.1/done",
      "http://[::1]/done"
    ]
  })
})

/** Spellings of a redirect address that some program would interpret as another address. */
const hostile = [
  "https://evil.example/mobile/oauth2/callback",
  "https://client.example.evil.example/mobile/oauth2/callback",
  "https://client.example@evil.example/mobile/oauth2/callback",
  "https://evil.example#@client.example/mobile/oauth2/callback",
  "https://evil.example\\@client.example/mobile/oauth2/callback",
  "https://client.example:443/mobile/oauth2/callback",
  "https://client.example:8443/mobile/oauth2/callback",
  "http://client.example/mobile/oauth2/callback",
  "HTTPS://client.example/mobile/oauth2/callback",
  "https://CLIENT.example/mobile/oauth2/callback",
  "https://client.example./mobile/oauth2/callback",
  "https://client.example/mobile/oauth2/callback/",
  "https://client.example/mobile/oauth2/callback?",
  "https://client.example/mobile/oauth2/callback#",
  "https://client.example/mobile/oauth2/callback#code",
  "https://client.example/mobile/oauth2/callback?next=https://evil.example",
  "https://client.example/mobile/oauth2/callback/../../../evil",
  "https://client.example/mobile/oauth2/callback%2f..%2fevil",
  "https://client.example/mobile/oauth2/Callback",
  "https://client.example/mobile/oauth2/callback%00",
  "https://client.example/mobile/oauth2/callback\u0000",
  "https://client.example/mobile/oauth2/callback ",
  " https://client.example/mobile/oauth2/callback",
  "https://client.example/mobile/oauth2/callback\r\nLocation: https://evil.example",
  "https://client.example/mobile/oauth2/callback%0d%0aSet-Cookie:a=b",
  "https://client.example\t.evil.example/mobile/oauth2/callback",
  "https:client.example/mobile/oauth2/callback",
  "https:/client.example/mobile/oauth2/callback",
  "https:///client.example/mobile/oauth2/callback",
  "//client.example/mobile/oauth2/callback",
  "//evil.example",
  "/mobile/oauth2/callback",
  "client.example/mobile/oauth2/callback",
  "https://client。example/mobile/oauth2/callback",
  "https://ｃlient.example/mobile/oauth2/callback",
  "https://xn--client-example/mobile/oauth2/callback",
  "https://*.example/mobile/oauth2/callback",
  "https://client.example,https://evil.example",
  "https://client.example/mobile/oauth2/callback,https://evil.example",
  "javascript:alert(1)",
  "javascript://client.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://client.example/1",
  "about:blank",
  "acme://evil",
  "acme://oauth2redirect/",
  "acme://oauth2redirect/evil",
  "acme://oauth2redirect?x=1",
  "acme://oauth2redirect@evil.example",
  "acmee://oauth2redirect",
  "ACME://oauth2redirect",
  "acme:oauth2redirect",
  "http://127.0.0.1/other",
  "http://127.0.0.1:1/done/../evil",
  "http://127.0.0.1:99999/done",
  "http://127.0.0.1:80:80/done",
  "http://127.0.0.1:80@evil.example/done",
  "http://127.0.0.1.evil.example/done",
  "http://127.1:80/done",
  "http://2130706433:80/done",
  "http://0x7f.0.0.1:80/done",
  "http://localhost:80/done",
  "http://[::1]:80/done?x",
  "http://[::1%25eth0]:80/done",
  "http://[::ffff:127.0.0.1]:80/done",
  "https://127.0.0.1:80/done",
  "http://127.0.0.1:/done",
  "http://user@127.0.0.1:80/done",
  "http://127.0.0.1:80/done#x"
]

describe("an unregistered redirect_uri", () => {
  it.each(hostile.map((uri) => [JSON.stringify(uri), uri]))(
    "%s is answered 401 without a redirect",
    async (_, redirect_uri) => {
      const visitor = browser(app)
      const answer = await visitor.get(authorizePath(mobile, newVerifier(), { redirect_uri }))
      expect(answer.status).toBe(401)
      expect(answer.headers.get("location")).toBeNull()
      expect(JSON.parse(answer.text).error).toBe("invalid_client")
    }
  )

  it("gets no answer from the login page either", async () => {
    const visitor = browser(app)
    const query = authorizePath(mobile, newVerifier(), { redirect_uri: "https://evil.example/" }).split("?")[1]
    const back = await visitor.logIn(ana.email, `/login?${query}`)
    expect(back.location).toMatch(/^\/oauth\/authorize\?/)
    expect((await visitor.get(back.location)).status).toBe(401)
  })
})

describe("registration of a redirect_uri", () => {
  it("accepts https, an app's own scheme and the user's own machine", () => {
    const uris = [
      "https://client.example",
      "https://client.example/",
      "https://client.example:8443/callback?tenant=1",
      "acme.books+ios-2://oauth2redirect",
      "http://127.0.0.1:1234/done",
      "http://127.0.0.1",
      "http://[::1]/done",
      "http://localhost:3000/done"
    ]
    for (const uri of uris) expect([uri, isRegistrable(uri)]).toEqual([uri, true])
  })

  it("refuses everything that a browser could interpret differently", () => {
    const uris = [
      "",
      "http://client.example/callback",
      "https://client.example/callback#x",
      "https://user:pass@client.example/",
      "https://client.example/a/../b",
      "https://CLIENT.example/",
      "https://client.example/ä",
      "https://client.example/a b",
      "javascript://oauth2redirect",
      "data://oauth2redirect",
      "https://oauth2redirect@evil.example",
      "acme://callback",
      "acme://oauth2redirect/x",
      "http://127.0.0.2/done",
      "http://localhost.evil.example/",
      `https://client.example/${"x".repeat(2000)}`
    ]
    for (const uri of uris) expect([uri, isRegistrable(uri)]).toEqual([uri, false])
  })
})
