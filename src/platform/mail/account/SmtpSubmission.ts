import { Data, Effect, Redacted } from "effect"
import type { NodemailerError } from "nodemailer"
import { cut } from "../../../kernel/Text.ts"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import { HeldMessage } from "../HeldMessage.ts"
import { connect_timeout_ms, type MailServer, MailServerDown, silence_timeout_ms } from "./MailServer.ts"
import { oneLine } from "../MailText.ts"
import { asNodemailerError } from "../SmtpFailure.ts"

const nodemailer = atFirstUse("nodemailer")
const composing = atFirstUse("nodemailer/lib/mail-composer")

/** Time limit of a reply in milliseconds. It is long, because some servers scan and sign a mail before they reply. */
const answer_timeout_ms = 60_000
const delivery_time_limit = "90 seconds"
const answer_characters_max = 500

interface Letter {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Message id in the form `local@domain`. */
  readonly message_id: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly content_type: string; readonly bytes: Uint8Array }
}

/** Writes a mail with one attached file. Equal input gives equal bytes. */
export const letter = ({ date, file, from, headers, message_id, subject, text, to }: Letter) =>
  Effect.promise(() => {
    const { default: MailComposer } = composing()
    return new MailComposer({
      from,
      to,
      subject,
      text,
      date,
      headers: { ...headers },
      messageId: `<${message_id}>`,
      baseBoundary: message_id.replaceAll(/\W/g, "-"),
      attachments: [{ filename: file.name, contentType: file.content_type, content: Buffer.from(file.bytes) }],
      newline: "win",
      disableFileAccess: true,
      disableUrlAccess: true
    })
      .compile()
      .build()
  })

class MailRejected extends Data.TaggedError("MailRejected")<{ readonly message: string }> {}

/** The server got the whole mail and did not confirm it. */
class MailUncertain extends Data.TaggedError("MailUncertain")<{ readonly message: string }> {}

interface Outgoing {
  readonly from: string
  readonly to: string
  readonly raw: Buffer
}

/** Sends a mail through the server of an organization, on a separate connection, and returns the server's reply. */
export const submitMail = (server: MailServer, { from, raw, to }: Outgoing) =>
  connected(server, (transport) => {
    const held = new HeldMessage()
    held.release()
    transport.use("stream", ({ message }, done) => {
      message.processFunc((stream) => held.through(stream))
      done()
    })
    return Effect.tryPromise({
      try: (signal) => transport.sendMail({ envelope: { from, to }, raw, signal }),
      catch: (error) => failureOf(asNodemailerError(error), held.isReadToItsEnd)
    }).pipe(
      Effect.timeoutOrElse({
        duration: delivery_time_limit,
        orElse: () => Effect.fail(held.isReadToItsEnd ? uncertain() : down("The mail server did not answer in time."))
      }),
      Effect.map(({ response }) => cut(oneLine(response ?? ""), answer_characters_max))
    )
  })

export const checkSmtp = (server: MailServer) =>
  connected(server, (transport) =>
    Effect.tryPromise({
      try: () => transport.verify(),
      catch: (error) => downBecause(asNodemailerError(error))
    })
  ).pipe(Effect.asVoid)

const connected = <A, E>(server: MailServer, use: (transport: ReturnType<typeof transportTo>) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => transportTo(server)),
    use,
    (transport) => Effect.sync(() => transport.close())
  )

const transportTo = ({ host, password, port, security, user }: MailServer) =>
  nodemailer().createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth: { user, pass: Redacted.value(password) },
    connectionTimeout: connect_timeout_ms,
    dnsTimeout: connect_timeout_ms,
    greetingTimeout: silence_timeout_ms,
    socketTimeout: answer_timeout_ms
  })

const down = (message: string) => new MailServerDown({ message, isLogin: false })

const uncertain = () => new MailUncertain({ message: "The mail server did not confirm the message." })

const downBecause = ({ code, response }: NodemailerError): MailServerDown =>
  code === "EAUTH"
    ? new MailServerDown({ message: `The SMTP server refuses the login: ${reply(response)}`, isLogin: true })
    : down(
        response === undefined ? "The SMTP server could not be reached." : `The SMTP server answers: ${reply(response)}`
      )

const reply = (response: string | undefined): string => cut(oneLine(response ?? ""), answer_characters_max)

/** A reply from 500 to 599 about the recipient or the message is final (RFC 5321, 4.2.1). */
const failureOf = (error: NodemailerError, was_read: boolean): MailServerDown | MailRejected | MailUncertain => {
  const { command, response, responseCode } = error
  if (responseCode === undefined) return was_read ? uncertain() : downBecause(error)
  const isAboutMail = command === "RCPT TO" || command === "DATA"
  if (!isAboutMail) return downBecause(error)
  const message = `The mail server answers: ${reply(response)}`
  return responseCode >= 500 ? new MailRejected({ message }) : down(message)
}
