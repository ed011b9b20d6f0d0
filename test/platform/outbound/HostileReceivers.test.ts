import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { OutboundFailed } from "../../../src/platform/outbound/Outbound.ts"
import { nameServer } from "./NameServer.ts"
import { allowing, post, receiver, response } from "./Receivers.ts"

/** Time limit of a request to a receiver that never finishes its answer. */
const time_limit_ms = 400
/** Time limit of all other requests, and the additional time that a loaded machine may take. */
const patience_ms = 60_000
const attempts = 24
const memory_bytes_max = 48 * 1024 * 1024

const head = "HTTP/1.1 200 OK\r\n"
const every = (ms: number, socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), ms)
  socket.on("close", () => clearInterval(timer))
}
/** Writes as fast as the other side reads. */
const flood = (socket: Socket, start: string, piece: string | Buffer) => {
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.write(start)
  socket.on("drain", pour)
  pour()
}
const megabyte = Buffer.alloc(1024 * 1024, "x")
const chunk = Buffer.concat([Buffer.from("100000\r\n"), megabyte, Buffer.from("\r\n")])
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

const slow = "The target did not answer in time."
const broken = "The target could not be reached."

/** Misbehaviours of a receiver, and their results. */
const receivers: ReadonlyArray<readonly [string, (socket: Socket) => void, string | number]> = [
  ["says nothing", () => undefined, slow],
  ["drips its headers", (socket) => (socket.write(head), every(20, socket, "x-drip: 1\r\n")), slow],
  ["drips its body", (socket) => (socket.write(`${head}content-length: 9999\r\n\r\n`), every(20, socket, "x")), slow],
  ["promises more than it sends", (socket) => void socket.write(`${head}content-length: 9\r\n\r\nx`), slow],
  ["is always about to answer", (socket) => every(20, socket, "HTTP/1.1 103 Early Hints\r\n\r\n"), slow],
  ["resets the connection", (socket) => void socket.resetAndDestroy(), broken],
  [
    "resets it in the middle of the body",
    (socket) => {
      socket.write(`${head}content-length: 9\r\n\r\nx`, () => socket.resetAndDestroy())
    },
    broken
  ],
  ["hangs up", (socket) => void socket.end(), broken],
  ["hangs up in the middle of the body", (socket) => void socket.end(`${head}content-length: 9\r\n\r\nx`), broken],
  ["speaks another protocol", (socket) => void socket.write("-ERR unknown command 'POST'\r\n"), broken],
  [
    "switches protocols",
    (socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")
    },
    broken
  ],
  ["sends one huge header", (socket) => void socket.write(`${head}x-a: ${"a".repeat(1024 * 1024)}\r\n\r\n`), broken],
  ["sends headers without end", (socket) => flood(socket, head, "x-a: a\r\n".repeat(8192)), broken],
  ["sends an endless header", (socket) => flood(socket, `${head}x-a: `, megabyte), broken],
  [
    "smuggles a second length",
    (socket) => {
      socket.write(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`)
    },
    broken
  ],
  [
    "sends chunk extensions without end",
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n1;`, megabyte),
    broken
  ],
  ["sends a body without end", (socket) => flood(socket, `${head}\r\n`, megabyte), 200],
  ["sends chunks without end", (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n`, chunk), 200],
  [
    "sends a bomb",
    (socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    },
    200
  ],
  ["answers twice", (socket) => void socket.write(response("a") + response("b")), 200]
]

describe("A receiver that", () => {
  for (const [behaviour, talk, outcome] of receivers) {
    it.live(`${behaviour} costs no more than its time and little memory`, () =>
      Effect.gen(function* () {
        const { port, sockets } = yield* receiver((socket) => talk(socket))
        const limit_ms = outcome === slow ? time_limit_ms : patience_ms
        const send = Effect.match(post(`http://127.0.0.1:${port}/`, limit_ms), {
          onFailure: ({ duration_ms, reason }) => ({ outcome: reason, duration_ms }),
          onSuccess: ({ duration_ms, status }) => ({ outcome: status, duration_ms })
        })
        const before = process.memoryUsage()
        const results = yield* Effect.all(
          Array.from({ length: attempts }, () => send),
          {
            concurrency: "unbounded"
          }
        ).pipe(Effect.provide(allowing([port])))
        const after = process.memoryUsage()

        expect(results.map((result) => result.outcome)).toEqual(results.map(() => outcome))
        for (const { duration_ms } of results) expect(duration_ms).toBeLessThan(time_limit_ms + patience_ms)
        expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(memory_bytes_max)
        yield* Effect.promise(() => Promise.all(sockets.map(closed)))
      })
    )
  }

  it.live("reports at once that nothing is left when its request is interrupted", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* receiver(() => undefined)
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(post(`http://127.0.0.1:${port}/`, 60_000))
        while (sockets[0] === undefined || sockets[0].bytesRead === 0) yield* Effect.sleep(5)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => Promise.all(sockets.map(closed)))
      }).pipe(Effect.provide(allowing([port])))
    })
  )

  it.live("hangs does not delay another request to the same host", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* receiver((socket, request) => {
        if (request.startsWith("POST /quick")) socket.write(response("quick"))
      })
      yield* Effect.gen(function* () {
        const slow = Array.from({ length: 200 }, () =>
          Effect.forkChild(Effect.flip(post(`http://127.0.0.1:${port}/`, "10 minutes")))
        )
        const fibers = yield* Effect.all(slow)
        while (requests.length < fibers.length) yield* Effect.sleep(5)
        expect((yield* post(`http://127.0.0.1:${port}/quick`, patience_ms)).body).toBe("quick")
        yield* Fiber.interruptAll(fibers)
      }).pipe(Effect.provide(allowing([port])))
    })
  )
})

describe("A name server that", () => {
  it.live("says nothing costs no more than the time limit, and delays no request to another host", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((socket) => void socket.write(response("quick")))
      const { resolver } = yield* nameServer(() => [])
      yield* Effect.gen(function* () {
        const waiting = yield* Effect.forEach(Array.from({ length: 100 }), (_, index) =>
          Effect.forkChild(Effect.flip(post(`https://silent${index}.example.com/`, time_limit_ms)))
        )
        expect((yield* post(`http://localhost:${port}/`, patience_ms)).body).toBe("quick")
        for (const failed of yield* Fiber.joinAll(waiting)) {
          expect(failed).toBeInstanceOf(OutboundFailed)
          expect(failed.reason).toBe(slow)
          expect(failed.duration_ms).toBeLessThan(time_limit_ms + patience_ms)
        }
      }).pipe(Effect.provide(allowing([port], resolver)))
    })
  )
})

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.on("close", () => resolve())))
