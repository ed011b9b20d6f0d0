import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { now, today as todayIn } from "../../kernel/Calendar.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import { type Entry, Journal } from "../../platform/events/Journal.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { Archiving } from "../archiving/Archiving.ts"
import { DocumentMail } from "../sending/DocumentMail.ts"
import { DocumentSendings } from "../sending/DocumentSendings.ts"
import { type Delivery, isDelivered, type SendBody } from "../sending/Send.ts"
import { DeliveryFailed, type KeptNumber, type NoRecipient, type SendInProgress } from "../sending/SendErrors.ts"
import { Numbering, placeInSeries } from "../numbering/Numbering.ts"
import { balanceOf, complete, type InvoiceFacts, type InvoiceStatus, type SentInvoice } from "./Invoice.ts"
import { InvoiceLocked, type NonChronological } from "./InvoiceErrors.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { invoiceEntry, invoiceEvent } from "./InvoiceJournal.ts"
import { InvoicePdf } from "./InvoicePdf.ts"
import { InvoicesRepo } from "./InvoicesRepo.ts"
import { type Issued, InvoiceIssuing } from "./InvoiceIssuing.ts"

/** The invoice as it goes to the recipients, and how it got there. */
interface Ready {
  readonly facts: InvoiceFacts
  readonly recipients: ReadonlyArray<string>
  /** Before this send. */
  readonly status: InvoiceStatus
  /** Set when this send issued it: what has to be undone when nobody gets it. */
  readonly issued: Option.Option<Issued>
}

/** Sends an invoice by email, in the order that `DocumentMail` describes. In every state; a draft is issued by it. */
export class InvoiceSending extends Context.Service<
  InvoiceSending,
  {
    readonly send: (
      id: InvoiceId,
      body: SendBody
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
      | PdfUnavailable,
      Caller
    >
  }
>()("invoicing/billing/invoices/InvoiceSending") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvoicesRepo
      const issuing = yield* InvoiceIssuing
      const numbering = yield* Numbering
      const archiving = yield* Archiving
      const mail = yield* DocumentMail
      const sendings = yield* DocumentSendings
      const invoicePdf = yield* InvoicePdf
      const journal = yield* Journal
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: InvoiceId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      /** Writes the next version of an invoice, which says itself when it changed. */
      const save = Effect.fnUntraced(function* (
        changed: InvoiceFacts,
        action: string,
        sent?: { readonly before: InvoiceStatus },
        sealed?: Entry["data"]
      ) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const facts = { ...changed, version: changed.version + 1 }
        const invoice = complete(facts, yield* todayIn(timezone))
        const events = sent === undefined ? [] : [yield* invoiceEvent("invoice.sent", invoice, sent.before)]
        yield* repo.save(organization_id, facts, yield* invoiceEntry(action, invoice, events, sealed))
        return { facts, invoice }
      })

      const prepare = Effect.fn("InvoiceSending.prepare")(function* (id: InvoiceId, { recipients: asked }: SendBody) {
        const { timezone } = yield* CurrentOrganization
        const stored = yield* lock(id)
        const { status } = complete(stored, yield* todayIn(timezone))
        if (status === "void") return yield* InvoiceLocked.change({ ...stored, status })
        // Under the lock: a draft's customer may change until here.
        const recipients = yield* mail.recipients(asked, stored.customer_id)
        if (status !== "draft") return { facts: stored, status, recipients, issued: Option.none() } satisfies Ready
        const issued = yield* issuing.issue(stored, yield* now, "once_sent")
        const { facts } = yield* save(issued.facts, "invoice.issued", undefined, issued.sealed)
        return { facts, status, recipients, issued: Option.some(issued) } satisfies Ready
      }, transaction)

      const deliver = Effect.fnUntraced(function* ({ facts, recipients }: Ready, body: SendBody) {
        const { currency, customer_id, due_date, id, number, total } = facts
        const pdf = body.attach_pdf === false ? Option.none() : Option.some(yield* invoicePdf.render(id))
        const document = { kind: "invoice" as const, id, number: number ?? "", customer_id, total, currency }
        const date = BigDecimal.isPositive(balanceOf(facts)) ? due_date : null
        return yield* mail.deliver({ document: { ...document, date }, recipients, message: body.message, pdf })
      })

      /** Keeps the first time it was sent; a further one is in the audit chain only. */
      const finish = Effect.fn("InvoiceSending.finish")(function* (
        { issued, status }: Ready,
        id: InvoiceId,
        deliveries: ReadonlyArray<Delivery>
      ) {
        const { timezone } = yield* CurrentOrganization
        const stored = yield* lock(id)
        yield* archiving.release(documentOf(id))
        const warnings = Option.match(issued, { onNone: () => ({}), onSome: ({ warnings }) => warnings })
        if (stored.sent_at === null) {
          const at = yield* now
          const sent = { ...stored, sent_at: at, sent_method: "email" as const, updated_at: at }
          const { invoice } = yield* save(sent, "invoice.sent", { before: status })
          return { ...invoice, ...warnings, deliveries }
        }
        const invoice = complete(stored, yield* todayIn(timezone))
        const entry = yield* invoiceEntry("invoice.resent", invoice, [])
        const data = { ...entry.data, recipients: deliveries.filter(isDelivered).length }
        yield* journal.append({ ...entry, data })
        return { ...invoice, ...warnings, deliveries }
      }, transaction)

      /**
       * Makes the invoice a draft again, with the number that comes back if it had one as a draft. Not when something
       * happened to it meanwhile, and not when a later number than the one it got is in use: then it stays issued, under
       * the number that comes back.
       */
      const undo = Effect.fn("InvoiceSending.undo")(function* ({ facts, issued }: Ready) {
        const { number } = facts
        if (Option.isNone(issued) || number === null) return Option.none()
        const document = documentOf(facts.id)
        const stored = yield* lock(facts.id)
        const { timezone } = yield* CurrentOrganization
        const { status } = complete(stored, yield* todayIn(timezone))
        const kept = Option.some<KeptNumber>({ number, status })
        const stays = Effect.as(archiving.release(document), kept)
        if (stored.version !== facts.version) return yield* stays
        // What is in the archive was issued.
        if (!(yield* archiving.hold({ ...document, number }))) return kept
        const { numbered } = issued.value
        const draft = { ...stored, issued_at: null, updated_at: yield* now }
        if (Option.isNone(numbered)) {
          yield* numbering.undate("invoice", facts.issue_date, number)
          yield* archiving.withdraw(document)
          yield* save(draft, "invoice.issue_undone")
          return Option.some<KeptNumber>({ number, status: "draft" })
        }
        if (!(yield* numbering.giveBack("invoice", facts.issue_date, numbered.value))) return yield* stays
        yield* archiving.withdraw(document)
        const undone = { ...draft, number: null, payment_reference: null }
        yield* save(undone, "invoice.issue_undone", undefined, placeInSeries(numbered.value))
        return Option.none()
      }, transaction)

      const send = Effect.fn("InvoiceSending.send")(function* (id: InvoiceId, body: SendBody) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        return yield* sendings.exclusively({ kind: "invoice", id })(
          Effect.gen(function* () {
            const ready = yield* prepare(id, body)
            const deliveries = yield* deliver(ready, body).pipe(Effect.tapError(() => undo(ready)))
            if (deliveries.some(isDelivered)) return yield* finish(ready, id, deliveries)
            return yield* DeliveryFailed.of("invoice", deliveries, yield* undo(ready))
          })
        )
      })

      return InvoiceSending.of({ send })
    })
  ).pipe(
    Layer.provide([InvoicesRepo.layer, InvoiceIssuing.layer, Numbering.layer, Archiving.layer]),
    Layer.provide([DocumentMail.layer, DocumentSendings.layer, InvoicePdf.layer])
  )
}

const documentOf = (document_id: InvoiceId) => ({ document_type: "invoice" as const, document_id })
