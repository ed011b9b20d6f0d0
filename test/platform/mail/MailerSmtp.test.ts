import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger, Redacted, Result } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { mailerSmtp } from "../../../src/platform/mail/MailerSmtp.ts"
import { failureOf, handling, impatient, message, patient, rawServer, send, smtpServer } from "./SmtpServers.ts"

const refusing = (responseCode: number, text: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(Object.assign(new Error(text), { responseCode }))
})

describe("Mailer over SMTP", () => {
  it.live("delivers the message with its parts and says what the server answered", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const pdf = new Uint8Array([37, 80, 68, 70, 0, 255])
      const result = yield* send(port, {
        ...message,
        reply_to: { address: "owner@acme.eu" },
        language: "nl",
        attachments: [{ filename: "café.pdf", content_type: "application/pdf", content: pdf }]
      })
      expect(Result.getOrThrow(result).answer).toMatch(/^250 /)
      expect(received[0]).toMatchObject({ from: "billing@acme.eu", to: ["ana@beta.eu"] })
      const text = received[0]?.text ?? ""
      expect(text).toContain("From: Acme <billing@acme.eu>\r\n")
      expect(text).toContain("Reply-To: owner@acme.eu\r\n")
      expect(text).toContain("Message-ID: <invoice-42@acme.eu>\r\n")
      expect(text).toContain("Content-Language: nl\r\n")
      expect(text).toContain("Content-Type: text/html")
      expect(text).toContain("filename*0*=utf-8''caf%C3%A9.pdf")
      expect(text).toContain(Buffer.from(pdf).toString("base64"))
    })
  )

  it.live("reports a mailbox that does not exist as refused, with the server's reply", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer(refusing(550, "mailbox unknown"))
      expect(failureOf(yield* send(port))).toEqual(["MailRefused", "550 mailbox unknown"])
      expect(received).toHaveLength(0)
    })
  )

  it.live("reports greylisting at any command as unavailable, with the server's reply", () =>
    Effect.gen(function* () {
      const refusal = Object.assign(new Error("greylisted, come back later"), { responseCode: 451 })
      const stages: ReadonlyArray<SMTPServerOptions> = [
        { onMailFrom: (_address, _session, done) => done(refusal) },
        { onRcptTo: (_address, _session, done) => done(refusal) },
        { onData: (stream, _session, done) => void stream.resume().on("end", () => done(refusal)) }
      ]
      for (const stage of stages) {
        const { port } = yield* smtpServer(stage)
        expect(failureOf(yield* send(port))).toEqual(["MailUnavailable", "451 greylisted, come back later"])
      }
    })
  )

  it.live("reports a message refused after its last byte", () =>
    Effect.gen(function* () {
      const { port } = yield* smtpServer({
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on("end", () => done(Object.assign(new Error("looks like spam"), { responseCode: 554 })))
        }
      })
      expect(failureOf(yield* send(port))).toEqual(["MailRefused", "554 looks like spam"])
    })
  )

  it.live("does not blame the recipient when our credentials are refused", () =>
    Effect.gen(function* () {
      const { port } = yield* smtpServer({
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(new Error("wrong password"))
      })
      const mailer = mailerSmtp(Redacted.make(`smtp://user:hunter2@127.0.0.1:${port}`), patient)
      const result = yield* Mailer.pipe(
        Effect.flatMap((mailer) => Effect.result(mailer.send(message, handling))),
        Effect.provide(mailer)
      )
      expect(failureOf(result)[0]).toBe("MailUnavailable")
      expect(failureOf(result)[1]).not.toContain("hunter2")
    })
  )

  it.live("sends no password and no message if STARTTLS is required and not offered", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      expect(failureOf(yield* send(port, message, "?requireTLS=true"))[0]).toBe("MailUnavailable")
      expect(received).toHaveLength(0)
    })
  )

  it.live("reports a closed port, a silent server and one that never ends as unavailable within its time-outs", () =>
    Effect.gen(function* () {
      const silent = yield* rawServer(() => undefined)
      const trickling = yield* rawServer((socket) => {
        const timer = setInterval(() => socket.write("220-wait\r\n"), 100)
        socket.on("close", () => clearInterval(timer))
      })
      for (const port of [1, silent, trickling]) {
        // Without time limits, each of these sends would wait for ever.
        expect(failureOf(yield* send(port, message, "", impatient))[0]).toBe("MailUnavailable")
      }
    })
  )

  it.live(
    "distinguishes a message that the server cannot have received from one that it may have received, and repeats neither",
    () =>
      Effect.gen(function* () {
        let attempts = 0
        const port = yield* rawServer((socket) => {
          let withinMessage = false
          socket.write("220 ready\r\n")
          socket.on("data", (bytes) => {
            if (withinMessage) return void socket.destroy()
            withinMessage = bytes.toString().startsWith("DATA")
            if (withinMessage) attempts++
            return void socket.write(withinMessage ? "354 go on\r\n" : "250 ok\r\n")
          })
        })
        // The message is larger than the buffers between client and server.
        const content = new Uint8Array(15 * 1024 * 1024)
        const attachments = [{ filename: "a.bin", content_type: "application/octet-stream", content }]
        expect(failureOf(yield* send(port, { ...message, attachments }))[0]).toBe("MailUnavailable")
        expect(failureOf(yield* send(port))[0]).toBe("MailUnconfirmed")
        expect(attempts).toBe(2)
      })
  )

  it.live("logs each message that was not delivered, also if the server never answered", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const kept = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      const silent = yield* rawServer((socket) => void socket.write("220 ready\r\n"))
      const deadline_ms = (yield* Clock.currentTimeMillis) + 1_000
      const mailer = mailerSmtp(Redacted.make(`smtp://127.0.0.1:${silent}`), patient)
      const sending = Mailer.use((mailer) => Effect.result(mailer.send(message, { ...handling, deadline_ms })))
      expect(failureOf(yield* Effect.provide(sending, [mailer, kept]))[0]).toBe("MailUnavailable")
      expect(lines.flat()).toEqual(["A message was not delivered"])
    })
  )

  it.live("calls a message unconfirmed that the server got and never answered", () =>
    Effect.gen(function* () {
      const { port } = yield* smtpServer({ onData: (stream) => void stream.resume() })
      expect(failureOf(yield* send(port, message, "", impatient))[0]).toBe("MailUnconfirmed")
    })
  )

  it.live("hands a message over once its recipient is accepted, and not when it is withheld", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer({
        onRcptTo: ({ address }, _session, done) =>
          done(
            address.startsWith("ana") ? undefined : Object.assign(new Error("mailbox unknown"), { responseCode: 550 })
          )
      })
      const handed: Array<string> = []
      const sendTo = (address: string, isOurs: boolean) =>
        Effect.gen(function* () {
          const mailer = yield* Mailer
          const handOver = Effect.sync(() => {
            handed.push(address)
            return isOurs
          })
          return yield* Effect.result(mailer.send({ ...message, to: { address } }, { ...handling, handOver }))
        })
      yield* Effect.gen(function* () {
        expect(failureOf(yield* sendTo("eve@beta.eu", true))).toEqual(["MailRefused", "550 mailbox unknown"])
        expect(failureOf(yield* sendTo("ana@beta.eu", false))[0]).toBe("MailUnavailable")
        expect([handed, received.length]).toEqual([["ana@beta.eu"], 0])
        expect(Result.isSuccess(yield* sendTo("ana@beta.eu", true))).toBe(true)
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
      expect([handed, received.length]).toEqual([["ana@beta.eu", "ana@beta.eu"], 1])
    })
  )

  it.live("gives up a message at the deadline, whether it waits for its turn or for the server", () =>
    Effect.gen(function* () {
      const port = yield* rawServer(() => undefined)
      const codes = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const deadline_ms = (yield* Clock.currentTimeMillis) + 500
        const sent = yield* Effect.all(
          Array.from({ length: 5 }, () => Effect.flip(mailer.send(message, { ...handling, deadline_ms }))),
          { concurrency: "unbounded" }
        )
        return sent.map(({ code }) => code)
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
      const timeout = "mail_server_timeout"
      expect(codes.toSorted()).toEqual([timeout, timeout, timeout, timeout, "not_attempted"])
    })
  )

  it.live("recovers by itself after the server was away", () =>
    Effect.gen(function* () {
      let asked = 0
      const { port } = yield* smtpServer({
        onMailFrom: (_address, _session, done) =>
          ++asked === 2 ? done(Object.assign(new Error("closing"), { responseCode: 421 })) : done()
      })
      const outcomes = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        return yield* Effect.forEach([1, 2, 3], () => Effect.result(mailer.send(message, handling)))
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
      expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Success", "Failure", "Success"])
    })
  )

  it.live("leaves half of its eight connections to other organizations, whose messages do not wait", () =>
    Effect.gen(function* () {
      let hanging = 0
      const four = Promise.withResolvers<void>()
      const { port, received } = yield* smtpServer({
        onRcptTo: ({ address }, _session, done) => {
          if (!address.startsWith("hang")) return done()
          if (++hanging === 4) four.resolve()
        }
      })
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const hang = { ...message, to: { address: "hang@beta.eu" } }
        const waiting = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 50 }, () => mailer.send(hang, handling)),
            { concurrency: "unbounded" }
          ),
          { startImmediately: true }
        )
        yield* Effect.promise(() => four.promise)
        const other = { organization_id: OrganizationId.make(2) }
        yield* Effect.all(
          Array.from({ length: 50 }, () => mailer.send(message, other)),
          { concurrency: "unbounded" }
        )
        // No hanging message has ended meanwhile, and no more than four have begun.
        expect([received.length, hanging, waiting.pollUnsafe()]).toEqual([50, 4, undefined])
        yield* Fiber.interrupt(waiting)
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
    })
  )

  it.live("refuses further messages of an organization with too many that wait", () =>
    Effect.gen(function* () {
      const port = yield* rawServer(() => undefined)
      const results = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const waiting = yield* Effect.forEach(Array.from({ length: 204 }), () =>
          Effect.forkChild(mailer.send(message, handling), { startImmediately: true })
        )
        // Yields until the last message waits.
        yield* Effect.yieldNow
        const refused = yield* Effect.result(mailer.send(message, handling))
        yield* Fiber.interruptAll(waiting)
        return refused
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
      expect(failureOf(results)).toEqual(["MailUnavailable", "Too many messages of this organization are waiting."])
    })
  )

  it.live("closes the connection when the caller is interrupted", () =>
    Effect.gen(function* () {
      const connected = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      const port = yield* rawServer((socket) => {
        connected.resolve()
        socket.on("close", () => closed.resolve())
      })
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const sending = yield* Effect.forkChild(mailer.send(message, handling), { startImmediately: true })
        yield* Effect.promise(() => connected.promise)
        yield* Fiber.interrupt(sending)
        yield* Effect.promise(() => closed.promise)
      }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), patient)))
    })
  )

  it.live("refuses a message that is too large for any server", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const content = new Uint8Array(20 * 1024 * 1024)
      const attachments = [{ filename: "a.bin", content_type: "application/octet-stream", content }]
      expect(failureOf(yield* send(port, { ...message, attachments }))[0]).toBe("MailRefused")
      expect(received).toHaveLength(0)
    })
  )
})
