import { once } from "node:events"
import { createServer, IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { afterAll, expect, it } from "vitest"
import { boundConnections, type CallerOf } from "../../../../src/platform/http/server/ConnectionLimits.ts"
import { freePort } from "../../../support/counterparts/FreePort.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

const until = (check: () => boolean) => expect.poll(check, { timeout: 60_000 }).toBe(true)

/** Allows three connections and four waiting requests. Answers with the path, except for `/later`. */
const listen = async (
  callerOf: CallerOf = (address) => address,
  connectionsPerCaller = 3,
  silentPerCaller_ms = 0,
  unheard = 3
) => {
  const asked: Array<IncomingMessage> = []
  let parsed = 0
  class Counted extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      parsed++
    }
  }
  const held: Array<ServerResponse> = []
  const server = boundConnections(
    createServer({ IncomingMessage: Counted }, (request, response) => {
      asked.push(request)
      if (request.url === "/later") return held.push(response)
      response.statusCode = request.url === "/refused" ? 429 : 200
      response.end(request.url?.slice(1))
    }),
    callerOf,
    { connections: 3, connectionsPerCaller, silentPerCaller_ms, unheard, waiting: 4 }
  )
  server.setMaxListeners(0)
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const sockets: Array<Socket> = []
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** Opens a connection, waits until the server has accepted it, and collects everything that comes back. */
  const open = async (localAddress = "127.0.0.1") => {
    const socket = connect({ port, host: "127.0.0.1", localAddress })
    const accepted = once(server, "connection")
    sockets.push(socket)
    const received = { text: "" }
    socket.on("data", (chunk) => (received.text += chunk.toString())).on("error", () => {})
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    // The server emits no `connection` event for a refused connection, so this also ends when the socket is closed.
    await Promise.race([accepted, closed])
    const send = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return { socket, received, closed, send }
  }
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { asked, held, open, connections, parsed: () => parsed }
}

it("evicts the connection that has been silent longest for one too many", async () => {
  const { asked, open } = await listen()
  const [busy, first, second] = [await open(), await open(), await open()]
  busy.send("/later")
  await until(() => asked.length === 1)
  first.send("/now")
  await until(() => first.received.text.endsWith("now"))
  const late = await open()
  await second.closed
  late.send("/now")
  await until(() => late.received.text.endsWith("now"))
  expect([busy, first].map(({ socket }) => socket.readyState)).toEqual(["open", "open"])
})

it("evicts the oldest connection without a request for one too many of these", async () => {
  const { open } = await listen(undefined, 3, 0, 1)
  const [silent, first] = [await open("127.0.0.2"), await open("127.0.0.3")]
  await silent.closed
  first.send("/now")
  await until(() => first.received.text.endsWith("now"))
  const half = await open("127.0.0.4")
  half.socket.write("GET /now HTTP/1.1\r\n")
  const late = await open("127.0.0.5")
  await half.closed
  late.send("/now")
  await until(() => late.received.text.endsWith("now"))
  expect([first, late].map(({ socket }) => socket.readyState)).toEqual(["open", "open"])
})

it("keeps to the limit although each connection has begun a request", async () => {
  const { connections, open } = await listen()
  const half = async () => {
    const one = await open()
    one.socket.write("GET /now HTTP/1.1\r\nHost: localhost\r\n")
    return one
  }
  const all = [await half(), await half(), await half()]
  for (let more = 0; more < 6; more++) all.push(await half())
  await Promise.all(all.slice(0, -3).map(({ closed }) => closed))
  await expect.poll(connections, { timeout: 60_000 }).toBe(3)
  const last = all.at(-1)
  last?.socket.write("\r\n")
  await until(() => last?.received.text.endsWith("now") === true)
})

it("refuses a connection while every other one waits for an answer, and accepts the next one afterwards", async () => {
  const { asked, held, open } = await listen()
  const all = [await open(), await open(), await open()]
  for (const { send } of all) send("/later")
  await until(() => asked.length === 3)
  await (
    await open()
  ).closed
  held[0]?.end("late")
  await until(() => all.some(({ received }) => received.text.endsWith("late")))
  const next = await open()
  next.send("/now")
  await until(() => next.received.text.endsWith("now"))
})

it("evicts the caller's own connection that has been silent longest for one too many of a caller", async () => {
  const { open } = await listen((address) => address, 2)
  const other = await open("127.0.0.2")
  const [first, second] = [await open(), await open()]
  const late = await open()
  await first.closed
  late.send("/now")
  await until(() => late.received.text.endsWith("now"))
  expect([other, second].map(({ socket }) => socket.readyState)).toEqual(["open", "open"])
})

it("refuses one connection too many of a caller whose other ones are new, and does not affect other callers", async () => {
  const { open } = await listen((address) => address, 2, 3_600_000)
  const both = [await open(), await open()]
  await (
    await open()
  ).closed
  const other = await open("127.0.0.2")
  for (const { received, send } of [...both, other]) {
    send("/now")
    await until(() => received.text.endsWith("now"))
  }
})

it("accepts a caller again as soon as one of its connections has been silent for long enough", async () => {
  const { open } = await listen((address) => address, 1, 50)
  await open()
  const answered = async () => {
    const { closed, received, send, socket } = await open()
    send("/now")
    await Promise.race([closed, once(socket, "data")])
    return received.text.endsWith("now")
  }
  await expect.poll(answered, { timeout: 60_000 }).toBe(true)
})

it("refuses one connection too many of a caller whose other ones wait for answers, and does not affect other callers", async () => {
  const { asked, open } = await listen((address) => address, 2)
  for (const { send } of [await open(), await open()]) send("/later")
  await until(() => asked.length === 2)
  await (
    await open()
  ).closed
  const other = await open("127.0.0.2")
  other.send("/now")
  await until(() => other.received.text.endsWith("now"))
})

it("does not count the connections of a proxy for a single caller", async () => {
  const { open } = await listen(() => undefined, 1)
  const both = [await open(), await open()]
  for (const { send } of both) send("/now")
  await until(() => both.every(({ received }) => received.text.endsWith("now")))
})

it("begins a request when the one before it on the connection is answered", async () => {
  const { asked, held, open } = await listen()
  const [one, other] = [await open(), await open()]
  one.socket.write("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2))
  await until(() => asked.length === 1)
  other.send("/now")
  await until(() => other.received.text.endsWith("now"))
  expect(asked.map(({ url }) => url)).toEqual(["/later", "/now"])
  held[0]?.end("first")
  await until(() => asked.length === 3)
  held[1]?.end("second")
  await until(() => one.received.text.endsWith("second"))
})

it("never begins a request of a connection that was closed, or that the answer before it ends", async () => {
  const { asked, held, open } = await listen()
  const [left, ended] = [await open(), await open()]
  for (const { socket } of [left, ended]) socket.write("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2))
  await until(() => asked.length === 2)
  held[1]?.setHeader("connection", "close").end("last")
  await ended.closed
  left.socket.destroy()
  await expect.poll(() => held[0]?.closed, { timeout: 10_000 }).toBe(true)
  expect(asked.length).toBe(2)
})

it("delays the request after a 429, longer each time, but not on the connection of a proxy", async () => {
  const refused = "GET /refused HTTP/1.1\r\nHost: localhost\r\n\r\n"
  const { asked, open } = await listen((address) => (address === "127.0.0.2" ? undefined : address))
  const [caller, proxy] = [await open("127.0.0.1"), await open("127.0.0.2")]
  const started = performance.now()
  for (const { socket } of [caller, proxy]) socket.write(refused.repeat(5))
  await until(() => [caller, proxy].every(({ received }) => received.text.split("HTTP/1.1 429").length === 6))
  expect(asked.at(-1)?.socket.remoteAddress).toBe("127.0.0.1")
  // The four delays are 100, 200, 300 and 400 ms; Node's timers may each fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(990)
})

it("counts a connection that closes after a 429 for another second, against its caller only", async () => {
  const { open } = await listen((address) => address, 2)
  const started = performance.now()
  const refuse = async () => {
    const one = await open()
    one.socket.write("GET /refused HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    await one.closed
    return one.received.text
  }
  expect(await refuse()).toContain("429")
  expect(await refuse()).toContain("429")
  const other = await open("127.0.0.2")
  other.send("/now")
  await until(() => other.received.text.endsWith("now"))
  await expect.poll(refuse, { timeout: 10_000 }).toContain("429")
  // Node's timers may fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(990)
})

it("closes a connection that sends too many requests without waiting, and reads no more of them", async () => {
  const { asked, open, parsed } = await listen()
  const patient = await open()
  patient.socket.write("GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(4))
  await until(() => patient.received.text.split("HTTP/1.1 200").length === 5)
  const flood = await open()
  flood.socket.write("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000))
  await flood.closed
  expect(asked.map(({ url }) => url)).toEqual([...Array(4).fill("/now"), "/later"])
  // Besides the handled requests, the server parsed four that waited, one that was too many, and one at which it
  // stopped.
  expect(parsed()).toBeLessThanOrEqual(asked.length + 4 + 2)
})
