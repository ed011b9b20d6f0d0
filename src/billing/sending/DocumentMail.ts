import { Clock, Context, Effect, Layer, Option } from "effect"
import type { CustomerId } from "../../kernel/Ids.ts"
import { Customers } from "../../customers/Customers.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { parseMailbox } from "../../platform/mail/Mailbox.ts"
import { Mailer, MailUnavailable } from "../../platform/mail/Mailer.ts"
import { Correspondence } from "../printing/Correspondence.ts"
import { readerOf } from "../printing/DocumentFormat.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"
import { documentMessage, type MailedDocument } from "./DocumentMessage.ts"
import { type Delivery, isDelivered } from "./Send.ts"
import { NoRecipient } from "./SendErrors.ts"

const messages_at_once_max = 4
/** For all recipients together, so that the client gets its answer; whoever was not reached by then failed. */
export const delivery_timeout_ms = 25_000

interface Mailing {
  readonly document: MailedDocument
  readonly recipients: ReadonlyArray<string>
  /** The sender's own words, above ours. */
  readonly message: string | null | undefined
  readonly pdf: Option.Option<{ readonly name: string; readonly bytes: Uint8Array }>
}

/**
 * Brings a document to its recipients by email. The order of a send (contract section 5, field.md 3) is:
 *
 * 1. `DocumentSendings.exclusively`: one send of a document at a time, whatever the number of nodes.
 * 2. Check the rules and `recipients`; a short transaction issues the document, since the message names its number.
 * 3. `deliver`, outside every transaction: no lock is held while a mail server thinks.
 * 4. At least one delivered: a short transaction marks it sent. None: a short transaction makes it a draft again and
 *    gives the number back, when it is still the last one of its series. Otherwise a gap would be worse: an invoice
 *    stays issued, a quote and a credit note are drafts that keep the number. `DeliveryFailed` says which.
 */
export class DocumentMail extends Context.Service<
  DocumentMail,
  {
    /** Whom it goes to: those asked for, else the primary contact, else the customer. */
    readonly recipients: (
      asked: ReadonlyArray<string> | null | undefined,
      customer_id: CustomerId
    ) => Effect.Effect<ReadonlyArray<string>, NoRecipient, CurrentOrganization>
    /** One message to each recipient; the result tells what became of each, in the same order. */
    readonly deliver: (mailing: Mailing) => Effect.Effect<ReadonlyArray<Delivery>, never, CurrentOrganization>
  }
>()("invoicing/billing/sending/DocumentMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const organizations = yield* Organizations
      const correspondence = yield* Correspondence
      const repo = yield* DocumentLinksRepo
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const url = publicUrl(config)
      const { address } = Option.getOrElse(parseMailbox(config.mailFrom), () => ({ address: config.mailFrom }))

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

      /** Everything in a message that is the same for all its recipients. */
      const letterhead = Effect.fnUntraced(function* ({ document, message, pdf }: Mailing) {
        const correspondents = yield* correspondence.on(document.kind, document, false)
        const { customer, organization } = correspondents
        const { id } = yield* CurrentOrganization
        // Whatever the document prints, an answer goes where the organization is today.
        const profile = Option.getOrNull(yield* Effect.option(organizations.get(id)))
        const reader = readerOf(correspondents)
        const replies = profile?.contact_email ?? null
        const write = documentMessage({
          document,
          organization: organization.name,
          customer: customer.name,
          message: message ?? null,
          attached: Option.isSome(pdf),
          ...reader
        })
        const attachments = Option.match(pdf, {
          onNone: () => [],
          onSome: ({ bytes, name }) => [{ filename: name, content_type: "application/pdf", content: bytes }]
        })
        return {
          from: { address, name: organization.name },
          reply_to: replies === null ? undefined : { address: replies, name: organization.name },
          language: reader.language,
          attachments,
          write
        }
      })

      const deliver = Effect.fn("DocumentMail.deliver")(function* (mailing: Mailing) {
        const { id: organization_id } = yield* CurrentOrganization
        const { id: document_id, kind: document } = mailing.document
        yield* Effect.annotateCurrentSpan({ [`${document}.id`]: document_id })
        const deadline = (yield* Clock.currentTimeMillis) + delivery_timeout_ms
        const { write, ...head } = yield* letterhead(mailing)

        const deliverTo = Effect.fnUntraced(function* (recipient: string) {
          const token = yield* newToken("doc")
          const hash = hashToken(token)
          const { attempt, id } = yield* repo.insert({ organization_id, document, document_id, hash, recipient })
          const key = JSON.stringify([organization_id, document, document_id, recipient, attempt])
          // The same after a crash in the middle, so that mail clients show one message when two were delivered.
          const message_id = `${document}-${digest(key)}@${new URL(url).hostname}`
          yield* mailer.send({ ...head, ...write(`${url}/d/${token}`), to: { address: recipient }, message_id })
          return id
        })

        const results = yield* Effect.forEach(
          mailing.recipients,
          Effect.fnUntraced(function* (recipient) {
            const left = Math.max(0, deadline - (yield* Clock.currentTimeMillis))
            return yield* deliverTo(recipient).pipe(
              Effect.timeoutOrElse({
                duration: left,
                orElse: () => new MailUnavailable({ answer: "the mail server took too long" })
              }),
              Effect.match({
                onSuccess: (link) => ({ link, delivery: { recipient, status: "delivered" as const } }),
                onFailure: ({ answer }) => ({
                  link: 0,
                  delivery: { recipient, status: "failed" as const, error: answer }
                })
              })
            )
          }),
          { concurrency: messages_at_once_max }
        )
        const links = results.flatMap(({ delivery, link }) => (isDelivered(delivery) ? [link] : []))
        // All at once: after a crash before here, the repeat is the same attempt for everybody.
        if (links.length > 0) yield* repo.markDelivered({ organization_id, links })
        return results.map(({ delivery }) => delivery)
      })

      return DocumentMail.of({ recipients, deliver })
    })
  ).pipe(Layer.provide([Customers.layer, Organizations.layer, Correspondence.layer, DocumentLinksRepo.layer]))
}

const digest = (text: string) => Buffer.from(hashToken(text)).toString("hex").slice(0, 32)
