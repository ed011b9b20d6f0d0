import { BigDecimal, Context, Effect, Layer } from "effect"
import type { CreditNoteId, InvoiceId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import type { InvoiceFacts } from "../../invoices/Invoice.ts"
import { InvoicesRepo } from "../../invoices/InvoicesRepo.ts"
import { requireExponent, requireStorable } from "../../lines/Pricing.ts"
import type { CreditNoteFacts, CreditType } from "../CreditNote.ts"
import type { CreditedItem } from "../CreditNoteItem.ts"
import { ExceedsCreditableAmount } from "../CreditNoteErrors.ts"
import { CreditNotesRepo } from "../CreditNotesRepo.ts"
import { creditableInvoice } from "../CreditableInvoice.ts"
import type { Allocation } from "../Allocation.ts"
import { creditByAmount } from "./CreditByAmount.ts"
import { creditByLines } from "./CreditByLines.ts"

interface Asked extends Pick<CreditNoteFacts, "reason"> {
  readonly amount: BigDecimal.BigDecimal | null
  readonly items: ReadonlyArray<CreditedItem> | null
  readonly credit_type: CreditType | null
}

interface Allocated {
  readonly id: CreditNoteId
  readonly allocation: Omit<Allocation, "shares"> & Pick<CreditNoteFacts, "credit_type">
  readonly shares: Allocation["shares"]
}

export class CreditNoteAllocations extends Context.Service<
  CreditNoteAllocations,
  {
    /** Locks the invoice until the transaction ends, so that a concurrent note sees what this one leaves to credit. */
    readonly lockInvoice: (id: InvoiceId) => Effect.Effect<InvoiceFacts, NotFound, CurrentOrganization>
    /** Allocates a credit on a locked invoice. `own` is a note being changed, whose earlier amounts are ignored. */
    readonly allocate: (
      invoice: InvoiceFacts,
      asked: Asked,
      own?: CreditNoteId
    ) => Effect.Effect<Allocated, ValidationFailed | ExceedsCreditableAmount, CurrentOrganization>
    /** Refuses the credit type `full` for a note that does not credit everything that is left of its invoice. */
    readonly requireType: (
      note: CreditNoteFacts,
      credit_type: CreditType
    ) => Effect.Effect<CreditType, ValidationFailed, CurrentOrganization>
  }
>()("invoicing/billing/credit-notes/allocation/CreditNoteAllocations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CreditNotesRepo
      const invoices = yield* InvoicesRepo

      const lockInvoice = Effect.fnUntraced(function* (id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(invoices.lock({ organization_id, id }))
      })

      const allocate = Effect.fn("CreditNoteAllocations.allocate")(function* (
        invoice: InvoiceFacts,
        { amount, credit_type, items, reason }: Asked,
        own: CreditNoteId | null = null
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const credited = yield* repo.credited(organization_id, invoice.id, own)
        const remaining = BigDecimal.subtract(invoice.total, credited.total)
        if (amount !== null) yield* requireExponent("amount", amount, invoice.currency)
        if (amount !== null && BigDecimal.isGreaterThan(amount, remaining)) {
          return yield* ExceedsCreditableAmount.of(remaining)
        }
        const creditable = creditableInvoice(invoice, credited.shares)
        const { shares, ...allocation } =
          amount === null
            ? yield* creditByLines(creditable, credited.shares, items ?? [])
            : creditByAmount(creditable, credited.shares, amount, reason)
        yield* requireStorable(amount === null ? "items" : "amount", ...shares)
        const type = yield* creditTypeOf(credit_type, BigDecimal.equals(allocation.total, remaining))
        const { id, item_ids } = yield* repo.ids(allocation.items.length)
        const lines = allocation.items.map((item, index) => ({ ...item, id: item_ids[index] ?? item.id }))
        return { id, shares, allocation: { ...allocation, items: lines, credit_type: type } }
      })

      const requireType = Effect.fn("CreditNoteAllocations.requireType")(function* (
        { id, invoice_id, original_invoice, total }: CreditNoteFacts,
        credit_type: CreditType
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const credited = yield* repo.credited(organization_id, invoice_id, id)
        const remaining = BigDecimal.subtract(original_invoice.total, credited.total)
        return yield* creditTypeOf(credit_type, BigDecimal.equals(total, remaining))
      })

      return CreditNoteAllocations.of({ lockInvoice, allocate, requireType })
    })
  ).pipe(Layer.provide([CreditNotesRepo.layer, InvoicesRepo.layer]))
}

const creditTypeOf = (asked: CreditType | null, exhausts: boolean) =>
  asked === "full" && !exhausts
    ? Effect.fail(ValidationFailed.field("credit_type", "may only be full if it credits everything that is left."))
    : Effect.succeed(asked ?? (exhausts ? ("full" as const) : ("partial" as const)))
