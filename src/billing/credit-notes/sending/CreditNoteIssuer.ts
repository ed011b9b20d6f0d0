import { BigDecimal, Context, Effect, Layer } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import type { CreditNoteId } from "../../../kernel/Ids.ts"
import { zero } from "../../../kernel/Money.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../../../kernel/Refusal.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { DocumentArchiver } from "../../archiving/DocumentArchiver.ts"
import { balanceOf, complete as completeInvoice, settled } from "../../invoices/Invoice.ts"
import { statusEvent } from "../../invoices/InvoiceAudit.ts"
import { InvoicesRepo } from "../../invoices/InvoicesRepo.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import type { NumberTaken } from "../../numbering/NumberTaken.ts"
import { creditNoteSeal } from "../CreditNoteSeal.ts"
import { SealedSalesRepo } from "../../books/SealedSalesRepo.ts"
import { BilledExpenses } from "../../invoices/writing/BilledExpenses.ts"
import { DocumentSendLocks } from "../../sending/DocumentSendLocks.ts"
import type { SendInProgress } from "../../sending/SendErrors.ts"
import { complete, type CreditNote, type CreditNoteFacts, default_type_code } from "../CreditNote.ts"
import { creditNoteEntry, creditNoteEvent } from "../CreditNoteAudit.ts"
import { CreditNotePdf } from "./CreditNotePdf.ts"
import type { CreditNotePrint } from "../../printing/documents/CreditNotePdfDocument.ts"
import { CreditNotes } from "../writing/CreditNotes.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"
import { CreditNoteNumbers } from "./CreditNoteNumbers.ts"

/** Makes credit notes final: from then on they lower the balance of their invoice. */
export class CreditNoteIssuer extends Context.Service<
  CreditNoteIssuer,
  {
    /**
     * Marks a numbered note as sent and credits its invoice. Any excess over the balance is owed to the customer. The
     * expenses on an invoice that is now wholly credited can be billed again.
     */
    readonly markSent: (note: CreditNoteFacts, printed: CreditNotePrint) => Effect.Effect<CreditNote, NotFound, Caller>
    /** Numbers a draft and marks it as sent, in the caller's transaction. A sent note stays unchanged. */
    readonly issue: (
      id: CreditNoteId
    ) => Effect.Effect<CreditNote, NotFound | ValidationFailed | NumberTaken | SendInProgress | BooksLocked, Caller>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteIssuer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const archiving = yield* DocumentArchiver
      const billedExpenses = yield* BilledExpenses
      const creditNotes = yield* CreditNotes
      const creditNotePdf = yield* CreditNotePdf
      const invoices = yield* InvoicesRepo
      const numbering = yield* CreditNoteNumbers
      const sealing = yield* SealedSalesRepo
      const sendings = yield* DocumentSendLocks
      const { transaction } = yield* Database

      const markSent = Effect.fn("CreditNoteIssuer.markSent")(function* (
        { id, invoice_id, issue_date }: CreditNoteFacts,
        printed: CreditNotePrint
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const today = yield* todayHere
        const found = yield* orNotFound(invoices.lock({ organization_id, id: invoice_id }))
        const draft = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* billedExpenses.hold([invoice_id])
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
        const order = yield* archiving.depositCreditNote(facts, printed)
        const note = complete(facts)
        const { shares, ...parties } = yield* sealing.noteParts(organization_id, id)
        const sha256 = sha256Hex(yield* creditNoteSeal(organization_id, { ...facts, shares }, parties))
        const events = [
          yield* creditNoteEvent("credit_note.sent", note, "draft"),
          yield* statusEvent(invoice, before.status)
        ]
        const entry = yield* creditNoteEntry("credit_note.sent", note, events, { sha256, ...order })
        yield* repo.send(organization_id, facts, invoice, entry)
        if (invoice.status === "credited") yield* billedExpenses.release(invoice_id)
        return note
      })

      const issueDraft = Effect.fnUntraced(function* (id: CreditNoteId) {
        const numbered = yield* numbering.take(id)
        const note = { ...numbered, credit_note_type_code: numbered.credit_note_type_code ?? default_type_code }
        yield* creditNotes.requireTypeCode(note.credit_note_type_code, note.customer_id)
        return yield* markSent(note, yield* creditNotePdf.layOut(note))
      })

      const issue = Effect.fn("CreditNoteIssuer.issue")(function* (id: CreditNoteId) {
        yield* Effect.annotateCurrentSpan({ "credit_note.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const { invoice_id } = yield* creditNotes.get(id)
        // Every transaction locks an invoice before its credit notes, a credit note before its lease, and the expenses on
        // an invoice before the audit log.
        yield* invoices.hold(organization_id, [invoice_id])
        yield* billedExpenses.hold([invoice_id])
        const note = yield* orNotFound(repo.lock({ organization_id, id }))
        if (note.sent_at !== null) return complete(note)
        return yield* sendings.unlessSending({ kind: "credit_note", id })(issueDraft(id))
      }, transaction)

      return CreditNoteIssuer.of({ markSent, issue })
    })
  ).pipe(
    Layer.provide([
      CreditNotesRepo.layer,
      DocumentArchiver.layer,
      CreditNotes.layer,
      CreditNotePdf.layer,
      CreditNoteNumbers.layer,
      DocumentSendLocks.layer,
      SealedSalesRepo.layer,
      InvoicesRepo.layer
    ])
  )
}
