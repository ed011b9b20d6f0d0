import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { browser, client, person, type Registered, tokenRequest, tokensFor } from "./Visitor.ts"

const app = useApp()
let ana: { readonly email: string }
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

/** Lets this much time pass for every token, login and session, e.g. `29 days`. */
const later = (time: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update tokens set expires_at = expires_at - ${time}::interval, rotated_at = rotated_at - ${time}::interval`
      yield* sql`update token_families set expires_at = expires_at - ${time}::interval`
      yield* sql`update sessions set expires_at = expires_at - ${time}::interval`
    })
  )

const refresh = (refresh_token: string) =>
  tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
const status = async (token: string) => (await app.call("GET", "/api/v1/user", { token })).status

describe("the lifetime of a token", () => {
  it("is an hour for an access token", async () => {
    const { access_token } = await tokensFor(app, mobile, ana.email)
    await later("50 minutes")
    expect(await status(access_token)).toBe(200)
    await later("10 minutes")
    expect(await status(access_token)).toBe(401)
  })

  it("is 30 days for a refresh token, counted anew for each new one", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    await later("29 days 23 hours")
    const second = await refresh(first.refresh_token)
    expect(second.status).toBe(200)
    await later("29 days 23 hours")
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    await later("30 days")
    const late = await refresh(third.body.refresh_token)
    expect([late.status, late.body.error]).toEqual([400, "invalid_grant"])
  })

  it("ends 180 days after the login, however often they are refreshed, and no access token lives longer", async () => {
    let tokens = await tokensFor(app, mobile, ana.email)
    for (let count = 0; count < 6; count++) {
      await later("29 days")
      const answer = await refresh(tokens.refresh_token)
      expect([count, answer.status, answer.body.expires_in]).toEqual([count, 200, 3600])
      tokens = answer.body
    }
    await later("5 days 23 hours 50 minutes")
    const last = await refresh(tokens.refresh_token)
    expect(last.status).toBe(200)
    expect(last.body.expires_in).toBeLessThanOrEqual(10 * 60)
    await later("10 minutes")
    expect(await status(last.body.access_token)).toBe(401)
    expect((await refresh(last.body.refresh_token)).body.error).toBe("invalid_grant")
  })
})

describe("a browser's session", () => {
  it("is over after twelve hours", async () => {
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    await later("11 hours 50 minutes")
    expect((await visitor.get("/account")).status).toBe(200)
    await later("10 minutes")
    expect((await visitor.get("/account")).location).toBe("/login")
  })
})
