import { Context, Effect, Layer } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { UnsettledSendsRepo } from "../../sending/UnsettledSendsRepo.ts"
import { complete, type InvoiceFacts } from "../Invoice.ts"
import { invoiceEntry, invoiceEvent } from "../InvoiceAudit.ts"
import { InvoicesRepo } from "../InvoicesRepo.ts"

/**
 * Keeps an invoice issued when a record that refers to it is made, such as a credit note. An unfinished send that
 * reaches nobody would make the invoice a draft again, but only if its version has not changed. So the invoice gets a
 * new version.
 */
export class IssueConfirmation extends Context.Service<
  IssueConfirmation,
  {
    /** Must run in the transaction that locked the invoice and makes the record that refers to it. */
    readonly confirm: (invoice: Pick<InvoiceFacts, "id" | "sent_at">) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/billing/invoices/sending/IssueConfirmation") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvoicesRepo
      const sends = yield* UnsettledSendsRepo

      const confirm = Effect.fn("IssueConfirmation.confirm")(function* ({
        id,
        sent_at
      }: Pick<InvoiceFacts, "id" | "sent_at">) {
        if (sent_at !== null) return
        const { id: organization_id } = yield* CurrentOrganization
        const { may_undo } = yield* sends.find({ organization_id, document: "invoice", document_id: id })
        if (!may_undo) return
        const stored = yield* Effect.orDie(orNotFound(repo.lock({ organization_id, id })))
        const facts = { ...stored, updated_at: yield* now, version: stored.version + 1 }
        const invoice = complete(facts, yield* todayHere)
        const event = yield* invoiceEvent("invoice.updated", invoice)
        yield* repo.save(organization_id, facts, yield* invoiceEntry("invoice.updated", invoice, [event]))
      })

      return IssueConfirmation.of({ confirm })
    })
  ).pipe(Layer.provide([InvoicesRepo.layer, UnsettledSendsRepo.layer]))
}
