import { Effect, Schedule } from "effect"
import { expect, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../support/FreePort.ts"
import { testDatabase } from "../../support/Postgres.ts"
import { seedOrganization } from "../../support/Seed.ts"
import { here, urlOf } from "../../support/Service.ts"
import { collector } from "./Collector.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"
const traceparent = `00-${traceId}-${parentId}-01`

/** Runs `npm start` on the test's database until the scope ends, exporting to the collector. */
const service = Effect.fn("service")(function* (otlp: string) {
  const port = yield* Effect.promise(freePort)
  const lines: Array<string> = []
  const metricsPort = yield* Effect.promise(freePort)
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "invoicing-trace-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(yield* here),
    SEED_DEMO: "false",
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    METRICS_PORT: String(metricsPort),
    ACCESS_LOG: "true"
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] })
      started.stdout.on("data", (chunk: Buffer) => lines.push(...chunk.toString().split("\n")))
      return started
    }),
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
  return { url, metrics: `http://127.0.0.1:${metricsPort}/metrics`, lines }
})

it.layer(testDatabase, { excludeTestServices: true })("the running service", (it) => {
  it.effect("makes one trace of a request with a traceparent: HTTP, service and SQL, exported over OTLP", () =>
    Effect.gen(function* () {
      const { database } = yield* here
      const { id, owner } = yield* seedOrganization({})
      const otlp = yield* collector
      const { lines, metrics, url } = yield* service(otlp.url)

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
      expect(written[0]?.attributes).toMatchObject({ "db.namespace": database })
      expect(http?.name).toBe("POST /api/v1/customers")
      expect(http?.attributes).toMatchObject({ organization_id: String(id), actor: `user:${owner.id}` })
      expect(http?.attributes["request_id"]).toBe(answer.headers.get("x-request-id"))
      expect(written[0]?.name).toBe("INSERT customers")
      // An idle process polls its queues, and a trace of each poll would bury the requests.
      const polls = otlp
        .spans()
        .filter(({ attributes, parent_id }) => parent_id === "" && "db.query.text" in attributes)
      expect(polls.filter(({ attributes }) => attributes["db.query.text"]?.includes("jobs"))).toEqual([])
      // The edge's statement, which admits the request, belongs to the trace, too.
      expect(statements.some(({ attributes }) => attributes["db.query.text"]?.includes("credentials"))).toBe(true)
      for (const span of spans) expect([span.name, isBelow(span, http?.span_id)]).toEqual([span.name, true])
      expect([...otlp.services()]).toEqual(["invoicing"])
      const line = lines.find((text) => text.includes('"message":"request"')) ?? "{}"
      expect(JSON.parse(line)).toMatchObject({
        method: "POST",
        route: "/api/v1/customers",
        status: 201,
        organization_id: id,
        actor: `user:${owner.id}`,
        trace_id: traceId
      })
      const statuses = [metrics, `${url}/metrics`, metrics.replace("/metrics", "/api/v1/customers")]
      const answers = yield* Effect.promise(() => Promise.all(statuses.map((address) => fetch(address))))
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 404])
      expect(otlp.everything()).not.toContain(owner.token)
    }).pipe(Effect.scoped)
  )
})
