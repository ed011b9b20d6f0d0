import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { purgeIdentity } from "../../src/identity/IdentityPurge.ts"
import { useApp } from "../support/App.ts"
import { seedToken } from "../support/Seed.ts"
import { browser, client, person, type Registered, tokenRequest, tokensFor } from "./Visitor.ts"

const app = useApp()
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

/** Lets this many days pass for everything that identity stores. */
const later = (days: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const by = sql`make_interval(days => ${days})`
      yield* sql`update tokens set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by},
        rotated_at = rotated_at - ${by}`
      yield* sql`update token_families set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by}`
      yield* sql`update authorization_codes set expires_at = expires_at - ${by}`
      yield* sql`update sessions set expires_at = expires_at - ${by}, revoked_at = revoked_at - ${by}`
      yield* sql`update login_devices set expires_at = expires_at - ${by}`
      yield* sql`update login_failures set updated_at = updated_at - ${by}, blocked_until = blocked_until - ${by}`
    })
  )

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
    await later(2)
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
    await later(1000)
    await purge()
    expect(await counts()).toMatchObject({ families: 0, codes: 0 })
    const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
    await app.call("POST", "/api/v1/logout", { token: access_token })
    await later(29)
    await purge()
    expect(await counts()).toMatchObject({ families: 1, codes: 1 })
    await later(2)
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
    await later(32)
    await purge()
    expect(await counts()).toMatchObject({ sessions: 0, failures: 0 })
    expect((await counts())?.["devices"]).toBeGreaterThan(0)
    await later(181)
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
