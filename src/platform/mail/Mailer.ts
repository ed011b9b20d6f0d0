import { Context, Effect, Schema } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { storedWord } from "../../kernel/StoredWord.ts"

export interface MailAddress {
  readonly address: string
  readonly name?: string | undefined
}

export interface MailAttachment {
  readonly filename: string
  readonly content_type: string
  readonly content: Uint8Array
  /** The id by which the HTML part refers to the file: `cid:logo`. Such a file is not listed as an attachment. */
  readonly cid?: string
}

export interface MailMessage {
  readonly from: MailAddress
  /** A message has one recipient: nobody sees who else got it, and each delivery has its own result. */
  readonly to: MailAddress
  readonly reply_to?: MailAddress | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `local@domain`, chosen by the caller and equal on every attempt, so that a repeated message can be recognized. */
  readonly message_id: string
  /** A BCP 47 tag, sent as Content-Language. */
  readonly language?: string | undefined
  readonly attachments?: ReadonlyArray<MailAttachment> | undefined
}

interface Handling {
  /** Organizations take turns at the connections to the mail server; null is for mail of the installation itself. */
  readonly organization_id: OrganizationId | null
  /** Runs after the server has accepted the recipient. If it returns false, the message counts as not attempted. */
  readonly handOver?: Effect.Effect<boolean>
  /** Milliseconds since 1970; a message that the server has not received by then is abandoned. */
  readonly deadline_ms?: number
}

interface Delivery {
  /** The server's reply when it accepted the message, such as `250 2.0.0 queued as 4c1d`. */
  readonly answer: string
}

export const MailFailureCode = Schema.Literals([
  "address_invalid",
  "mailbox_unknown",
  "rejected",
  "message_too_large",
  "temporarily_refused",
  "sender_refused",
  "mail_server_unreachable",
  "mail_server_timeout",
  "mail_queue_full",
  "not_attempted",
  "unconfirmed"
])
export type MailFailureCode = typeof MailFailureCode.Type

export const StoredMailFailureCode = storedWord(MailFailureCode.literals).annotate({
  identifier: "MailFailureCode",
  description:
    "Why the mail server did not accept a message. `unconfirmed`: it received the message but did not confirm it; `not_attempted`: there was no time left to send it."
})

const failure = {
  code: MailFailureCode,
  /**
   * A sentence for the sender, or the server's reply about the recipient: `550 mailbox unknown`. It has no names or
   * addresses of machines; the log has the full failure.
   */
  answer: Schema.String
}

/** The server will never accept the message: the mailbox does not exist, or the server refused the message (5xx). */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", failure) {
  override get message() {
    return this.answer
  }
}

/** The server does not have the message yet: greylisting (4xx), no connection, no reply in time. */
export class MailUnavailable extends Schema.TaggedError<MailUnavailable>()("MailUnavailable", failure) {
  static notAttempted() {
    const answer = "There was no time left to send this message; it can be sent again."
    return new MailUnavailable({ code: "not_attempted", answer })
  }
  override get message() {
    return this.answer
  }
}

/** The server got the whole message and did not reply, so it may deliver it. A repeat may deliver it twice. */
export class MailUnconfirmed extends Schema.TaggedError<MailUnconfirmed>()("MailUnconfirmed", failure) {
  static of() {
    return new MailUnconfirmed({
      code: "unconfirmed",
      answer: "The mail server did not confirm the message; it may have been delivered."
    })
  }
  override get message() {
    return this.answer
  }
}

/**
 * Lets a job repeat an unconfirmed message once. A server that delivers every message and confirms none would otherwise
 * deliver each attempt of the job.
 */
export const repeatedOnce =
  (attempt: number) =>
  <A, E, R>(sending: Effect.Effect<A, E | MailUnconfirmed, R>) =>
    Effect.catchIf(
      sending,
      (error): error is MailUnconfirmed => error instanceof MailUnconfirmed && attempt > 1,
      ({ answer }) => Effect.logWarning("A mail is not sent again", answer)
    )

export type MailFailure = MailRefused | MailUnavailable | MailUnconfirmed

export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (message: MailMessage, handling: Handling) => Effect.Effect<Delivery, MailFailure> }
>()("invoicing/platform/mail/Mailer") {}
