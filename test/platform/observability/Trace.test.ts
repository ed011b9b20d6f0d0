import { DateTime, Effect, Schedule } from "effect"
import { expect, it } from "@effect/vitest"
import { SqlClient } from "effect/sql"
import { freePort } from "../../support/counterparts/FreePort.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { seedOrganization } from "../../support/database/Seed.ts"
import { here, service } from "../../support/service/Service.ts"
import { collector } from "./Collector.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"
const traceparent = `00-${traceId}-${parentId}-01`

/** Runs the service on the test's database until the scope ends, exporting to the collector. */
const exporting = Effect.fnUntraced(function* (otlp: string) {
  const metricsPort = String(yield* Effect.promise(freePort))
  const { output, url } = yield* service(yield* here, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    METRICS_PORT: metricsPort,
    ACCESS_LOG: "true"
  })
  return { url, metrics: `http://127.0.0.1:${metricsPort}/metrics`, lines: () => output().split("\n") }
})

const until = <A>(find: () => A | undefined) =>
  Effect.suspend(() => {
    const found = find()
    return found === undefined ? Effect.fail("not yet") : Effect.succeed(found)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2_000 }))

it.layer(testDatabase, { excludeTestServices: true })("the running service", (it) => {
  it.effect("makes one trace of a request with a traceparent: HTTP, service and SQL, exported over OTLP", () =>
    Effect.gen(function* () {
      const { database } = yield* here
      const { id, owner } = yield* seedOrganization({})
      const otlp = yield* collector
      const { lines, metrics, url } = yield* exporting(otlp.url)

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
      expect(http?.attributes).toMatchObject({ "organization.id": String(id), actor: `user:${owner.id}` })
      expect(http?.attributes["request_id"]).toBe(answer.headers.get("x-request-id"))
      expect(written[0]?.name).toBe("INSERT customers")
      const anonymous = yield* Effect.promise(() => fetch(`${url}/api/v1/customers`))
      expect(anonymous.status).toBe(401)
      const request_id = anonymous.headers.get("x-request-id")
      const refused = yield* until(() => otlp.spans().find(({ attributes }) => attributes["request_id"] === request_id))
      expect([refused.status, "organization.id" in refused.attributes, "actor" in refused.attributes]).toEqual([
        "unset",
        false,
        false
      ])
      // An idle process polls its queues, and a trace of each poll would bury the requests.
      const polls = otlp
        .spans()
        .filter(({ attributes, parent_id }) => parent_id === "" && "db.query.text" in attributes)
      expect(polls.filter(({ attributes }) => attributes["db.query.text"]?.includes("jobs"))).toEqual([])
      // The SQL query that checks the token and the rate limit belongs to the trace of the request, too.
      expect(statements.some(({ attributes }) => attributes["db.query.text"]?.includes("credentials"))).toBe(true)
      for (const span of spans) expect([span.name, isBelow(span, http?.span_id)]).toEqual([span.name, true])
      expect([...otlp.services()]).toEqual(["invoicing"])
      const line = yield* until(() => lines().find((text) => text.includes('"message":"request"')))
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

  it.effect("answers the questions of an operator from traces, logs and metrics alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id, owner } = yield* seedOrganization({})
      const dead = { id: "of-this-test", queue_name: "mail", element: "{}", attempts: 5, last_failure: "refused" }
      const at = DateTime.formatIso(yield* DateTime.now).slice(0, 19)
      yield* sql`insert into jobs ${sql.insert({ ...dead, state: "failed", visible_at: at, created_at: at, updated_at: at })}`
      const otlp = yield* collector
      const { lines, metrics, url } = yield* exporting(otlp.url)
      const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
      const request = (path: string, body?: unknown) =>
        Effect.promise(async () => {
          const sent = { method: "POST", headers: { ...headers, "content-type": "application/json" } }
          const options = body === undefined ? { headers } : { ...sent, body: JSON.stringify(body) }
          const answer = await fetch(`${url}/api/v1${path}`, options)
          const { data } = JSON.parse(await answer.text())
          return { request_id: answer.headers.get("x-request-id"), status: answer.status, data }
        })
      const logged = (request_id: string | null, message: string) =>
        until(() => {
          const found = lines().find(
            (line) => line.includes(`"${request_id}"`) && line.includes(`"message":${message}`)
          )
          return found === undefined ? undefined : JSON.parse(found)
        })
      const scraped = (pattern: RegExp) =>
        Effect.suspend(() => Effect.promise(async () => (await fetch(metrics)).text())).pipe(
          Effect.filterOrFail(
            (text) => pattern.test(text),
            (text) => `${pattern} is not in ${text}`
          ),
          Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 200 })
        )

      const customer = yield* request("/customers", { name: "Beta", email: "a@beta.example" })
      const dates = { issue_date: "2026-03-01", due_date: "2026-03-31", currency: "EUR" }
      const items = [{ description: "Consulting", unit_price: 100 }]
      const invoice = yield* request("/invoices", { customer_id: customer.data.id, ...dates, items })
      const mailed = yield* request(`/invoices/${invoice.data.id}/send`, {
        recipients: "a@beta.example",
        attach_pdf: false
      })
      expect(mailed.status).toBe(200)

      // The log and the trace show why this request was slow.
      const slow = yield* logged(mailed.request_id, '"request"')
      expect(slow).toMatchObject({ route: "/api/v1/invoices/:id/send", organization_id: id, actor: `user:${owner.id}` })
      expect(slow.duration_ms).toBeGreaterThan(0)
      const trace = yield* until(() => {
        const spans = otlp.spans().filter(({ trace_id }) => trace_id === slow.trace_id)
        return spans.some(({ attributes }) => attributes["request_id"] === mailed.request_id) ? spans : undefined
      })
      expect(trace.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["InvoiceSender.send", "INSERT document_sends"])
      )

      // The trace of a mail names the user who sent it.
      const [{ message_id } = { message_id: "" }] = yield* sql<{ message_id: string }>`
        select message_id from document_mails where organization_id = ${id}`
      const sender = trace.find(({ attributes }) => attributes["message_ids"]?.includes(message_id))
      expect(sender?.attributes["invoice.id"]).toBe(String(invoice.data.id))
      expect(trace.find(({ attributes }) => attributes["request_id"] !== undefined)?.attributes["actor"]).toBe(
        `user:${owner.id}`
      )

      // The log shows which request failed with status 500, and why.
      yield* sql`alter table quotes rename to quotes_gone`
      const failed = yield* request("/quotes")
      yield* sql`alter table quotes_gone rename to quotes`
      expect(failed.status).toBe(500)
      expect((yield* logged(failed.request_id, '"')).request_id).toBe(failed.request_id)
      const cause = yield* until(() =>
        lines().find((line) => line.includes(`"${failed.request_id}"`) && line.includes('"cause"'))
      )
      expect(cause).toContain('relation \\"quotes\\" does not exist')
      expect(JSON.parse(cause)).toMatchObject({ method: "GET", route: "/api/v1/quotes", organization_id: id })

      // The metrics show delays of the outbox, sent mail, dead jobs, the load of the database, and the use of the disk.
      yield* scraped(
        /^http_server_request_duration_seconds_count\{.*http_route="\/api\/v1\/quotes",http_response_status_code="500"\} 1/m
      )
      yield* scraped(/^mails_total\{.*outcome="accepted".*\} 1/m)
      yield* scraped(/^outbox_age_seconds(\{.*\})? \d/m)
      yield* scraped(/^webhook_backlog_age_seconds(\{.*\})? 0/m)
      yield* scraped(/^jobs_dead\{queue="mail"\} 1/m)
      yield* scraped(/^jobs_oldest_seconds\{.*queue="archive\.proof".*\} \d/m)
      yield* scraped(/^pool_wait_seconds_count/m)
      yield* scraped(/^database_connections\{pool="invoicing",state="active"\} \d/m)
      yield* scraped(/^table_bytes\{.*table="audit_entries".*\} \d+/m)
      yield* scraped(/^process_resident_memory_bytes(\{.*\})? \d+/m)
      yield* scraped(/^nodejs_eventloop_delay_p99_seconds(\{.*\})? /m)

      yield* sql`alter table pdf_failures rename to pdf_failures_gone`
      // The slot is in the future, because a job of a past time slot would be skipped.
      const element = JSON.stringify({ payload: { slot: Number.MAX_SAFE_INTEGER }, traceparent: null })
      const job = { id: "failing", queue_name: "timed.pdf_failures.purge", element, state: "pending" }
      yield* sql`insert into jobs ${sql.insert({ ...job, visible_at: at, created_at: at, updated_at: at })}`
      const warned = yield* until(() => lines().find((line) => line.includes('"message":"job failed"')))
      yield* sql`alter table pdf_failures_gone rename to pdf_failures`
      expect(JSON.parse(warned)).toMatchObject({
        job: job.queue_name,
        job_id: job.id,
        attempt: 1,
        trace_id: expect.any(String)
      })
      expect(JSON.parse(warned).cause).toContain("pdf_failures")

      // The log shows which organization causes the most load.
      const sums = new Map<number, number>()
      for (const line of lines().filter((text) => text.includes('"message":"request"'))) {
        const { duration_ms, organization_id } = JSON.parse(line)
        sums.set(organization_id, (sums.get(organization_id) ?? 0) + duration_ms)
      }
      expect(sums.get(id)).toBeGreaterThan(slow.duration_ms)
    }).pipe(Effect.scoped)
  )
})
