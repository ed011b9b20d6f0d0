import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import type { InvoiceId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound, type PreconditionFailed } from "../../../kernel/Refusal.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import { requireVersion } from "../../../platform/http/Precondition.ts"
import { Forbidden } from "../../../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { ConvertedQuotes } from "../../conversions/ConvertedQuotes.ts"
import { attachmentEvent } from "../attachments/Attachment.ts"
import { AttachmentsRepo } from "../attachments/AttachmentsRepo.ts"
import { complete, type Invoice, type InvoiceFacts } from "../Invoice.ts"
import { invoiceEntry, invoiceEvent } from "../InvoiceAudit.ts"
import { InvoiceLocked } from "../InvoiceErrors.ts"
import { invoiceSeal } from "../InvoiceSeal.ts"
import { InvoicesRepo } from "../InvoicesRepo.ts"
import { BilledExpenses } from "./BilledExpenses.ts"

type Removed = Pick<Invoice, "id">

export class InvoiceRemover extends Context.Service<
  InvoiceRemover,
  {
    /** Deletes a draft, or voids a draft with a number. The quote and the expenses on it can be billed again. */
    readonly remove: (
      id: InvoiceId
    ) => Effect.Effect<Removed, NotFound | PreconditionFailed | InvoiceLocked | Forbidden | BooksLocked, Caller>
  }
>()("invoicing/billing/invoices/writing/InvoiceRemover") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvoicesRepo
      const attachments = yield* AttachmentsRepo
      const converted = yield* ConvertedQuotes
      const billedExpenses = yield* BilledExpenses
      const { transaction } = yield* Database

      const remove = Effect.fn("InvoiceRemover.remove")(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id, role } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const stored = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(stored.version)
        const invoice = complete(stored, yield* todayHere)
        if (invoice.status !== "draft") return yield* InvoiceLocked.removal(invoice)
        yield* requireOpenBooks(invoice.issue_date)
        // A member may delete only the drafts that they created (rules/invoices.md, States).
        if (role === "member" && stored.created_by !== user_id) return yield* Forbidden.of("invoices.delete")
        const quote = yield* converted.lock(id)
        const expenses = yield* billedExpenses.hold([id])
        yield* stored.number === null ? erase(invoice) : nullify(stored)
        yield* billedExpenses.recordReleases(expenses)
        if (Option.isSome(quote)) yield* converted.undo(quote.value)
        return { id }
      }, transaction)

      /** Nobody can read the attachments of a deleted draft, so webhooks see their deletion, too. */
      const erase = Effect.fnUntraced(function* (invoice: Invoice) {
        const { id: organization_id } = yield* CurrentOrganization
        const going = yield* attachments.all({ organization_id, invoice_id: invoice.id })
        const events = [
          ...(yield* Effect.forEach(going, (attachment) => attachmentEvent("attachment.deleted", attachment))),
          yield* invoiceEvent("invoice.deleted", invoice)
        ]
        yield* repo.remove(organization_id, invoice.id, yield* invoiceEntry("invoice.deleted", invoice, events))
      })

      /** Voids a numbered draft: webhooks see a deletion, while the record is kept for its number. */
      const nullify = Effect.fnUntraced(function* (stored: InvoiceFacts) {
        const { id } = yield* CurrentOrganization
        const voided_at = yield* now
        // Clearing the external id lets a new record use it, as after a deletion.
        const facts = { ...stored, external_id: null, voided_at, updated_at: voided_at, version: stored.version + 1 }
        const event = yield* invoiceEvent("invoice.deleted", complete(facts, yield* todayHere), "draft")
        const sealed = { sha256: sha256Hex(yield* invoiceSeal(id, facts, null)) }
        yield* repo.save(id, facts, yield* invoiceEntry("invoice.voided", facts, [event], sealed))
      })

      return InvoiceRemover.of({ remove })
    })
  ).pipe(Layer.provide([InvoicesRepo.layer, AttachmentsRepo.layer, ConvertedQuotes.layer]))
}
