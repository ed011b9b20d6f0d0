import { Effect, Layer, Option, Redacted, Semaphore } from "effect"
import { createTransport, type NodemailerError } from "nodemailer"
import { Mailer, MailRefused, MailUnavailable } from "./Mailer.ts"
import { mailText, oneLine } from "./MailText.ts"

const connections_max = 4
const waiting_max = 200
const messages_per_connection_max = 100
const connect_timeout_ms = 10_000
const greeting_timeout_ms = 10_000
const silence_timeout_ms = 30_000
/** Ends a delivery whose server answers often enough never to be silent, and never with an end. */
const delivery_timeout_ms = 120_000
/** Shorter than servers wait, so that they seldom close a connection that is about to be used. */
const idle_timeout_ms = 20_000
const answer_characters_max = 500

export interface SmtpTimeouts {
  readonly connect_timeout_ms: number
  readonly greeting_timeout_ms: number
  readonly silence_timeout_ms: number
  readonly delivery_timeout_ms: number
}

const production = { connect_timeout_ms, greeting_timeout_ms, silence_timeout_ms, delivery_timeout_ms }

/**
 * Sends by SMTP (RFC 5321) over a few kept connections. `url` is `smtp://user:password@host:587`, or `smtps://` for TLS
 * from the first byte; STARTTLS is used where the server offers it. Options follow `?`, for example `requireTLS=true`
 * or `tls.rejectUnauthorized=false`.
 */
export const mailerSmtp = (url: Redacted.Redacted, timeouts: SmtpTimeouts = production) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() => connect(Redacted.value(url), timeouts)),
        (transport) => Effect.sync(() => transport.close())
      )
      const admitted = yield* Semaphore.make(connections_max + waiting_max)
      const connected = yield* Semaphore.make(connections_max)

      const deliver = (from: string, to: string, raw: Buffer) =>
        Effect.tryPromise({
          try: (signal) => transport.sendMail({ envelope: { from, to }, raw, signal }),
          catch: (error) => failure(asNodemailerError(error))
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeouts.delivery_timeout_ms,
            orElse: () => new MailUnavailable({ answer: "the mail server took too long" })
          })
        )

      const send: Mailer["Service"]["send"] = Effect.fn("Mailer.send")(function* (message) {
        const text = yield* mailText(message)
        const sent = yield* deliver(oneLine(message.from.address), message.to.address, text).pipe(
          connected.withPermits(1),
          admitted.withPermitsIfAvailable(1)
        )
        if (Option.isNone(sent)) return yield* new MailUnavailable({ answer: "too many messages are waiting" })
        return { answer: shorten(sent.value.response) }
      })

      return Mailer.of({ send })
    })
  )

const connect = (url: string, timeouts: SmtpTimeouts) => {
  const server = new URL(url)
  return createTransport({
    pool: true,
    url,
    // A password never leaves this machine unencrypted, even when somebody on the way removes the offer of STARTTLS.
    requireTLS: server.protocol === "smtp:" && server.username !== "" && !isLoopback(server.hostname),
    maxConnections: connections_max,
    maxMessages: messages_per_connection_max,
    // A connection lost after the last byte may have delivered: whoever asked for the message decides on repeating it.
    maxRequeues: 0,
    idleTimeout: idle_timeout_ms,
    connectionTimeout: timeouts.connect_timeout_ms,
    dnsTimeout: timeouts.connect_timeout_ms,
    greetingTimeout: timeouts.greeting_timeout_ms,
    socketTimeout: timeouts.silence_timeout_ms
  })
}

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || host.startsWith("127.")

/** Boundary: nodemailer rejects with nothing else, but its promise cannot say so. */
const asNodemailerError = (error: unknown) => error as NodemailerError

/** RFC 5321, 4.2.1: 5yz is final. Refused credentials are too, but that is our configuration and not the recipient. */
const failure = (error: NodemailerError): MailRefused | MailUnavailable => {
  const answer = shorten(error.response ?? error.message)
  const aboutUs = error.code === "EAUTH" || error.code === "ENOAUTH" || error.code === "ETLS"
  const final = error.permanent ?? (error.code === "EENVELOPE" || error.code === "EMESSAGE")
  return final && !aboutUs ? new MailRefused({ answer }) : new MailUnavailable({ answer })
}

const shorten = (answer: string) => oneLine(answer).slice(0, answer_characters_max)
