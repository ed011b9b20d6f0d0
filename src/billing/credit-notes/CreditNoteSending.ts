import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../customers/Customers.ts"
import { now, today as todayIn, yearOf } from "../../kernel/Calendar.ts"
import type { ContactId, CreditNoteId } from "../../kernel/Ids.ts"
import { zero } from "../../kernel/Money.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Archiving } from "../archiving/Archiving.ts"
import { Correspondence } from "../delivery/Correspondence.ts"
import { DocumentMail } from "../delivery/DocumentMail.ts"
import { DeliveryFailed, isDelivered, type NoRecipient, type SendInProgress } from "../delivery/Send.ts"
import { balanceOf, complete as completeInvoice, settled } from "../invoices/Invoice.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { invoiceEvent } from "../invoices/InvoiceJournal.ts"
import { InvoicesRepo } from "../invoices/InvoicesRepo.ts"
import { Numbering } from "../numbering/Numbering.ts"
import { complete, type CreditNoteFacts, default_type_code } from "./CreditNote.ts"
import type { SendCreditNote, SentCreditNote } from "./CreditNote.ts"
import { AlreadySent } from "./CreditNoteErrors.ts"
import { creditNoteEntry, creditNoteEvent } from "./CreditNoteJournal.ts"
import { CreditNotePdf } from "./CreditNotePdf.ts"
import { CreditNotes } from "./CreditNotes.ts"
import { CreditNotesRepo } from "./CreditNotesRepo.ts"

type Refused =
  | NotFound
  | ValidationFailed
  | AlreadySent
  | SendInProgress
  | NumberTaken
  | NoRecipient
  | DeliveryFailed
  | PdfUnavailable

/** A note that can be told about: it has a number, if only for the time of a sending. */
type Numbered = CreditNoteFacts & { readonly number: string }

/**
 * The moment a credit note counts. The message names its number, so a short transaction takes the number first; only
 * when somebody got the message does another one mark the note as sent and lower what the invoice is owed. When nobody
 * did, the number goes back, or stays with the draft for its next sending if a later one is in use: either way the
 * note is still a draft and the series has no gap. No lock and no transaction is held while a mail server thinks.
 */
export class CreditNoteSending extends Context.Service<
  CreditNoteSending,
  {
    readonly send: (id: CreditNoteId, body: SendCreditNote) => Effect.Effect<SentCreditNote, Refused, Caller>
  }
>()("invoicing/billing/credit-notes/CreditNoteSending") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const archiving = yield* Archiving
      const creditNotes = yield* CreditNotes
      const creditNotePdf = yield* CreditNotePdf
      const correspondence = yield* Correspondence
      const customers = yield* Customers
      const invoices = yield* InvoicesRepo
      const journal = yield* Journal
      const mail = yield* DocumentMail
      const numbering = yield* Numbering
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      /** Spec, Credit note: the recipients default to the customer's email. */
      const recipientsOf = Effect.fnUntraced(function* (note: CreditNoteFacts, body: SendCreditNote) {
        const customer = Option.getOrNull(yield* Effect.option(customers.get(note.customer_id)))
        const { addresses, errors } = addressesOf(body.contact_ids ?? [], customer?.contacts ?? [])
        if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
        const asked = [...(body.recipients ?? []), ...addresses]
        const usual = customer === null || customer.email === null ? [] : [customer.email]
        const distinct = new Map((asked.length > 0 ? asked : usual).map((address) => [address.toLowerCase(), address]))
        return yield* mail.recipients([...distinct.values()], note.customer_id)
      })

      const takeNumber = Effect.fn("CreditNoteSending.takeNumber")(function* (id: CreditNoteId) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const note = yield* lock(id)
        // Kept before it is sent: what the message brings is what is printed ever after.
        yield* correspondence.keep("credit_note", note)
        const today = yield* todayIn(timezone)
        if (note.number !== null && note.issue_date !== null) {
          // Left by a sending that reached nobody, or that a crash ended; it belongs to the series of its year.
          const issue_date = yearOf(note.issue_date) === yearOf(today) ? today : note.issue_date
          return { ...note, number: note.number, issue_date }
        }
        const { number, sequence } = yield* numbering.take("credit_note", today)
        yield* numbering.requireFree("credit_note", number)
        const numbered = { ...note, issue_date: today, number, sequence }
        const entry = yield* creditNoteEntry("credit_note.numbered", numbered)
        yield* repo.saveNumber(organization_id, numbered, entry)
        return numbered
      }, transaction)

      const giveNumberBack = Effect.fn("CreditNoteSending.giveNumberBack")(function* (id: CreditNoteId) {
        const { id: organization_id } = yield* CurrentOrganization
        const note = yield* lock(id)
        const { issue_date, number, sent_at, sequence } = note
        if (sent_at !== null || issue_date === null || number === null || sequence === null) return Option.none()
        if (!(yield* numbering.giveBack("credit_note", issue_date, { number, sequence }))) return Option.some(number)
        const entry = yield* creditNoteEntry("credit_note.number_returned", note)
        yield* repo.saveNumber(organization_id, { id, issue_date: null, number: null, sequence: null }, entry)
        return Option.none()
      }, transaction)

      const deliver = Effect.fnUntraced(function* (note: Numbered, body: SendCreditNote, to: ReadonlyArray<string>) {
        const { currency, customer_id, id, number, total } = note
        const pdf = (body.attach_pdf ?? true) ? Option.some(yield* creditNotePdf.renderNumbered(note)) : Option.none()
        const document = { kind: "credit_note" as const, id, number, customer_id, total, currency, date: null }
        return yield* mail.deliver({ document, recipients: to, message: body.message, pdf })
      })

      /** Lowers the balance first; what it cannot take up is owed to the customer. */
      const markSent = Effect.fn("CreditNoteSending.markSent")(function* ({
        id,
        issue_date,
        invoice_id
      }: CreditNoteFacts) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const today = yield* todayIn(timezone)
        const found = yield* orNotFound(invoices.lock({ organization_id, id: invoice_id }))
        const draft = yield* lock(id)
        const at = yield* now
        const before = completeInvoice(found, today)
        const amount_credited = BigDecimal.sum(before.amount_credited, draft.total)
        const invoice = completeInvoice(settled({ ...found, amount_credited }, at), today)
        const facts = {
          ...draft,
          issue_date,
          credit_note_type_code: draft.credit_note_type_code ?? default_type_code,
          refundable_amount: BigDecimal.max(zero, BigDecimal.subtract(draft.total, balanceOf(before))),
          sent_at: at,
          updated_at: at,
          version: draft.version + 1
        }
        yield* archiving.depositCreditNote(facts, yield* creditNotePdf.layOut(facts))
        const note = complete(facts)
        const isPaid = invoice.status === "paid" && before.status !== "paid"
        const entry = yield* creditNoteEntry("credit_note.sent", note, [
          yield* creditNoteEvent("credit_note.sent", note, "draft"),
          ...(isPaid ? [yield* invoiceEvent("invoice.paid", invoice, before.status)] : [])
        ])
        yield* repo.send(organization_id, facts, invoice, entry)
        return note
      }, transaction)

      const sendDraft = Effect.fnUntraced(function* (
        draft: CreditNoteFacts,
        body: SendCreditNote,
        to: ReadonlyArray<string>
      ) {
        const { id } = draft
        const code = draft.credit_note_type_code ?? default_type_code
        yield* creditNotes.requireTypeCode(code, draft.customer_id)
        const numbered = { ...(yield* takeNumber(id)), credit_note_type_code: code }
        const deliveries = yield* deliver(numbered, body, to).pipe(Effect.tapError(() => giveNumberBack(id)))
        if (!deliveries.some(isDelivered)) {
          const kept = yield* giveNumberBack(id)
          return yield* DeliveryFailed.of("credit note", deliveries, kept)
        }
        return { ...(yield* markSent(numbered)), deliveries }
      })

      const resend = Effect.fnUntraced(function* (note: Numbered, body: SendCreditNote, to: ReadonlyArray<string>) {
        const deliveries = yield* deliver(note, body, to)
        if (!deliveries.some(isDelivered)) return yield* DeliveryFailed.of("credit note", deliveries)
        yield* journal.append(yield* creditNoteEntry("credit_note.resent", note))
        return { ...complete(note), deliveries }
      })

      const sendNow = Effect.fnUntraced(function* (id: CreditNoteId, body: SendCreditNote) {
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* orNotFound(repo.find({ organization_id, id }))
        const note = found
        if (note.sent_at !== null && body.resend !== true) return yield* AlreadySent.of(note)
        const to = yield* recipientsOf(note, body)
        if (note.sent_at === null || note.number === null) return yield* sendDraft(note, body, to)
        return yield* resend({ ...note, number: note.number }, body, to)
      })

      const send = Effect.fn("CreditNoteSending.send")(function* (id: CreditNoteId, body: SendCreditNote) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        yield* creditNotes.get(id)
        return yield* mail.exclusively({ kind: "credit_note", id })(sendNow(id, body))
      })

      return CreditNoteSending.of({ send })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      Archiving.layer,
      CreditNotes.layer,
      CreditNotePdf.layer,
      Correspondence.layer,
      Customers.layer,
      DocumentMail.layer,
      InvoicesRepo.layer,
      Numbering.layer
    ])
  )
}

interface Reachable {
  readonly id: ContactId
  readonly email: string | null
}

/** The email addresses of contacts, or what is wrong with naming them. */
const addressesOf = (ids: ReadonlyArray<ContactId>, contacts: ReadonlyArray<Reachable>) => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  const addresses = ids.flatMap((id, index) => {
    const email = contacts.find((contact) => contact.id === id)?.email ?? null
    if (email !== null) return [email]
    const field = `contact_ids.${index}`
    errors[field] = [`The ${field} field must name a contact of the customer who has an email address.`]
    return []
  })
  return { addresses, errors }
}
