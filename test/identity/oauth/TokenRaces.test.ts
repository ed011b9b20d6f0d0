import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { beforeAll, describe, expect, it } from "vitest"
import { type Answer, useApp } from "../../support/App.ts"
import { runs } from "../../support/service/Runs.ts"
import { client, codeFor, join, person, type Registered, tokenRequest, tokensFor } from "../Visitor.ts"

const app = useApp()
const parallel = 16
const rounds = runs(12)
let ana: { readonly id: number; readonly email: string }
let mobile: Registered
let acme: number

beforeAll(async () => {
  ana = await person(app)
  mobile = await client(app)
  acme = (await app.organization()).id
  await join(app, ana.id, acme)
})

const refresh = (refresh_token: string) =>
  tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
const alive = async (token: string) => (await app.call("GET", "/api/v1/user", { token })).status === 200
const logout = (token: string, path = "logout") => app.call("POST", `/api/v1/${path}`, { token })
const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const oneOf = (count: number) => [200, ...Array.from({ length: count - 1 }, () => 400)]
const at = (count: number, act: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

/** Counts the user's valid tokens, including refresh tokens. */
const live = () =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql`
        select t.id from tokens t left join token_families f on f.id = t.family_id
        where t.user_id = ${ana.id} and t.revoked_at is null and t.rotated_at is null and f.revoked_at is null`
    })
  )

/** Moves the time at which each refresh token was rotated this many seconds into the past. */
const laterBy = (seconds: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update tokens set rotated_at = rotated_at - make_interval(secs => ${seconds}) where rotated_at is not null`
    })
  )

/** Entries of the audit chain about a reused refresh token. */
const reported = async () => {
  const entries = await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql<{ canonical: string }>`select canonical from audit_entries where organization_id = ${acme}`
    })
  )
  return entries
    .map(({ canonical }) => JSON.parse(canonical))
    .filter(({ action }) => action === "security.refresh_reuse")
}

describe("parallel refreshes with one token", () => {
  it("give exactly one new pair, and the family stays valid", async () => {
    for (let round = 0; round < rounds; round++) {
      const { refresh_token } = await tokensFor(app, mobile, ana.email)
      const answers = await at(parallel, () => refresh(refresh_token))
      expect(statuses(answers)).toEqual(oneOf(parallel))
      const winner = answers.find(({ status }) => status === 200)
      expect(await alive(winner?.body.access_token)).toBe(true)
      expect((await refresh(winner?.body.refresh_token)).status).toBe(200)
    }
  })
})

describe("parallel redemptions of one code", () => {
  it("give exactly one pair, which the second use revokes", async () => {
    for (let round = 0; round < rounds; round++) {
      const request = await codeFor(app, mobile, ana.email)
      const answers = await at(parallel, () => tokenRequest(app, request))
      expect(statuses(answers)).toEqual(oneOf(parallel))
      expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(parallel - 1)
      const winner = answers.find(({ status }) => status === 200)
      expect(await alive(winner?.body.access_token)).toBe(false)
      expect((await refresh(winner?.body.refresh_token)).status).toBe(400)
    }
  })
})

describe("a second use of a code", () => {
  it("answers invalid_grant and revokes all its tokens", async () => {
    const request = await codeFor(app, mobile, ana.email)
    const first = (await tokenRequest(app, request)).body
    const second = (await refresh(first.refresh_token)).body
    expect(await alive(second.access_token)).toBe(true)
    expect((await tokenRequest(app, request)).body.error).toBe("invalid_grant")
    expect(await alive(first.access_token)).toBe(false)
    expect(await alive(second.access_token)).toBe(false)
    expect((await refresh(second.refresh_token)).body.error).toBe("invalid_grant")
  })

  it("answers invalid_grant after its 60 seconds", async () => {
    const request = await codeFor(app, mobile, ana.email)
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update authorization_codes set expires_at = expires_at - interval '60 seconds'`
      })
    )
    expect((await tokenRequest(app, request)).body.error).toBe("invalid_grant")
  })
})

describe("a replayed refresh token", () => {
  it("is refused within ten seconds without logging anybody out", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    const second = (await refresh(first.refresh_token)).body
    await laterBy(4)
    expect((await refresh(first.refresh_token)).body.error).toBe("invalid_grant")
    expect(await alive(second.access_token)).toBe(true)
    expect((await refresh(second.refresh_token)).status).toBe(200)
  })

  it("ends the whole family after that time, and the audit chain records it", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    const second = (await refresh(first.refresh_token)).body
    const other = await tokensFor(app, mobile, ana.email)
    await laterBy(11)
    expect((await refresh(first.refresh_token)).body.error).toBe("invalid_grant")
    for (const token of [first.access_token, second.access_token]) expect(await alive(token)).toBe(false)
    expect((await refresh(second.refresh_token)).body.error).toBe("invalid_grant")
    // Another login of the same user is not affected.
    expect(await alive(other.access_token)).toBe(true)
    const reuse = await reported()
    expect(reuse).toHaveLength(1)
    expect(reuse[0]?.data).toMatchObject({ user_id: ana.id, client_id: mobile.id })
  })

  it("from two generations ago also ends the family", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    const second = (await refresh(first.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    await laterBy(11)
    expect((await refresh(first.refresh_token)).status).toBe(400)
    expect(await alive(third.access_token)).toBe(false)
  })

  it("revokes once when sixteen replays come at the same time", async () => {
    const first = await tokensFor(app, mobile, ana.email)
    await refresh(first.refresh_token)
    await laterBy(11)
    const before = (await reported()).length
    const answers = await at(parallel, () => refresh(first.refresh_token))
    expect(statuses(answers)).toEqual(Array.from({ length: parallel }, () => 400))
    expect(await reported()).toHaveLength(before + 1)
  })
})

describe("logging out while refreshing", () => {
  it("leaves no live token, whichever comes first", async () => {
    expect((await logout((await tokensFor(app, mobile, ana.email)).access_token, "logout-all")).status).toBe(200)
    for (let round = 0; round < rounds; round++) {
      const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
      await at(parallel, (index) => (index % 4 === 0 ? logout(access_token) : refresh(refresh_token)))
      expect(await live()).toEqual([])
      expect((await refresh(refresh_token)).body.error).toBe("invalid_grant")
    }
  })

  it("everywhere leaves no live token of any device, even while codes are redeemed", async () => {
    for (let round = 0; round < rounds; round++) {
      const phone = await tokensFor(app, mobile, ana.email)
      const laptop = await tokensFor(app, mobile, ana.email)
      const codes = await Promise.all([codeFor(app, mobile, ana.email), codeFor(app, mobile, ana.email)])
      const acts = [
        () => logout(phone.access_token, "logout-all"),
        () => refresh(phone.refresh_token),
        () => refresh(laptop.refresh_token),
        ...codes.map((code) => () => tokenRequest(app, code))
      ]
      const answers = await Promise.all(acts.map((act) => act()))
      expect(answers[0]?.status).toBe(200)
      for (const { status } of answers) expect([200, 400]).toContain(status)
      expect(await live()).toEqual([])
    }
  })

  it("twice at the same time answers 200 once", async () => {
    const { access_token } = await tokensFor(app, mobile, ana.email)
    const answers = await at(parallel, () => logout(access_token))
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: parallel - 1 }, () => 401)])
  })
})

describe("the removal of a client during the first login of a user", () => {
  it("waits for the login or refuses it, without a deadlock", async () => {
    const registered = await client(app)
    const request = await codeFor(app, registered, ana.email)
    const waiting = (count: number) =>
      until(`${count} waiting`, async () => {
        const found = await app.inDatabase(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        )
        return found.length >= count || undefined
      })
    const remove = () =>
      app.run(Clients.use((clients) => clients.remove(registered.id)).pipe(Effect.provide(Clients.layer)))
    const { redeeming, removing } = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select from clients where id = ${registered.id} for no key update`
            const removing = remove()
            yield* Effect.promise(() => waiting(1))
            const redeeming = tokenRequest(app, { ...request, client_secret: registered.secret })
            yield* Effect.promise(() => waiting(2))
            return { removing, redeeming }
          })
        )
      })
    )
    await removing
    expect(await redeeming).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
  })
})
