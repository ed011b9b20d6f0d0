import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useArchive } from "../../archive/DocumentArchiver.ts"
import type { Books } from "../../support/Billing.ts"
import { freePort } from "../../support/counterparts/FreePort.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { hasNginx, outer_proxy, startNginx } from "../../support/counterparts/Nginx.ts"
import { answer_ms_max, ask, jsonOf, type Sending, talk } from "../Asking.ts"

const mails = await smtp()
const { app, archiveAll, build, open } = useArchive({ ...mails.settings, trustedProxies: ["127.0.0.1/32"] })

describe.skipIf(!hasNginx)("behind nginx", () => {
  let proxy: Awaited<ReturnType<typeof startNginx>>
  let books: Books
  let credentials: Record<string, string>

  beforeAll(async () => {
    // The proxy sends every second request to a port without a process first, and then to the running process.
    proxy = await startNginx([Number(new URL(app.url).port), await freePort()])
    books = await open()
    credentials = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  })
  afterAll(() => proxy.stop())

  const call = (method: string, path: string, sending: Sending = {}) =>
    ask(proxy.url, method, path, { ...sending, headers: { ...credentials, ...sending.headers } })
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    call("POST", "/api/v1/customers", { body, headers: { "content-type": "application/json", ...headers } })
  it("everything is answered as by the service itself", async () => {
    const invoice = await books.issued()
    await books.made("POST", `/invoices/${invoice.id}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
    const link = new URL(mails.received.at(-1)?.link ?? "").pathname
    await archiveAll(books)
    const order = await books.made("POST", "/archive/exports")
    await build(books, order.id)
    const kinds = [
      ["GET", "/health/ready", 200],
      ["HEAD", "/health/live", 200],
      ["GET", "/api/v1/invoices?per_page=1", 200],
      ["GET", `/api/v1/invoices/${invoice.id}`, 200],
      ["HEAD", `/api/v1/invoices/${invoice.id}`, 200],
      ["GET", `/api/v1/invoices/${invoice.id}/pdf`, 200],
      ["GET", `/api/v1/archive/exports/${order.id}/download`, 200],
      ["GET", link, 200],
      ["GET", `${link}/pdf`, 200],
      ["GET", "/docs", 200],
      ["GET", "/openapi.json", 200],
      ["GET", "/admin", 303],
      ["OPTIONS", "/api/v1/invoices", 405],
      ["PATCH", "/api/v1/invoices", 405],
      ["GET", "/api/v1/none", 404],
      ["POST", "/oauth/token", 400]
    ] as const
    /** Headers that describe the connection, the time or a single request. */
    const own = [
      "connection",
      "keep-alive",
      "transfer-encoding",
      "date",
      "server",
      "x-request-id",
      "x-ratelimit-remaining"
    ]
    for (const [method, path, status] of kinds) {
      const [direct, through] = [await ask(app.url, method, path, { headers: credentials }), await call(method, path)]
      const told = ({ headers }: typeof direct) =>
        Object.entries(headers)
          .filter(([name]) => !own.includes(name))
          .toSorted(([one], [other]) => one.localeCompare(other))
      expect([path, through.status, told(through)]).toEqual([path, status, told(direct)])
      expect(through.bytes.equals(direct.bytes)).toBe(true)
    }
  })

  it("a file of 10 MiB is uploaded and downloaded", async () => {
    const { id } = await books.draft()
    const path = `/api/v1/invoices/${id}/attachments`
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(10 * 1024 * 1024 - 9, "x")])
    const form = new FormData()
    form.set("file", new Blob([file]), "large.pdf")
    const encoded = new Response(form)
    const headers = { "content-type": encoded.headers.get("content-type") ?? "" }
    const made = await call("POST", path, { headers, body: await encoded.bytes() })
    expect([made.status, jsonOf(made).data?.file_size]).toEqual([201, file.length])
    const kept = await call("GET", `${path}/${jsonOf(made).data.id}/download`)
    expect(kept.bytes.equals(file)).toBe(true)
  })

  it("a client may wait for 100 Continue, and repeat a request under its key", async () => {
    const body = JSON.stringify({ name: "Gamma" })
    const length = String(Buffer.byteLength(body))
    const headers = { "idempotency-key": "one", expect: "100-continue", "content-length": length }
    const answers = [await post(body, headers), await post(body, headers), await post(body, headers)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map((answer) => jsonOf(answer).data.id)).size).toBe(1)
    expect(answers.map((answer) => answer.headers["idempotency-replayed"])).toEqual([undefined, "true", "true"])
  })

  it("a body that is too large is refused by the service, however it is sent", async () => {
    const body = Buffer.alloc(6 * 1024 * 1024, " ")
    for (const [name, value] of [
      ["content-length", String(body.length)],
      ["transfer-encoding", "chunked"]
    ] as const) {
      const answer = await post(body, { [name]: value })
      expect([answer.status, jsonOf(answer).code]).toEqual([413, "payload_too_large"])
    }
  })

  it("metrics are not visible from outside, however they are requested", async () => {
    for (const path of [
      "/metrics",
      "/metrics/",
      "//metrics",
      "/metrics//",
      "/%6detrics/",
      "/./metrics",
      "/metrics?a"
    ]) {
      const { head, body } = await talk(proxy.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect([path, head.slice(9, 12), JSON.parse(body).code]).toEqual([path, "404", "not_found"])
    }
  })

  it.each([
    [400, "malformed_request", "GARBAGE\r\n\r\n"],
    [400, "malformed_request", "GET / HTTP/1.1\r\n\r\n"],
    [400, "malformed_request", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"],
    [405, "method_not_allowed", "TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    [431, "headers_too_large", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
    [431, "headers_too_large", `GET /${"x".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    [
      431,
      "headers_too_large",
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\nConnection: close\r\n\r\n`
    ],
    [431, "headers_too_large", `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`]
  ])("a request that is refused before the service is %i %s in its form", async (status, code, text) => {
    const { body, head } = await talk(proxy.port, text)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/)
    expect(head).toMatch(/\r\nX-Request-Id: [\w-]{32,36}(\r\n|$)/)
    expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff(\r\n|$)/)
    expect(JSON.parse(body)).toEqual({ success: false, code, message: expect.any(String) })
  })

  it("a client that is still sending when it is refused reads the answer", async () => {
    const socket = connect({ port: proxy.port, host: "127.0.0.1", allowHalfOpen: true })
    const closed = once(socket, "close")
    let answer = ""
    socket.on("data", (chunk) => (answer += String(chunk)))
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${"X-Long: ".padEnd(32 * 1024, "x")}`)
    await expect.poll(() => answer, { timeout: answer_ms_max }).toMatch(/^HTTP\/1.1 431 /)
    for (let pieces = 3; pieces > 0; pieces--) {
      socket.write("x".repeat(7_000))
      await sleep(50)
    }
    socket.end()
    await closed
    expect(answer).toContain('"headers_too_large"')
  })

  it("headers that the service accepts are passed on", async () => {
    const answer = await call("GET", "/api/v1/invoices", { headers: { "x-long": "x".repeat(12_000) } })
    expect(answer.status).toBe(200)
  })

  it("a request of HTTP/1.0 need not name a host", async () => {
    const { head } = await talk(proxy.port, "GET /health/live HTTP/1.0\r\n\r\n")
    expect(head).toMatch(/^HTTP\/1.1 200 /)
  })

  it("a valid request id of the client is kept, any other one is replaced", async () => {
    for (const path of ["/api/v1/invoices", "/metrics"]) {
      for (const [id, expected] of [
        ["order-4711", /^order-4711$/],
        ['a"b', /^[0-9a-f]{32}$/]
      ] as const) {
        expect((await call("GET", path, { headers: { "x-request-id": id } })).headers["x-request-id"]).toMatch(expected)
      }
    }
  })

  it("the trace context of a stranger is removed", async () => {
    const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers))).listen(0, "127.0.0.1")
    await once(echo, "listening")
    const address = echo.address()
    const traced = await startNginx([typeof address === "object" ? (address?.port ?? 0) : 0, await freePort()])
    const headers = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, tracestate: "a=b", "x-kept": "yes" }
    const { traceparent, tracestate, ...passed } = jsonOf(await ask(traced.url, "GET", "/", { headers }))
    expect([passed["x-kept"], traceparent, tracestate]).toEqual(["yes", undefined, undefined])
    await traced.stop()
    echo.close()
  })

  it("the rate limit counts the client's real address; only a local proxy may name another one", async () => {
    for (const [from, claimed, used] of [
      ["127.0.0.3", "203.0.113.1", 1],
      ["127.0.0.3", "203.0.113.2", 2],
      [outer_proxy, "203.0.113.1", 1],
      [outer_proxy, "203.0.113.2", 1],
      [outer_proxy, "192.0.2.1, 203.0.113.2", 2]
    ] as const) {
      const { headers } = await ask(proxy.url, "GET", "/api/v1/none", { from, headers: { "x-forwarded-for": claimed } })
      const [limit, remaining] = [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]].map(Number)
      expect([from, claimed, (limit ?? 0) - (remaining ?? 0)]).toEqual([from, claimed, used])
    }
  })

  it("an address has at most 256 requests in progress, and does not block others", async () => {
    const unfinished = "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"
    let refused = 0
    const sockets = Array.from({ length: 260 }, () => {
      const socket = connect({ port: proxy.port, host: "127.0.0.1", localAddress: "127.0.0.4" })
      socket.on("data", (chunk) => (refused += /^HTTP\/1.1 503 [^]*\r\nRetry-After: 2\r\n/.test(String(chunk)) ? 1 : 0))
      socket.on("error", () => undefined).write(unfinished)
      return socket
    })
    await expect.poll(() => refused, { timeout: answer_ms_max }).toBe(4)
    const answer = await ask(proxy.url, "GET", "/health/live", { from: "127.0.0.4" })
    expect([answer.status, jsonOf(answer).code]).toEqual([503, "unavailable"])
    expect((await ask(proxy.url, "GET", "/health/live", { from: "127.0.0.5" })).status).toBe(200)
    sockets.forEach((socket) => socket.destroy())
  })
})
