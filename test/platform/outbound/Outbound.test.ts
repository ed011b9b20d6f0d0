import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import type { Socket } from "node:net"
import { allowing, post, receiver, response } from "./Receivers.ts"

const answered = (talk: Parameters<typeof receiver>[0], body?: string) =>
  Effect.gen(function* () {
    const made = yield* receiver(talk)
    const answer = yield* post(`http://127.0.0.1:${made.port}/hook?a=b`, undefined, body).pipe(
      Effect.provide(allowing([made.port]))
    )
    return { ...made, ...answer }
  })

const bodyOf = (bytes: Buffer) =>
  Effect.map(
    answered((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`)
      socket.write(bytes)
    }),
    ({ body }) => body
  )

describe("Outbound.post", () => {
  it.live("sends the body unchanged, and requests neither compression nor another protocol", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* answered((socket) => void socket.write(response("fine")), '{"total":"1 €"}')
      const [head = "", sent] = requests.join("").split("\r\n\r\n")
      expect(sent).toBe('{"total":"1 €"}')
      expect(head.toLowerCase().split("\r\n").toSorted()).toEqual([
        "connection: keep-alive",
        "content-length: 17",
        "content-type: application/json",
        `host: 127.0.0.1:${port}`,
        "post /hook?a=b http/1.1"
      ])
    })
  )

  it.live("returns status, Retry-After, body and duration of any answer", () =>
    Effect.gen(function* () {
      const busy = response("later", "Retry-After: 120\r\nRetry-After: 7\r\n", "503 Busy")
      const answer = yield* answered((socket) => void setTimeout(() => socket.write(busy), 60))
      expect(answer.status).toBe(503)
      expect(answer.headers).toEqual({ retry_after: Option.some("120") })
      expect(answer.body).toBe("later")
      expect(answer.duration_ms).toBeGreaterThanOrEqual(50)
      const empty = yield* answered((socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n"))
      expect([empty.status, empty.body, empty.headers]).toEqual([204, "", { retry_after: Option.none() }])
    })
  )

  it.live("keeps connections for the next requests, and opens more when several are under way", () =>
    Effect.gen(function* () {
      const asking: Array<Socket> = []
      let together = 1
      const { port, requests, sockets } = yield* receiver((socket) => {
        asking.push(socket)
        if (asking.length === together) for (const asker of asking.splice(0)) asker.write(response("ok"))
      })
      const send = post(`http://127.0.0.1:${port}/`)
      yield* Effect.gen(function* () {
        for (let times = 0; times < 10; times++) yield* send
        expect(sockets.length).toBe(1)
        together = 100
        const several = Array.from({ length: together }, () => send)
        for (let times = 0; times < 2; times++) yield* Effect.all(several, { concurrency: "unbounded" })
      }).pipe(Effect.provide(allowing([port])))
      expect([requests.length, sockets.length]).toEqual([210, 100])
    })
  )

  it.live("waits longer for an answer than an idle connection is kept, and reads it in parts", () =>
    Effect.gen(function* () {
      const { body, duration_ms } = yield* answered((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsl")
        setTimeout(() => socket.write("ow"), 1300)
      })
      expect(body).toBe("slow")
      expect(duration_ms).toBeGreaterThanOrEqual(1200)
    })
  )

  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    it.live(`treats a ${status} as the answer and does not follow it`, () =>
      Effect.gen(function* () {
        const elsewhere = yield* receiver((socket) => void socket.write(response("secret")))
        const places = [
          `http://127.0.0.1:${elsewhere.port}/`,
          `http://localhost:${elsewhere.port}/`,
          "/other",
          "//[::1]/"
        ]
        for (const place of places) {
          const redirect = response("moved", `Location: ${place}\r\nRefresh: 0;url=${place}\r\n`, `${status} Moved`)
          const here = yield* receiver((socket) => void socket.write(redirect))
          const answer = yield* post(`http://127.0.0.1:${here.port}/hook`).pipe(
            // The second port is allowed, too, so that only the client itself can prevent following the redirect.
            Effect.provide(allowing([here.port, elsewhere.port]))
          )
          expect([answer.status, answer.body]).toEqual([status, "moved"])
          expect(here.requests.length).toBe(1)
        }
        expect(elsewhere.sockets.length).toBe(0)
      })
    )
  }

  it.live("keeps 2 KiB of a body as text that any database accepts", () =>
    Effect.gen(function* () {
      expect(yield* bodyOf(Buffer.from("a".repeat(2049)))).toBe("a".repeat(2048))
      // The limit cuts a character in two, so that character is left out.
      expect(yield* bodyOf(Buffer.from(`x${"€".repeat(700)}`))).toBe(`x${"€".repeat(682)}`)
      expect(yield* bodyOf(Buffer.from(`xyz${"😀".repeat(600)}`))).toBe(`xyz${"😀".repeat(511)}`)
      expect(yield* bodyOf(Buffer.from("a\0b"))).toBe("a\ufffdb")
      const junk = yield* bodyOf(Buffer.alloc(4096, 0xff))
      expect(junk).toBe("\ufffd".repeat(682))
      expect(junk.isWellFormed()).toBe(true)
    })
  )

  it.live("does not decompress answers", () =>
    Effect.gen(function* () {
      const packed = response("\u001f\u008b not unpacked", "content-encoding: gzip\r\n")
      expect((yield* answered((socket) => void socket.write(packed))).body).toBe("\u001f\u008b not unpacked")
    })
  )

  it.live("records a span that shows the operator what happened, but no secret of the receiver", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const { port } = yield* receiver((socket, request) => {
        if (request.startsWith("POST /good-secret")) socket.write(response("body-secret"))
        else socket.destroy()
      })
      yield* Effect.gen(function* () {
        yield* post(`http://127.0.0.1:${port}/good-secret?token=query-secret`, undefined, "sent-secret")
        yield* Effect.flip(post(`http://127.0.0.1:${port}/bad-secret`))
      }).pipe(Effect.withTracer(tracer), Effect.provide(allowing([port])))
      const server = { "http.request.method": "POST", "server.address": "127.0.0.1", "server.port": port }
      expect(spans.map(({ attributes, kind, name }) => [name, kind, Object.fromEntries(attributes)])).toEqual([
        ["Outbound.post", "client", { ...server, "http.response.status_code": 200 }],
        ["Outbound.post", "client", { ...server, "error.type": "ECONNRESET" }]
      ])
    })
  )
})
