import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import {
  authorizePath,
  browser,
  client,
  hiddenFields,
  newVerifier,
  password,
  person,
  type Registered
} from "../Visitor.ts"

const app = useApp()
let ana: { readonly email: string }
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

describe("a login that interrupts an authorization", () => {
  it("keeps the interrupted authorization when the form has expired", async () => {
    const { location } = await browser(app).get(authorizePath(mobile, newVerifier()))
    const old = hiddenFields((await browser(app).get(location)).text)
    const visitor = browser(app)
    const expired = await visitor.post("/login", { ...old, email: ana.email, password })
    expect(expired.status).toBe(403)
    const again = await visitor.post("/login", { ...hiddenFields(expired.text), email: ana.email, password })
    expect(again.location).toBe(location.replace("/login", "/oauth/authorize"))
  })

  it("leads on from a second step that was sent twice", async () => {
    const visitor = browser(app)
    const { location } = await visitor.get(authorizePath(mobile, newVerifier()))
    const fields = hiddenFields((await visitor.get(location)).text)
    await visitor.post("/login", { ...fields, email: ana.email, password })
    expect(await visitor.post("/login/code", fields)).toMatchObject({ status: 303, location })
  })
})
