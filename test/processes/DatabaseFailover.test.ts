import { NodeServices } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inDatabase, promote, replication, type Server } from "../support/Replication.ts"
import { seedOrganization } from "../support/Seed.ts"
import { service } from "../support/Service.ts"
import { startLoad } from "./Load.ts"

const clients = 4
const looks_max = 600
const pause = (ms: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, ms)))

const until = Effect.fnUntraced(function* (check: () => boolean) {
  const started = performance.now()
  for (let look = 0; look < looks_max && !check(); look++) yield* pause(50)
  expect(check()).toBe(true)
  return performance.now() - started
})

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
      const { database, password, port, username } = primary.connection
      const hosts = [standby.connection.port, port].map((port) => `127.0.0.1:${port}`).join(",")
      const DATABASE_URL = `postgres://${username}:${Redacted.value(password)}@${hosts}/${database}`
      const api = yield* service(primary.connection, { ROLE: "api", DATABASE_URL })
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

      // A server that takes no writes any more, as after a mistake of an operator, is an outage, too.
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
