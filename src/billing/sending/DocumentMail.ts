import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import type { CustomerId } from "../../kernel/Ids.ts"
import { Customers } from "../../customers/Customers.ts"
import { Logos } from "../../organizations/logo/Logos.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { senderOf } from "../../platform/mail/Mailbox.ts"
import { type MailFailure, Mailer } from "../../platform/mail/Mailer.ts"
import { Correspondence } from "../correspondence/Correspondence.ts"
import { readerOf } from "../printing/DocumentFormat.ts"
import { documentMessage, type MailedDocument } from "./DocumentMessage.ts"
import type { SendLease } from "./DocumentSendLocks.ts"
import { type DocumentMailRow, DocumentSendsRepo } from "./DocumentSendsRepo.ts"
import { NoRecipient } from "./SendErrors.ts"

/** Identifier of the part of a message that holds the logo. */
const logo_cid = "logo"
const messages_at_once_max = 4
/**
 * Maximum time for all messages of a send, so that the client gets an answer. Messages that are not sent by then are
 * given up.
 */
export const delivery_timeout_ms = 25_000

/**
 * Pauses between the attempts of a message that the mail server refuses for now, as a server with greylisting does. The
 * last attempt is 24 hours after the first.
 */
const retry_pauses_seconds = [300, 900, 3600, 14_400, 28_800, 38_400]

const attempts_total = Metric.counter("mails_total", {
  description: "Attempts to mail a document, by the result: accepted, refused, deferred, unknown.",
  incremental: true
})

export interface Mailing {
  readonly document: MailedDocument
  readonly pdf: Option.Option<{ readonly name: string; readonly bytes: Uint8Array }>
}

interface MailsOfSend {
  readonly lease: SendLease
  readonly send_id: number
  readonly mails: ReadonlyArray<DocumentMailRow>
}

interface Messages extends Mailing, MailsOfSend {
  /** The sender's own text, above the standard text. */
  readonly message: string | null | undefined
  /** True if no client waits for the results, so that a mail server which cannot be reached defers the messages. */
  readonly later: boolean
}

export class DocumentMail extends Context.Service<
  DocumentMail,
  {
    /** Returns the requested recipients, else the primary contact, else the customer. */
    readonly recipients: (
      asked: ReadonlyArray<string> | null | undefined,
      customer_id: CustomerId
    ) => Effect.Effect<ReadonlyArray<string>, NoRecipient, CurrentOrganization>
    /**
     * Sends the messages and records their results. Holds no lock and no transaction while a mail server responds.
     * Sends nothing once another process has taken over the right to send the document.
     */
    readonly deliver: (messages: Messages) => Effect.Effect<void, never, CurrentOrganization>
    /** Records the same failure of each message, without an attempt to send it. */
    readonly fail: (messages: MailsOfSend, failure: MailFailure) => Effect.Effect<void>
  }
>()("invoicing/billing/sending/DocumentMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const logos = yield* Logos
      const organizations = yield* Organizations
      const correspondence = yield* Correspondence
      const repo = yield* DocumentSendsRepo
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const url = publicUrl(config)
      const { address } = senderOf(config)

      const customerOf = (id: CustomerId) => Effect.option(customers.get(id))

      const recipients = Effect.fn("DocumentMail.recipients")(function* (
        asked: ReadonlyArray<string> | null | undefined,
        customer_id: CustomerId
      ) {
        if (asked !== undefined && asked !== null && asked.length > 0) return asked
        const customer = Option.getOrNull(yield* customerOf(customer_id))
        const primary = customer?.contacts.find((contact) => contact.is_primary)
        const usual = primary?.email ?? customer?.email ?? null
        return usual === null ? yield* NoRecipient.of() : [usual]
      })

      /** Builds the part of a message that is the same for all its recipients. */
      const letterhead = Effect.fnUntraced(function* ({ document, message, pdf }: Messages) {
        const correspondents = yield* correspondence.on(document.kind, document, false)
        const { customer, organization } = correspondents
        const { id } = yield* CurrentOrganization
        // The message has the organization's present brand and reply address, even if the document prints older ones.
        const profile = Option.getOrNull(yield* Effect.option(organizations.get(id)))
        const logo = yield* logos.current(id)
        const { brand_color, document_footer, mail_texts } = profile?.settings ?? {}
        const reader = readerOf(correspondents)
        const replies = profile?.contact_email ?? null
        const write = documentMessage({
          document,
          organization: organization.name,
          seller_country: organization.country,
          brand: {
            color: brand_color ?? null,
            footer: document_footer ?? null,
            texts: mail_texts,
            logo: Option.isSome(logo) ? `cid:${logo_cid}` : null
          },
          customer: customer.name,
          message: message ?? null,
          attached: Option.isSome(pdf),
          ...reader
        })
        const attachments = [
          ...Option.toArray(pdf).map(({ bytes, name }) => ({
            filename: name,
            content_type: "application/pdf",
            content: bytes
          })),
          ...Option.toArray(logo).map(({ png }) => ({
            filename: "logo.png",
            content_type: "image/png",
            content: png,
            cid: logo_cid
          }))
        ]
        return {
          from: { address, name: organization.name },
          reply_to: replies === null ? undefined : { address: replies, name: organization.name },
          language: reader.language,
          attachments,
          write
        }
      })

      const deliver = Effect.fn("DocumentMail.deliver")(function* (messages: Messages) {
        const { document, later, lease, mails, send_id } = messages
        const message_ids = mails.map(({ message_id }) => message_id).join(" ")
        yield* Effect.annotateCurrentSpan({ [`${document.kind}.id`]: document.id, message_ids })
        const deadline_ms = (yield* Clock.currentTimeMillis) + delivery_timeout_ms
        const { write, ...head } = yield* letterhead(messages)
        const { organization_id } = lease

        const deliverTo = Effect.fnUntraced(function* (mail: DocumentMailRow) {
          const { message_id, position, recipient } = mail
          const token = yield* newToken("doc")
          const key = { ...lease, send_id, position, hash: hashToken(token) }
          const handOver = Effect.map(repo.handOver({ ...key, recipient }), Option.isSome)
          const letter = { ...head, ...write(`${url}/d/${token}`), to: { address: recipient }, message_id }
          const outcome = yield* mailer.send(letter, { organization_id, deadline_ms, handOver }).pipe(
            Effect.as(accepted),
            Effect.catch((failure) => Effect.succeed(outcomeOf(mail, failure, later)))
          )
          yield* repo.settle({ ...key, ...outcome })
          yield* Metric.update(Metric.withAttributes(attempts_total, { outcome: outcome.state }), 1)
        })

        yield* Effect.forEach(mails, deliverTo, { concurrency: messages_at_once_max, discard: true })
      })

      const fail = Effect.fn("DocumentMail.fail")(function* (
        { lease, mails, send_id }: MailsOfSend,
        failure: MailFailure
      ) {
        yield* Effect.forEach(mails, (mail) =>
          repo.settle({ ...lease, send_id, position: mail.position, hash: no_link, ...outcomeOf(mail, failure, false) })
        )
      })

      return DocumentMail.of({ recipients, deliver, fail })
    })
  ).pipe(
    Layer.provide([Customers.layer, Organizations.layer, Logos.layer, Correspondence.layer, DocumentSendsRepo.layer])
  )
}

/** The hash of no link: a message that was not sent has none. */
const no_link = new Uint8Array()

interface Outcome {
  readonly state: DocumentMailRow["state"]
  readonly code: MailFailure["code"] | null
  readonly error: string | null
  readonly pause_seconds: number | null
}

const accepted: Outcome = { state: "accepted", code: null, error: null, pause_seconds: null }

/** Once a message is deferred, a later attempt that does not reach the mail server is no reason to give up, either. */
const outcomeOf = (
  { attempts, state }: DocumentMailRow,
  { _tag, answer: error, code }: MailFailure,
  later: boolean
): Outcome => {
  if (_tag === "MailUnconfirmed") return { state: "unknown", code, error, pause_seconds: null }
  const isRepeatable = code === "temporarily_refused" || state === "deferred" || (later && code !== "sender_refused")
  const isTemporary = _tag === "MailUnavailable" && isRepeatable
  const pause_seconds = (isTemporary ? retry_pauses_seconds[attempts] : undefined) ?? null
  return { state: pause_seconds === null ? "refused" : "deferred", code, error, pause_seconds }
}
