import { once } from "node:events"
import { createServer, IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { afterAll, expect, it } from "vitest"
import { boundConnections } from "../../../src/platform/http/Connections.ts"
import { freePort } from "../../support/FreePort.ts"

const ends: Array<() => Promise<unknown>> = []
afterAll(() => Promise.all(ends.map((end) => end())))

const until = (check: () => boolean) => expect.poll(check, { timeout: 60_000 }).toBe(true)

/** A server with room for three connections and four requests on each, which answers `/now` and keeps others waiting. */
const listen = async () => {
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
      if (request.url === "/now") response.end("now")
      else held.push(response)
    }),
    { connections: 3, pipelined: 4 }
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const sockets: Array<Socket> = []
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** Connected as the server sees it, with everything that comes back. */
  const open = async () => {
    const accepted = once(server, "connection")
    const socket = connect(port, "127.0.0.1")
    sockets.push(socket)
    const received = { text: "" }
    socket.on("data", (chunk) => (received.text += chunk.toString())).on("error", () => {})
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    await accepted
    const send = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return { socket, received, closed, send }
  }
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { asked, held, open, connections, parsed: () => parsed }
}

it("gives the place of the connection that is silent the longest to one too many", async () => {
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

it("holds no more connections than that although each has begun a request", async () => {
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

it("refuses a connection while every other one waits for an answer, and takes the next one after it", async () => {
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

it("closes a connection that sends more requests than it may without waiting, and reads no more of them", async () => {
  const { asked, open, parsed } = await listen()
  const patient = await open()
  patient.socket.write("GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(4))
  await until(() => patient.received.text.split("HTTP/1.1 200").length === 5)
  const flood = await open()
  flood.socket.write("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000))
  await flood.closed
  expect(asked.map(({ url }) => url)).toEqual([...Array(4).fill("/now"), ...Array(4).fill("/later")])
  // The one too many, and the one at which the parser stops.
  expect(parsed()).toBeLessThanOrEqual(asked.length + 2)
})
