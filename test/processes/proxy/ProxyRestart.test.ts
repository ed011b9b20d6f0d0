import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { freePort } from "../../support/counterparts/FreePort.ts"
import { hasNginx, startNginx } from "../../support/counterparts/Nginx.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { seedOrganization } from "../../support/database/Seed.ts"
import { here, service } from "../../support/service/Service.ts"
import { startLoad } from "../Load.ts"

const clients = 8
const pause_ms = 300
const pause = Effect.promise(() => sleep(pause_ms))

describe.skipIf(!hasNginx)("behind nginx", () => {
  it.layer(testDatabase, { excludeTestServices: true })("a process", (it) => {
    it.effect("is restarted under load, and no client notices", () =>
      Effect.gen(function* () {
        const connection = yield* here
        const sql = yield* SqlClient.SqlClient
        const { id, owner } = yield* seedOrganization({})
        const ports = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)] as const
        const start = (port: number) =>
          service(connection, { ROLE: "api", PORT: String(port), TRUSTED_PROXIES: "127.0.0.0/8" })
        const [node] = yield* Effect.forEach(ports, start, { concurrency: 2 })
        const proxy = yield* Effect.acquireRelease(
          Effect.promise(() => startNginx(ports)),
          ({ stop }) => Effect.promise(stop)
        )
        const load = startLoad([proxy.url], { token: owner.token, organization: id }, clients)
        yield* pause
        node?.kill("SIGTERM")
        expect(yield* Effect.promise(async () => node?.ended)).toBe(0)
        yield* pause
        yield* start(ports[0])
        yield* pause
        yield* Effect.promise(load.stop)
        // The proxy stops first, because the processes would wait for its idle connections.
        yield* Effect.promise(proxy.stop)
        expect({ failures: load.failures, refusals: load.refusals, resets: load.resets() }).toEqual({
          failures: [],
          refusals: [],
          resets: 0
        })
        const kept = yield* sql<{ name: string }>`select name from customers where organization_id = ${id}`
        expect(kept.map(({ name }) => name).toSorted()).toEqual(load.acknowledged.toSorted())
        expect(load.answered()).toBeGreaterThan(100)
      }).pipe(Effect.scoped)
    )
  })
})
