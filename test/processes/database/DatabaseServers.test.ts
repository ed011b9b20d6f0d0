import { setTimeout as sleep } from "node:timers/promises"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inDatabase, promote, replication, type Server } from "../../support/database/Replication.ts"
import { seedOrganization } from "../../support/database/Seed.ts"
import { service } from "../../support/service/Service.ts"
import { startLoad } from "../Load.ts"

const clients = 4
const looks_max = 600
const pause = (ms: number) => Effect.promise(() => sleep(ms))

const until = Effect.fnUntraced(function* (check: () => boolean) {
  const started = performance.now()
  for (let look = 0; look < looks_max && !check(); look++) yield* pause(50)
  expect(check()).toBe(true)
  return performance.now() - started
})

/** Address of one or more servers as DATABASE_URL names them. */
const urlOf = ([first, ...others]: readonly [Server, ...ReadonlyArray<Server>]) => {
  const { database, password, username } = first.connection
  const hosts = [first, ...others].map(({ connection }) => `127.0.0.1:${connection.port}`).join(",")
  return `postgres://${username}:${Redacted.value(password)}@${hosts}/${database}`
}

const setReadOnly = (server: Server, change: string) =>
  inDatabase(
    server,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`set default_transaction_read_only = off`
      yield* sql.unsafe(`alter system ${change}`)
      yield* sql`select pg_reload_conf()`
    })
  )

it.live(
  "the service follows the database to another server: 503 meanwhile, and nothing acknowledged is lost",
  () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* replication
      const api = yield* service(primary.connection, { ROLE: "api", DATABASE_URL: urlOf([standby, primary]) })
      const { id, owner } = yield* inDatabase(primary, seedOrganization({}))
      const load = startLoad([api.url], { token: owner.token, organization: id }, clients)
      yield* until(() => load.answered() > 10 * clients)
      expect(load.refusals).toEqual([])

      yield* primary.stop
      yield* until(() => load.refusals.length > 0)
      const before = load.acknowledged.length
      yield* promote(standby)
      const gap_ms = yield* until(() => load.acknowledged.length > before + 10)
      console.log(`failover: written again ${Math.round(gap_ms)} ms after the promotion`)

      // A server that accepts no more writes, for example after an operator's mistake, counts as an outage, too.
      const refused = load.refusals.length
      yield* setReadOnly(standby, "set default_transaction_read_only = on")
      yield* until(() => load.refusals.length > refused + clients)
      yield* setReadOnly(standby, "reset default_transaction_read_only")
      const after = load.acknowledged.length
      yield* until(() => load.acknowledged.length > after + 10)
      yield* Effect.promise(load.stop)

      expect(load.failures).toEqual([])
      expect(new Set(load.refusals.map(({ retry_after, status }) => `${status} after ${retry_after}`))).toEqual(
        new Set(["503 after 2"])
      )
      const names = yield* inDatabase(
        standby,
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ name: string }>`select name from customers`)
      )
      const stored = names.map(({ name }) => name)
      expect(stored.length).toBe(new Set(stored).size)
      expect(load.acknowledged.filter((name) => !stored.includes(name))).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  400_000
)

/** Returns how many of the service's reads each of the two database servers has answered. */
const readsOf = async (url: string) => {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const count = (server: string) =>
    Number(new RegExp(`^replica_reads_total\\{.*server="${server}".*\\} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0)
  return { primary: count("primary"), replica: count("replica") }
}

const rounds = 20

it.live(
  "a replica answers reports and synchronizing clients, who never miss what they have written",
  () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* replication
      const variables = { ROLE: "api", DATABASE_URL: urlOf([primary]), DATABASE_READ_URL: urlOf([standby]) }
      const [one, two] = [yield* service(primary.connection, variables), yield* service(primary.connection, variables)]
      const { id, owner } = yield* inDatabase(primary, seedOrganization({}))
      const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
      const get = async (url: string, path: string) =>
        JSON.parse(await (await fetch(`${url}${path}`, { headers })).text())
      let written = 0
      /** Writes a record through one process, and immediately reads it through the other. */
      const writeAndRead = Effect.promise(async () => {
        const body = JSON.stringify({ name: `customer ${++written}` })
        const sent = { method: "POST", body, headers: { ...headers, "content-type": "application/json" } }
        expect((await fetch(`${one.url}/api/v1/customers`, sent)).status).toBe(201)
        const [list, figures] = await Promise.all([
          get(two.url, "/api/v1/customers?updated_since=2026-01-01T00:00:00Z&per_page=100"),
          get(two.url, `/api/v1/organizations/${id}/statistics`)
        ])
        expect(list.meta.total).toBe(written)
        expect(figures.data.customers).toBe(written)
      })

      for (let round = 0; round < rounds; round++) yield* writeAndRead
      const caught_up = yield* Effect.promise(() => readsOf(two.url))
      // On a busy machine the replica may be late now and then.
      expect(caught_up.replica).toBeGreaterThan(0)
      expect(caught_up.replica + caught_up.primary).toBe(2 * rounds)

      const onStandby = (statement: string) =>
        inDatabase(
          standby,
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
        )
      yield* onStandby("select pg_wal_replay_pause()")
      yield* writeAndRead
      const late = yield* Effect.promise(() => readsOf(two.url))
      expect(late).toEqual({ replica: caught_up.replica, primary: caught_up.primary + 2 })

      yield* standby.stop
      yield* writeAndRead
      yield* pause(rest_ms)
      yield* writeAndRead
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  400_000
)

/** The pause is longer than the time for which the service does not use a late replica. */
const rest_ms = 5_500
