import { Clock, Data, Effect, Fiber, Layer, Option, Redacted } from "effect"
import type { NodemailerError } from "nodemailer"
import { cut } from "../../kernel/Text.ts"
import { atFirstUse } from "../packages/AtFirstUse.ts"
import { HeldMessage } from "./HeldMessage.ts"
import { Mailer, MailUnavailable } from "./Mailer.ts"
import { mailText, oneLine } from "./MailText.ts"
import { mailTurns } from "./MailTurns.ts"
import { asNodemailerError, lateFailure, smtpFailure } from "./SmtpFailure.ts"

const nodemailer = atFirstUse("nodemailer")

/** Maximum number of connections of one process; one organization uses at most half of them at a time. */
const connections_max = 8
const connections_per_organization_max = 4
const waiting_per_organization_max = 200
const messages_per_connection_max = 100
const connect_timeout_ms = 10_000
const greeting_timeout_ms = 10_000
const silence_timeout_ms = 30_000
/** Time limit of a delivery, for a server that keeps responding but never finishes. */
const delivery_timeout_ms = 120_000
/** Minimum time that must remain until the deadline for a delivery to start; with less time, it could not finish. */
const delivery_minimum_ms = 50
/** Time for the server to confirm a message that it received shortly before the deadline. */
export const confirmation_timeout_ms = 10_000
/** Most servers keep an idle connection for longer, so they rarely close one that is about to be used. */
const idle_timeout_ms = 20_000
const answer_characters_max = 500

export interface SmtpTimeouts {
  readonly connect_timeout_ms: number
  readonly greeting_timeout_ms: number
  readonly silence_timeout_ms: number
  readonly delivery_timeout_ms: number
  readonly confirmation_timeout_ms: number
}

const production = {
  connect_timeout_ms,
  greeting_timeout_ms,
  silence_timeout_ms,
  delivery_timeout_ms,
  confirmation_timeout_ms
}

class Late extends Data.TaggedError("Late")<{}> {}

class SmtpError extends Data.TaggedError("SmtpError")<{ readonly cause: NodemailerError }> {}

/**
 * Sends by SMTP (RFC 5321) over pooled connections. `url` is `smtp://user:password@host:587`, or `smtps://` for TLS
 * from the first byte; STARTTLS is used if offered. Options follow `?`: `requireTLS=true`,
 * `tls.rejectUnauthorized=false`.
 */
export const mailerSmtp = (url: Redacted.Redacted, timeouts: SmtpTimeouts = production) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const { sendMail } = yield* Effect.acquireRelease(
        Effect.sync(() => connect(Redacted.value(url), timeouts)),
        ({ transport }) => Effect.sync(() => transport.close({ force: true }))
      )
      const inTurn = yield* mailTurns({
        connections_max,
        connections_per_organization_max,
        waiting_per_organization_max
      })

      const deliver = Effect.fnUntraced(function* (
        mail: Omit<Outgoing, "signal">,
        held: HeldMessage,
        handOver: Effect.Effect<boolean>
      ) {
        const sending = yield* Effect.forkChild(
          Effect.tryPromise({
            try: (signal) => sendMail({ ...mail, signal }, held),
            catch: (error) => new SmtpError({ cause: asNodemailerError(error) })
          }),
          { startImmediately: true }
        )
        const end = Effect.andThen(
          Fiber.interrupt(sending),
          Effect.sync(() => held.cancel())
        )
        return yield* Effect.gen(function* () {
          const asked = Effect.promise(() => held.asked)
          yield* Effect.raceFirst(Fiber.join(sending), asked)
          if (!(yield* Effect.uninterruptible(handOver))) return yield* MailUnavailable.notAttempted()
          held.release()
          return yield* Fiber.join(sending)
        }).pipe(Effect.ensuring(end))
      })

      /** Fails at the deadline, or `confirmation_timeout_ms` later if the server has begun to receive the message. */
      const lateness = Effect.fnUntraced(function* (deadline_ms: number, held: HeldMessage) {
        yield* Effect.sleep(Math.max(0, deadline_ms - (yield* Clock.currentTimeMillis)))
        if (held.isReleased) yield* Effect.sleep(timeouts.confirmation_timeout_ms)
        return yield* new Late()
      })

      const send: Mailer["Service"]["send"] = Effect.fn("Mailer.send")(function* (message, handling) {
        const raw = yield* mailText(message)
        const { address } = message.to
        const envelope = { from: oneLine(message.from.address), to: address }
        const { handOver = Effect.succeed(true), organization_id } = handling
        const deadline_ms = handling.deadline_ms ?? (yield* Clock.currentTimeMillis) + timeouts.delivery_timeout_ms
        const held = new HeldMessage()
        let began = false
        const delivery = Effect.gen(function* () {
          if (deadline_ms - (yield* Clock.currentTimeMillis) < delivery_minimum_ms) return yield* new Late()
          began = true
          return yield* deliver({ envelope, raw }, held, handOver)
        })
        const sent = yield* Effect.raceFirst(inTurn(organization_id, delivery), lateness(deadline_ms, held)).pipe(
          Effect.tapErrorTag("SmtpError", ({ cause }) => log(cause)),
          Effect.tapErrorTag("Late", () =>
            Effect.logInfo("A message was not delivered").pipe(Effect.annotateLogs(late))
          ),
          Effect.catchTags({
            SmtpError: ({ cause }) => Effect.fail(smtpFailure(cause, address, held.isReadToItsEnd)),
            Late: () => Effect.fail(lateFailure(began, held.isReadToItsEnd))
          }),
          Effect.annotateLogs({ message_id: message.message_id })
        )
        if (Option.isNone(sent)) return yield* queueFull()
        return { answer: cut(oneLine(sent.value.response ?? ""), answer_characters_max) }
      })

      return Mailer.of({ send })
    })
  )

/** Logs the full failure; the sender of the message gets only a part of it. */
const log = ({ code, command, message, response }: NodemailerError) =>
  Effect.annotateLogs(Effect.logInfo("A message was not delivered"), { code, command, response, failure: message })

const late = { failure: "The mail server did not answer in time, or there was no time left to send the message." }

const queueFull = () =>
  new MailUnavailable({ code: "mail_queue_full", answer: "Too many messages of this organization are waiting." })

interface Envelope {
  readonly from: string
  readonly to: string
}

interface Outgoing {
  readonly envelope: Envelope
  readonly raw: Buffer
  readonly signal: AbortSignal
}

const connect = (url: string, timeouts: SmtpTimeouts) => {
  const server = new URL(url)
  const transport = nodemailer().createTransport({
    pool: true,
    url,
    // A password never leaves this machine unencrypted, even if an attacker in between removes the server's STARTTLS.
    requireTLS: server.protocol === "smtp:" && server.username !== "" && !isLoopback(server.hostname),
    maxConnections: connections_max,
    maxMessages: messages_per_connection_max,
    // Nodemailer sends a message again only if the connection was lost before a byte of the message was read. After any
    // other failure, the caller decides.
    maxRequeues: 1,
    idleTimeout: idle_timeout_ms,
    connectionTimeout: timeouts.connect_timeout_ms,
    dnsTimeout: timeouts.connect_timeout_ms,
    greetingTimeout: timeouts.greeting_timeout_ms,
    socketTimeout: timeouts.silence_timeout_ms
  })
  const held = new WeakMap<object, HeldMessage>()
  transport.use("stream", ({ data, message }, done) => {
    const { raw } = data
    const holder = typeof raw === "object" && raw !== null ? held.get(raw) : undefined
    if (holder !== undefined) message.processFunc((stream) => holder.through(stream))
    done()
  })
  return {
    transport,
    sendMail: (mail: Outgoing, holder: HeldMessage) => {
      held.set(mail.raw, holder)
      return transport.sendMail({ ...mail, envelope: { ...mail.envelope } })
    }
  }
}

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || host.startsWith("127.")
