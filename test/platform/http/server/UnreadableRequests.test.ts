import { once } from "node:events"
import { createServer, type RequestListener, type ServerOptions, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { discardingBodies } from "../../../../src/platform/http/server/DiscardedBodies.ts"
import { answerUnreadable } from "../../../../src/platform/http/server/UnreadableRequests.ts"
import { useApp } from "../../../support/App.ts"
import { freePort } from "../../../support/counterparts/FreePort.ts"

const ends: Array<() => void> = []
afterAll(() => ends.forEach((end) => end()))

/** A time limit that no machine exceeds. */
const long_ms = 60_000
const piece_pause_ms = 30

const long_address = `POST /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n`
const piece = "y".repeat(100_000)

/** Sends the pieces, then reads everything until the connection is closed, and returns how it was closed. */
const talk = async (port: number, pieces: ReadonlyArray<string>) => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  ends.push(() => socket.destroy())
  let text = ""
  let error: string | undefined
  socket.on("error", (failure: NodeJS.ErrnoException) => (error = failure.code))
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  await Promise.race([once(socket, "connect"), closed])
  for (const each of pieces) {
    socket.write(each)
    await sleep(piece_pause_ms)
  }
  socket.on("data", (chunk) => (text += chunk.toString())).once("end", () => socket.end())
  await closed
  const [head = "", body = ""] = text.split("\r\n\r\n")
  return { head, body, error, text }
}

const listen = async (
  limits: { readonly connections: number; readonly duration_ms: number },
  handle: RequestListener = (_request, response) => response.end("answered"),
  options: ServerOptions = {}
) => {
  const server = answerUnreadable(createServer(options, handle), discardingBodies(), limits)
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return port
}

const patient = { connections: 2, duration_ms: long_ms }

describe("a request that cannot be read", () => {
  const app = useApp()
  it.each([
    [431, "headers_too_large", long_address],
    [431, "headers_too_large", `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`],
    [400, "malformed_request", "GET / HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n"],
    [400, "malformed_request", "\u0000\u0001\u0002\r\n\r\n"],
    [400, "malformed_request", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
    [417, "expectation_failed", "GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n"],
    [417, "expectation_failed", `POST /none HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 9\r\n\r\n{}`],
    [413, "payload_too_large", `POST /none HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${piece}`]
  ])("is %i %s, in the form of every refusal, and ends the connection", async (status, code, request) => {
    const { body, head } = await talk(Number(new URL(app.url).port), [request])
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/\r\nX-Request-Id: [\w-]{36}\r\n/)
    expect(head).toContain("\r\nX-Content-Type-Options: nosniff\r\n")
    expect(head).toContain("\r\nContent-Type: application/json; charset=utf-8\r\n")
    expect(head).toMatch(/\r\nConnection: close$/)
    expect(JSON.parse(body)).toEqual({ success: false, code, message: expect.any(String) })
  })
})

describe("a HEAD request that cannot be read", () => {
  it.each([
    [431, long_address.replace("POST", "HEAD")],
    [400, "HEAD / HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n"]
  ])("is %i, with the head of its answer only", async (status, request) => {
    const { body, head, text } = await talk(await listen(patient), [request])
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nContent-Length: [1-9]`))
    expect([text.endsWith("\r\n\r\n"), body]).toEqual([true, ""])
  })

  it("is recognized after another request, and so is another request after it", async () => {
    const port = await listen(patient)
    const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    const unreadable = "/ HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n"
    expect((await talk(port, [get, `HEAD ${unreadable}`])).text).toMatch(/answeredHTTP\/1\.1 400 [^{]*\r\n\r\n$/)
    const head = get.replace("GET", "HEAD")
    expect((await talk(port, [head, `GET ${unreadable}`])).text).toMatch(/HTTP\/1\.1 400 [^{]*\r\n\r\n\{.*\}$/)
  })
})

it("a client that sends its body in pieces before it reads gets the whole answer to its overlong address", async () => {
  const port = await listen(patient)
  const { body, error, head } = await talk(port, [long_address, piece, piece, piece])
  expect([head.split(" ", 2)[1], error]).toEqual(["431", undefined])
  expect(JSON.parse(body).code).toBe("headers_too_large")
})

it("a client that takes too long to send its headers is answered 408", async () => {
  const port = await listen(patient, undefined, { headersTimeout: 50, connectionsCheckingInterval: 50 })
  const { body } = await talk(port, ["GET / HTTP/1.1\r\nHost: localhost\r\n"])
  expect(JSON.parse(body).code).toBe("request_timeout")
})

it("a request that was read completely gets its own answer, and what follows it gets none", async () => {
  const begun = Promise.withResolvers<void>()
  const port = await listen(patient, (_request, response) => {
    begun.resolve()
    setTimeout(() => response.end("late"), piece_pause_ms)
  })
  const whole = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
  const { text } = await talk(port, [`${whole} and more than was announced`])
  await begun.promise
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  expect(text).toMatch(/Connection: close\r\n/i)
  expect(text).toMatch(/\r\n\r\nlate$/)
})

it("an unreadable request gets its own answer even if the answer before it is not finished yet", async () => {
  const begun = Promise.withResolvers<ServerResponse>()
  const port = await listen(patient, (_request, response) => {
    response.writeHead(200, { "content-length": 4 }).write("full")
    begun.resolve(response)
  })
  const socket = connect({ port, host: "127.0.0.1" })
  ends.push(() => socket.destroy())
  let text = ""
  socket.on("data", (chunk) => (text += chunk.toString()))
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
  await expect.poll(() => text.endsWith("full"), { timeout: long_ms }).toBe(true)
  socket.write(long_address)
  await sleep(piece_pause_ms)
  ;(await begun.promise).end()
  await once(socket, "end")
  expect(text).toMatch(/full\r?\n?HTTP\/1\.1 431 /)
})

it("a body that breaks in the middle is 400, and its reader learns that it ended", async () => {
  const broken = Promise.withResolvers<void>()
  const port = await listen({ connections: 2, duration_ms: 50 }, (request) => {
    request.resume().once("close", () => broken.resolve())
  })
  const start = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
  const { body } = await talk(port, [start, "no length\r\n"])
  expect(JSON.parse(body).code).toBe("malformed_request")
  await broken.promise
})

it("a client that sends without end is cut off", async () => {
  const port = await listen({ connections: 2, duration_ms: 50 })
  const socket = connect({ port, host: "127.0.0.1" })
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  socket.on("error", () => {}).on("drain", pour)
  socket.write(long_address)
  pour()
  await closed
})

it("a connection beyond the limit of lingering ones is closed with its answer", async () => {
  const port = await listen(patient)
  const unread = async () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    ends.push(() => socket.destroy())
    socket.on("error", () => {}).write(long_address)
    await once(socket, "readable")
    return socket
  }
  await unread()
  await unread()
  const late = await unread()
  expect(String(late.read())).toMatch(/^HTTP\/1\.1 431 /)
  // The connection is gone, so sooner or later a write to it fails.
  const closed = new Promise<void>((resolve) => late.once("close", () => resolve()))
  const writing = setInterval(() => late.write(piece), piece_pause_ms)
  await closed
  clearInterval(writing)
})
