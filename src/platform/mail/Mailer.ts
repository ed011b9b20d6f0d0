import { Context, Schema, type Effect } from "effect"

export interface MailAddress {
  readonly address: string
  readonly name?: string | undefined
}

export interface MailAttachment {
  readonly filename: string
  readonly content_type: string
  readonly content: Uint8Array
}

export interface MailMessage {
  readonly from: MailAddress
  /** One recipient a message: nobody sees who else got it, and each delivery has its own result. */
  readonly to: MailAddress
  readonly reply_to?: MailAddress | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `local@domain`, chosen by the caller: the same on every attempt, so that a repeated message can be recognised. */
  readonly message_id: string
  /** BCP 47, sent as Content-Language. */
  readonly language?: string | undefined
  readonly attachments?: ReadonlyArray<MailAttachment> | undefined
}

interface Delivery {
  /** What the server said when it took the message: `250 2.0.0 queued as 4c1d`. */
  readonly answer: string
}

/** For good: the mailbox does not exist, the server refuses (5xx), or no server could accept this address. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", {
  /** The server's words, as shown to the sender of the document: `550 mailbox unknown`. */
  answer: Schema.String
}) {
  override get message() {
    return this.answer
  }
}

/** For now: greylisting (4xx), no connection, no answer in time. Trying again later can succeed. */
export class MailUnavailable extends Schema.TaggedError<MailUnavailable>()("MailUnavailable", {
  answer: Schema.String
}) {
  override get message() {
    return this.answer
  }
}

export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (message: MailMessage) => Effect.Effect<Delivery, MailRefused | MailUnavailable> }
>()("invoicing/platform/mail/Mailer") {}
