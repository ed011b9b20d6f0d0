import { Effect, Schedule } from "effect"
import { expect, it } from "@effect/vitest"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { freePort } from "../../support/FreePort.ts"
import { testDatabase } from "../../support/Postgres.ts"
import { seedOrganization } from "../../support/Seed.ts"
import { collector } from "./Collector.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"
const traceparent = `00-${traceId}-${parentId}-01`

/** Runs `npm start` on the test's database until the scope ends, exporting to the collector. */
const service = Effect.fn("service")(function* (otlp: string, database: string) {
  const { host, password, port: databasePort, username } = inject("postgres")
  const port = yield* Effect.promise(freePort)
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "invoicing-trace-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const env = {
    PATH: process.env["PATH"],
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://${username}:${encodeURIComponent(password)}@${host}:${databasePort}/${database}`,
    SEED_DEMO: "false",
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
    OTEL_BSP_SCHEDULE_DELAY: "50"
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "ignore", "inherit"] })),
    (child) =>
      Effect.promise(async () => {
        const exited = once(child, "exit")
        if (child.exitCode === null && child.kill("SIGTERM")) await exited
      })
  )
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}/health/live`)).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2_000 })
  )
  return url
})

it.layer(testDatabase, { excludeTestServices: true })("the running service", (it) => {
  it.effect("makes one trace of a request with a traceparent: HTTP, service and SQL, exported over OTLP", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [{ name } = { name: "" }] = yield* sql<{ name: string }>`select current_database() as name`
      const { id, owner } = yield* seedOrganization({})
      const otlp = yield* collector
      const url = yield* service(otlp.url, name)

      const answer = yield* Effect.promise(() =>
        fetch(`${url}/api/v1/customers`, {
          method: "POST",
          headers: {
            traceparent,
            authorization: `Bearer ${owner.token}`,
            "x-organization-id": String(id),
            "content-type": "application/json"
          },
          body: JSON.stringify({ name: "Beta" })
        })
      )
      expect(answer.status).toBe(201)

      const spans = yield* Effect.suspend(() => {
        const trace = otlp.spans().filter(({ trace_id }) => trace_id === traceId)
        return trace.some(({ parent_id }) => parent_id === parentId) ? Effect.succeed(trace) : Effect.fail("not yet")
      }).pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2_000 }))

      const http = spans.find(({ parent_id }) => parent_id === parentId)
      const use = spans.find((span) => span.name === "Customers.create")
      const statements = spans.filter(({ attributes }) => attributes["db.query.text"] !== undefined)
      expect(http?.attributes).toMatchObject({ "http.route": "/api/v1/customers", "http.response.status_code": "201" })
      expect(use?.parent_id).toBe(http?.span_id)

      const byId = new Map(spans.map((span) => [span.span_id, span]))
      const isBelow = (span: (typeof spans)[number] | undefined, id = ""): boolean =>
        span !== undefined && (span.span_id === id || isBelow(byId.get(span.parent_id), id))
      const written = statements.filter(({ attributes }) =>
        attributes["db.query.text"]?.includes("insert into customers")
      )
      expect(written).toHaveLength(1)
      expect(isBelow(written[0], use?.span_id)).toBe(true)
      expect(written[0]?.attributes).toMatchObject({ "db.namespace": name })
      // The edge's statement, which admits the request, belongs to the trace, too.
      expect(statements.some(({ attributes }) => attributes["db.query.text"]?.includes("credentials"))).toBe(true)
      for (const span of spans) expect([span.name, isBelow(span, http?.span_id)]).toEqual([span.name, true])
      expect([...otlp.services()]).toEqual(["invoicing"])
      expect(otlp.everything()).not.toContain(owner.token)
    }).pipe(Effect.scoped)
  )
})
