import { Effect, Redacted, Result } from "effect"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Mailer, type MailMessage } from "../../../src/platform/mail/Mailer.ts"
import { mailerSmtp, type SmtpTimeouts } from "../../../src/platform/mail/MailerSmtp.ts"

/** Timeouts that are longer than any answer takes on a busy machine. */
export const patient: SmtpTimeouts = {
  connect_timeout_ms: 60_000,
  greeting_timeout_ms: 60_000,
  silence_timeout_ms: 60_000,
  delivery_timeout_ms: 60_000,
  confirmation_timeout_ms: 60_000
}

/** Short timeouts for servers that never answer. */
export const impatient: SmtpTimeouts = {
  connect_timeout_ms: 1500,
  greeting_timeout_ms: 1500,
  silence_timeout_ms: 1500,
  delivery_timeout_ms: 3000,
  confirmation_timeout_ms: 1500
}

export const message: MailMessage = {
  from: { address: "billing@acme.eu", name: "Acme" },
  to: { address: "ana@beta.eu", name: "Ana" },
  subject: "Invoice INV-2026-0042",
  text: "Please find it attached.",
  html: "<p>Please find it attached.</p>",
  message_id: "invoice-42@acme.eu"
}

export const handling = { organization_id: OrganizationId.make(1) }

interface Received {
  readonly text: string
  readonly from: string
  readonly to: ReadonlyArray<string>
}

const listen = (server: { readonly listen: (port: number, host: string, done: () => void) => unknown }) =>
  Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))

/** A real SMTP server that accepts every message unless the options say otherwise. */
export const smtpServer = Effect.fnUntraced(function* (options: SMTPServerOptions = {}) {
  const received: Array<Received> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          text: Buffer.concat(chunks).toString("utf8"),
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address)
        })
        done()
      })
    },
    ...options
  })
  server.on("error", () => undefined)
  yield* listen(server)
  yield* Effect.addFinalizer(() => Effect.callback<void>((resume) => server.close(() => resume(Effect.void))))
  return { received, port: portOf(server.server.address()) }
})

export const rawServer = Effect.fnUntraced(function* (talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    talk(socket)
  })
  yield* listen(server)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
  )
  return portOf(server.address())
})

const portOf = (address: AddressInfo | string | null) =>
  typeof address === "object" && address !== null ? address.port : Number.NaN

export const send = (port: number, what: MailMessage = message, options = "", timeouts = patient) =>
  Effect.gen(function* () {
    const mailer = yield* Mailer
    return yield* Effect.result(mailer.send(what, handling))
  }).pipe(Effect.provide(mailerSmtp(Redacted.make(`smtp://127.0.0.1:${port}${options}`), timeouts)))

export const failureOf = <A>(result: Result.Result<A, { readonly _tag: string; readonly answer: string }>) => {
  if (Result.isSuccess(result)) throw new Error("the message was delivered")
  return [result.failure._tag, result.failure.answer]
}
