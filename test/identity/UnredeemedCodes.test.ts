import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { runs } from "../support/Runs.ts"
import {
  answerAt,
  authorizePath,
  browser,
  client,
  codeFor,
  hiddenFields,
  newVerifier,
  password,
  person,
  type Registered,
  tokenRequest,
  tokensFor
} from "./Visitor.ts"

const app = useApp()
const rounds = runs(6)
let ana: { readonly email: string }
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

const redeem = (code: string | undefined, code_verifier: string) =>
  tokenRequest(app, {
    grant_type: "authorization_code",
    client_id: mobile.id,
    code,
    redirect_uri: mobile.redirect_uris[0],
    code_verifier
  })

describe("a code that was not redeemed", () => {
  it("is invalid once its user has disconnected the application", async () => {
    await tokensFor(app, mobile, ana.email)
    const unredeemed = await codeFor(app, mobile, ana.email)
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    const fields = hiddenFields((await visitor.get("/account")).text, "/account/apps/disconnect")
    expect((await visitor.post("/account/apps/disconnect", fields)).location).toBe("/account")
    const refused = await tokenRequest(app, unredeemed)
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"])
    expect((await tokensFor(app, mobile, ana.email)).access_token).toMatch(/^oat_/)
  })

  it("is invalid, or was never issued, when its session ended at the same moment", async () => {
    for (let round = 0; round < rounds; round++) {
      const visitor = browser(app)
      await visitor.logIn(ana.email)
      const { access_token } = await tokensFor(app, mobile, ana.email)
      const verifier = newVerifier()
      const [loggedOut, ...asked] = await Promise.all([
        app.call("POST", "/api/v1/logout-all", { token: access_token }),
        ...Array.from({ length: 12 }, () => visitor.get(authorizePath(mobile, verifier)))
      ])
      expect(loggedOut.status).toBe(200)
      const codes = asked.flatMap(({ location }) => (location.startsWith("/login") ? [] : [answerAt(location)["code"]]))
      const answers = await Promise.all(codes.map((code) => redeem(code, verifier)))
      expect(answers.map(({ body }) => body.error)).toEqual(codes.map(() => "invalid_grant"))
    }
  })
})

describe("a session", () => {
  it("is over when the browser logs in again: its cookie is no longer valid", async () => {
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    const before = visitor.jar.get("session") ?? ""
    const form = hiddenFields((await visitor.get("/account")).text, "/logout")
    const again = await visitor.post("/login", { ...form, email: ana.email, password })
    expect([again.status, visitor.jar.get("session") === before]).toEqual([303, false])
    expect((await visitor.get("/account")).status).toBe(200)
    const stolen = browser(app)
    stolen.jar.set("session", before)
    expect((await stolen.get("/account")).location).toBe("/login")
  })
})
