import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { purgeIdentity } from "../../../src/identity/IdentityPurge.ts"
import { useApp } from "../../support/App.ts"
import { seedToken } from "../../support/database/Seed.ts"
import {
  browser,
  client,
  person,
  type Registered,
  tokenRequest,
  tokensFor,
  answerAt,
  authorizePath,
  codeFor,
  hiddenFields,
  newVerifier,
  password
} from "../Visitor.ts"
import { runs } from "../../support/service/Runs.ts"

const app = useApp()
const rounds = runs(6)
let ana: Awaited<ReturnType<typeof person>>
let mobile: Registered

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
})

const purge = () => app.run(purgeIdentity())
const refresh = (refresh_token: string) =>
  tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
const status = async (token: string) => (await app.call("GET", "/api/v1/user", { token })).status

/** Lets this much time pass for everything that identity stores, e.g. `29 days`. */
const later = (time: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const by = sql`${time}::interval`
      yield* sql`update tokens set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by},
        rotated_at = rotated_at - ${by}`
      yield* sql`update token_families set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by}`
      yield* sql`update authorization_codes set expires_at = expires_at - ${by}`
      yield* sql`update sessions set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by}`
      yield* sql`update login_devices set expires_at = expires_at - ${by}`
      yield* sql`update login_failures set updated_at = updated_at - ${by}, blocked_until = blocked_until - ${by}`
    })
  )

const redeem = (code: string | undefined, code_verifier: string) =>
  tokenRequest(app, {
    grant_type: "authorization_code",
    client_id: mobile.id,
    code,
    redirect_uri: mobile.redirect_uris[0],
    code_verifier
  })

const counts = () =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        select (select count(*) from tokens) as tokens, (select count(*) from token_families) as families,
          (select count(*) from authorization_codes) as codes, (select count(*) from sessions) as sessions,
          (select count(*) from login_failures) as failures, (select count(*) from login_devices) as devices`
      return row
    })
  )

describe("the purge of credentials", () => {
  it("keeps valid credentials, and those that reveal a second use of a refresh token", async () => {
    const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
    const own = await app.run(seedToken(ana.id, ["*"]))
    expect((await refresh(refresh_token)).status).toBe(200)
    await later("2 days")
    const next = await refresh((await tokensFor(app, mobile, ana.email)).refresh_token)
    expect(await purge()).toMatchObject({ access_tokens: 2, family_tokens: 0, family_codes: 0, families: 0 })
    expect([await status(access_token), await status(own), await status(next.body.access_token)]).toEqual([
      401, 200, 200
    ])

    const reused = await refresh(refresh_token)
    expect([reused.status, reused.body.error]).toEqual([400, "invalid_grant"])
    const revoked = app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select id from token_families where revoked_at is not null`)
    )
    expect(await revoked).toHaveLength(1)
  })

  it("removes a family with its tokens and its code a month after it ended, and not before", async () => {
    await later("1000 days")
    await purge()
    expect(await counts()).toMatchObject({ families: 0, codes: 0 })
    const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
    await app.call("POST", "/api/v1/logout", { token: access_token })
    await later("29 days")
    await purge()
    expect(await counts()).toMatchObject({ families: 1, codes: 1 })
    await later("2 days")
    expect(await purge()).toMatchObject({ family_tokens: 1, family_codes: 1, families: 1 })
    expect(await counts()).toMatchObject({ families: 0, codes: 0 })
    expect((await refresh(refresh_token)).status).toBe(400)
  })

  it("removes ended sessions, forgotten failures and expired devices", async () => {
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    await browser(app).logIn(ana.email, "/login", "wrong password")
    expect((await counts())?.["sessions"]).toBeGreaterThan(0)
    expect((await counts())?.["failures"]).toBeGreaterThan(0)
    await later("32 days")
    await purge()
    expect(await counts()).toMatchObject({ sessions: 0, failures: 0 })
    expect((await counts())?.["devices"]).toBeGreaterThan(0)
    await later("181 days")
    await purge()
    expect(await counts()).toMatchObject({ devices: 0 })
  })

  it("removes more rows than one statement may", async () => {
    const rows = 2_500
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          insert into tokens (kind, hash, user_id, scopes, expires_at)
          select 'personal', sha256(n::text::bytea), ${ana.id}, '{}', now() - interval '40 days'
          from generate_series(1, ${rows}::integer) as n`
      )
    )
    expect(await purge()).toMatchObject({ access_tokens: rows })
  })
})

describe("the lifetime of a token", () => {
  it("is an hour for an access token", async () => {
    const { access_token } = await tokensFor(app, mobile, ana.email)
    await later("50 minutes")
    expect(await status(access_token)).toBe(200)
    await later("10 minutes")
    expect(await status(access_token)).toBe(401)
  })

  it("is 30 days for a refresh token, and starts again with each new one", async () => {
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

  it.each(["/logout", "/account/sessions/end", "/account/sessions/end-others"])(
    "is invalid once its session was ended by %s",
    async (form) => {
      const [visitor, other] = [browser(app), browser(app)]
      await other.logIn(ana.email)
      await visitor.logIn(ana.email)
      const verifier = newVerifier()
      const { code } = answerAt((await visitor.get(authorizePath(mobile, verifier))).location)
      const ending = form === "/account/sessions/end-others" ? other : visitor
      const fields = hiddenFields((await ending.get("/account")).text, form)
      expect((await ending.post(form, fields)).status).toBe(303)
      const refused = await redeem(code, verifier)
      expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"])
    }
  )

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
