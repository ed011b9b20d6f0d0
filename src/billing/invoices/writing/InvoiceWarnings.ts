import { Context, Effect, Layer } from "effect"
import type { Timestamp } from "../../../kernel/Calendar.ts"
import type { CustomerId, InvoiceId } from "../../../kernel/Ids.ts"
import type { CurrentOrganization } from "../../../platform/http/Security.ts"
import { Correspondence } from "../../correspondence/Correspondence.ts"
import { dependsOnParties, isRateMissing, type Taxed, taxWarnings } from "../../taxes/TaxWarning.ts"
import { type Invoice, warned } from "../Invoice.ts"

interface PaymentTerms {
  readonly payee?: unknown
  readonly payment_means?: { readonly method: string; readonly iban?: string | null } | null
}

interface Warnable extends Taxed {
  readonly id: InvoiceId
  readonly customer_id: CustomerId
  readonly issued_at: Timestamp | null
  readonly details: Taxed["details"] & PaymentTerms
}

/** Finds doubts about an invoice, which refuse nothing (rules/invoices.md, Warnings). */
export class InvoiceWarnings extends Context.Service<
  InvoiceWarnings,
  {
    /** Returns the warnings with which the request that issues the draft is answered. */
    readonly onIssue: (
      draft: Warnable,
      non_chronological: boolean
    ) => Effect.Effect<Pick<Invoice, "warnings">, never, CurrentOrganization>
    /** Adds the warnings to a draft that was written. Those of an issued invoice were answered when it was issued. */
    readonly onDraft: <E, R>(
      writing: Effect.Effect<Invoice, E, R>
    ) => Effect.Effect<Invoice, E, R | CurrentOrganization>
  }
>()("invoicing/billing/invoices/writing/InvoiceWarnings") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const correspondence = yield* Correspondence

      const of = Effect.fn("InvoiceWarnings.of")(function* (invoice: Warnable) {
        const own = [
          ...(isRateMissing(invoice) ? (["tax_rate_missing"] as const) : []),
          ...(isPayeeIbanMissing(invoice) ? (["payee_iban_missing"] as const) : [])
        ]
        if (!dependsOnParties(invoice)) return own
        const parties = yield* correspondence.on("invoice", invoice, invoice.issued_at === null)
        return [...taxWarnings(invoice, parties), ...own]
      })

      const onIssue = Effect.fnUntraced(function* (draft: Warnable, non_chronological: boolean) {
        const chronology = non_chronological ? (["non_chronological"] as const) : []
        return warned(...chronology, ...(yield* of(draft)))
      })

      const onDraft: InvoiceWarnings["Service"]["onDraft"] = Effect.fnUntraced(function* (writing) {
        const invoice = yield* writing
        if (invoice.status !== "draft") return invoice
        return { ...invoice, ...warned(...(yield* of({ ...invoice, details: invoice }))) }
      })

      return InvoiceWarnings.of({ onIssue, onDraft })
    })
  ).pipe(Layer.provide(Correspondence.layer))
}

/**
 * True if the invoice names a payee, such as a factor, but would print the organization's own account for the transfer.
 */
const isPayeeIbanMissing = ({ details: { payee, payment_means: means } }: Warnable): boolean =>
  (payee ?? null) !== null && (means?.method ?? "bank_transfer") === "bank_transfer" && !means?.iban
