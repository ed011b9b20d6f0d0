import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { testDatabase } from "../support/database/Postgres.ts"
import { seedOrganization } from "../support/database/Seed.ts"
import { freePort } from "../support/counterparts/FreePort.ts"
import { probe } from "../support/service/Process.ts"
import { here, service } from "../support/service/Service.ts"
import { startLoad } from "./Load.ts"

const pause = (ms: number) => Effect.promise(() => sleep(ms))

const patience = { timeout: 20_000, interval: 100 }
/** Ten seconds for the request in progress, and the time that a busy machine takes to end a process. */
const stop_ms_max = 25_000

const stop = (running: { readonly kill: (signal: NodeJS.Signals) => void; readonly ended: Promise<unknown> }) =>
  Effect.promise(async () => {
    const started = performance.now()
    running.kill("SIGTERM")
    return { code: await running.ended, ms: performance.now() - started }
  })

it.layer(testDatabase, { excludeTestServices: true })("several processes", (it) => {
  it.effect(
    "are restarted one after the other under load without a failed request",
    () =>
      Effect.gen(function* () {
        const connection = yield* here
        const sql = yield* SqlClient.SqlClient
        const { id, owner } = yield* seedOrganization({})
        const ports = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
        const start = (port: number) => service(connection, { ROLE: "api", PORT: String(port) })
        const nodes = yield* Effect.forEach(ports, start, { concurrency: 2 })
        const load = startLoad(
          nodes.map(({ url }) => url),
          { token: owner.token, organization: id },
          16
        )
        yield* pause(500)
        for (const [index, port] of ports.entries()) {
          const { code } = yield* stop(nodes[index] ?? (yield* Effect.die("no node")))
          expect(code).toBe(0)
          yield* pause(200)
          yield* start(port)
          yield* pause(300)
        }
        yield* Effect.promise(load.stop)
        console.log(`rolling restart: ${load.answered()} requests answered, ${load.resets()} connections reset`)
        expect(load.failures).toEqual([])
        expect(load.refusals).toEqual([])
        const kept = yield* sql<{ name: string }>`select name from customers where organization_id = ${id}`
        expect(kept.map(({ name }) => name).toSorted()).toEqual(load.acknowledged.toSorted())
        expect(load.answered()).toBeGreaterThan(100)
      }).pipe(Effect.scoped),
    180_000
  )

  it.effect(
    "stop within their limit although a client keeps a request open, and report it to probes",
    () =>
      Effect.gen(function* () {
        const node = yield* service(yield* here, { ROLE: "api" })
        const port = Number(new URL(node.url).port)
        const hanging = connect(port, "127.0.0.1")
        hanging.write("POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        hanging.on("error", () => undefined)
        const kept = connect(port, "127.0.0.1")
        let answer = ""
        kept.on("error", () => undefined)
        kept.on("data", (chunk) => (answer += String(chunk)))
        const ask = () => kept.write("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        ask()
        yield* Effect.promise(() => expect.poll(() => answer, patience).toMatch(/^HTTP\/1.1 200 /))
        const stopped = yield* Effect.forkChild(stop(node))
        // The process first stops accepting connections. It still answers a request on a connection that is open
        // already.
        yield* Effect.promise(() => expect.poll(() => probe(`${node.url}/health/live`), patience).toBeUndefined())
        answer = ""
        ask()
        yield* Effect.promise(() => expect.poll(() => answer, patience).toMatch(/^HTTP\/1.1 503 [^]*"stopping"/))
        expect(answer).toMatch(/^connection: close/im)
        const { code, ms } = yield* Fiber.join(stopped)
        expect(code).toBe(0)
        expect(ms).toBeLessThan(stop_ms_max)
      }).pipe(Effect.scoped),
    120_000
  )
})
