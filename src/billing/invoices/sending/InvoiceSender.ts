import { Context, Effect, Layer, Option } from "effect"
import { now, yearOf } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import type { InvoiceId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import type { CustomerDeleted } from "../../../customers/CustomerErrors.ts"
import type { PdfRefused, PdfUnavailable } from "../../../platform/documents/pdf/PdfErrors.ts"
import { type Entry, AuditLog } from "../../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { DocumentArchiver } from "../../archiving/DocumentArchiver.ts"
import { DocumentMail } from "../../sending/DocumentMail.ts"
import { DocumentSends } from "../../sending/DocumentSends.ts"
import type { Sent } from "../../sending/Sendable.ts"
import type { Issued } from "../../sending/DocumentSendsRepo.ts"
import { DocumentRetries } from "../../sending/retries/DocumentRetries.ts"
import type { RetriedSend } from "../../sending/retries/MailRetriesRepo.ts"
import { type SendBody, withDeliveries } from "../../sending/Send.ts"
import type { DeliveryFailed, KeptNumber, NoRecipient, SendInProgress } from "../../sending/SendErrors.ts"
import { DocumentNumbers } from "../../numbering/DocumentNumbers.ts"
import { complete, type InvoiceFacts, type InvoiceStatus, isPaidAtIssue, type SentInvoice } from "../Invoice.ts"
import { settledOf } from "../../printing/documents/Settled.ts"
import { InvoiceLocked, type NonChronological } from "../InvoiceErrors.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { invoiceEntry, invoiceEvent } from "../InvoiceAudit.ts"
import { InvoicePdf } from "./InvoicePdf.ts"
import { InvoicesRepo } from "../InvoicesRepo.ts"
import { InvoiceIssuer } from "../writing/InvoiceIssuer.ts"
import { InvoiceWarnings } from "../writing/InvoiceWarnings.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"

/** Sends an invoice by email, as `DocumentSends` describes. Sending a draft issues it; a void invoice is refused. */
export class InvoiceSender extends Context.Service<
  InvoiceSender,
  {
    /** `numbered` runs after the invoice has its number and before any mail is sent. */
    readonly send: (
      id: InvoiceId,
      body: SendBody,
      numbered?: Effect.Effect<void>
    ) => Effect.Effect<
      SentInvoice,
      | NotFound
      | NoRecipient
      | DeliveryFailed
      | SendInProgress
      | InvoiceLocked
      | NonChronological
      | NumberTaken
      | CustomerDeleted
      | BooksLocked
      | PdfRefused,
      Caller
    >
    /** Repeats the deferred messages of a send, or continues a send that a crash interrupted. */
    readonly retry: (id: InvoiceId, send: RetriedSend) => Effect.Effect<void, SendInProgress | PdfUnavailable, Caller>
  }
>()("invoicing/billing/invoices/sending/InvoiceSender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvoicesRepo
      const issuing = yield* InvoiceIssuer
      const numbering = yield* DocumentNumbers
      const archiving = yield* DocumentArchiver
      const mail = yield* DocumentMail
      const sends = yield* DocumentSends
      const retries = yield* DocumentRetries
      const invoicePdf = yield* InvoicePdf
      const invoiceWarnings = yield* InvoiceWarnings
      const auditLog = yield* AuditLog

      const lock = Effect.fnUntraced(function* (id: InvoiceId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      const save = Effect.fnUntraced(function* (
        changed: InvoiceFacts,
        action: "invoice.issued" | "invoice.sent" | "invoice.issue_undone",
        before: InvoiceStatus,
        sealed: Entry["data"] = {}
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const facts = { ...changed, version: changed.version + 1 }
        const invoice = complete(facts, yield* todayHere)
        const event = yield* invoiceEvent(action === "invoice.sent" ? action : "invoice.updated", invoice, before)
        yield* repo.save(organization_id, facts, yield* invoiceEntry(action, invoice, [event], sealed))
        return { facts, invoice }
      })

      /**
       * Publishes that an invoice with nothing to pay is paid, once its issue cannot be undone anymore. Otherwise the
       * paid invoice would become a draft again if no message is accepted.
       */
      const announcePaid = Effect.fnUntraced(function* (stored: InvoiceFacts, issued: Issued | null) {
        const invoice = complete(stored, yield* todayHere)
        if (issued === null || invoice.status !== "paid" || !isPaidAtIssue(stored)) return
        const event = yield* invoiceEvent("invoice.paid", invoice, "draft")
        yield* auditLog.append(yield* invoiceEntry("invoice.paid", invoice, [event]))
      })

      const prepare = Effect.fn("InvoiceSender.prepare")(function* (id: InvoiceId, { recipients: asked }: SendBody) {
        const stored = yield* lock(id)
        const { status } = complete(stored, yield* todayHere)
        if (status === "void") return yield* InvoiceLocked.change({ ...stored, status })
        // The recipients are read after the invoice was locked, because until then a draft's customer may change.
        const recipients = yield* mail.recipients(asked, stored.customer_id)
        if (status !== "draft") return { recipients, issued: null }
        const { facts: draft, numbered, sealed, warnings } = yield* issuing.issue(stored, yield* now, "once_sent")
        const { facts } = yield* save(draft, "invoice.issued", status, sealed)
        const issued: Issued = {
          version: facts.version,
          issue_date: facts.issue_date,
          sequence: Option.match(numbered, { onNone: () => null, onSome: ({ sequence }) => sequence }),
          non_chronological: warnings.warnings?.includes("non_chronological") === true
        }
        return { recipients, issued }
      })

      const mailing = Effect.fnUntraced(function* (id: InvoiceId, body: Pick<SendBody, "attach_pdf">) {
        const { id: organization_id } = yield* CurrentOrganization
        const facts = yield* orNotFound(repo.find({ organization_id, id }))
        const { currency, customer_id, due_date, number, total, voided_at } = facts
        const { balance_due, refundable_amount, status } = complete(facts, yield* todayHere)
        // The invoice may have been voided since a crash interrupted the send that is resumed here.
        if (voided_at !== null) return yield* InvoiceLocked.change({ ...facts, status: "void" })
        const pdf = body.attach_pdf === false ? Option.none() : Option.some(yield* invoicePdf.render(id))
        const document = { kind: "invoice" as const, id, number: number ?? "", customer_id, total, currency }
        const settled = settledOf({ refundable_amount, status })
        return { document: { ...document, balance_due, settled, date: settled === null ? due_date : null }, pdf }
      })

      const answer = Effect.fnUntraced(function* (stored: InvoiceFacts, { deliveries, issued }: Sent) {
        const warnings = issued === null ? {} : yield* invoiceWarnings.onIssue(stored, issued.non_chronological)
        return { ...complete(stored, yield* todayHere), ...warnings, deliveries }
      })

      /** Keeps the time of the first send; later sends are recorded in the audit chain only. */
      const finish = Effect.fn("InvoiceSender.finish")(function* (id: InvoiceId, sent: Sent) {
        const stored = yield* lock(id)
        yield* archiving.release(documentOf(id))
        if (sent.mailed === 0) {
          yield* announcePaid(stored, sent.issued)
          return yield* answer(stored, sent)
        }
        if (stored.sent_at === null) {
          const at = yield* now
          // The event about the issue was published when the request was answered, so a later message finds the invoice
          // issued.
          const isIssue = sent.issued !== null && !sent.resumed
          const before = isIssue ? "draft" : complete(stored, yield* todayHere).status
          const changed = { ...stored, sent_at: at, sent_method: "email" as const, updated_at: at }
          const { facts } = yield* save(changed, "invoice.sent", before)
          yield* announcePaid(facts, sent.issued)
          return yield* answer(facts, sent)
        }
        const answered = yield* answer(stored, sent)
        const entry = yield* invoiceEntry("invoice.resent", answered, [])
        yield* auditLog.append({ ...entry, data: { ...entry.data, recipients: sent.mailed } })
        yield* announcePaid(stored, sent.issued)
        return answered
      })

      const hold = Effect.fn("InvoiceSender.hold")(function* (id: InvoiceId, { issue_date }: Issued) {
        const { number } = yield* lock(id)
        if (number !== null) yield* archiving.hold({ ...documentOf(id), number })
        yield* numbering.hold("invoice", issue_date)
      })

      /**
       * Makes the invoice a draft again, and returns the number that it keeps, if any. The invoice stays issued if
       * `sending_time_max` has passed, if it changed meanwhile or is already archived, if a later number of its series is
       * in use, or if the books of its date were locked meanwhile, because the VAT report of that period contains it.
       */
      const withdraw = Effect.fnUntraced(function* (id: InvoiceId, issued: Issued, isExpired: boolean) {
        const stored = yield* lock(id)
        const { number } = stored
        if (number === null) return Option.none()
        const document = documentOf(id)
        const { status } = complete(stored, yield* todayHere)
        const kept = Option.some<KeptNumber>({ number, status })
        const stays = Effect.as(archiving.release(document), kept)
        const isLocked = yield* Effect.isFailure(requireOpenBooks(issued.issue_date))
        if (isExpired || isLocked || stored.version !== issued.version) return yield* stays
        if (!(yield* archiving.hold({ ...document, number }))) return kept
        const { issue_date, sequence } = issued
        const draft = { ...stored, issued_at: null, paid_at: null, updated_at: yield* now }
        if (sequence === null) {
          yield* numbering.undate("invoice", issue_date, number)
          yield* archiving.withdraw(document)
          yield* save(draft, "invoice.issue_undone", status)
          return Option.some<KeptNumber>({ number, status: "draft" })
        }
        if (!(yield* numbering.giveBack("invoice", issue_date, { number, sequence }))) return yield* stays
        yield* archiving.withdraw(document)
        const undone = { ...draft, number: null, payment_reference: null }
        const sealed = { series: String(yearOf(issue_date)), sequence }
        yield* save(undone, "invoice.issue_undone", status, sealed)
        return Option.none()
      })

      const undo = Effect.fn("InvoiceSender.undo")(function* (id: InvoiceId, issued: Issued, isExpired: boolean) {
        const kept = yield* withdraw(id, issued, isExpired)
        if (Option.isSome(kept) && kept.value.status !== "draft") yield* announcePaid(yield* lock(id), issued)
        return kept
      })

      const sendable = (id: InvoiceId, body: Pick<SendBody, "attach_pdf">) => ({
        kind: "invoice" as const,
        id,
        mailing: () => mailing(id, body),
        finish: (sent: Sent) => finish(id, sent),
        hold: (issued: Issued) => hold(id, issued),
        undo: (issued: Issued, isExpired: boolean) => undo(id, issued, isExpired)
      })

      const send = Effect.fn("InvoiceSender.send")(function* (
        id: InvoiceId,
        body: SendBody,
        numbered: Effect.Effect<void> = Effect.void
      ) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* sends.send({
          ...sendable(id, body),
          body,
          prepare: () => prepare(id, body),
          mailing: () => Effect.andThen(numbered, mailing(id, body)),
          answer: (sent) =>
            Effect.flatMap(orNotFound(repo.find({ organization_id, id })), (stored) => answer(stored, sent))
        })
      })

      const refuse = Effect.fn("InvoiceSender.refuse")(function* (
        id: InvoiceId,
        deliveries: SentInvoice["deliveries"]
      ) {
        const invoice = complete(yield* lock(id), yield* todayHere)
        const event = withDeliveries(yield* invoiceEvent("invoice.mail_refused", invoice), deliveries)
        const recipients = deliveries.length
        yield* auditLog.append(yield* invoiceEntry("invoice.mail_refused", invoice, [event], { recipients }))
      })

      const retry = Effect.fn("InvoiceSender.retry")((id: InvoiceId, send: RetriedSend) =>
        retries.retry({ ...sendable(id, send), refuse: (deliveries) => refuse(id, deliveries) }, send)
      )

      return InvoiceSender.of({ send, retry })
    })
  ).pipe(
    Layer.provide([InvoicesRepo.layer, InvoiceIssuer.layer, DocumentNumbers.layer, DocumentArchiver.layer]),
    Layer.provide([
      DocumentMail.layer,
      DocumentSends.layer,
      DocumentRetries.layer,
      InvoicePdf.layer,
      InvoiceWarnings.layer
    ])
  )
}

const documentOf = (document_id: InvoiceId) => ({ document_type: "invoice" as const, document_id })
