import { Context, Effect, Layer } from "effect"
import type { Timestamp } from "../../../kernel/Calendar.ts"
import type { CustomerId, InvoiceId } from "../../../kernel/Ids.ts"
import type { CurrentOrganization } from "../../../platform/http/Security.ts"
import { Correspondence } from "../../correspondence/Correspondence.ts"
import { dependsOnParties, isRateMissing, type Taxed, taxWarnings } from "../../taxes/TaxWarning.ts"
import { type Invoice, type InvoiceWarning, warned } from "../Invoice.ts"

interface Paid {
  readonly payee?: unknown
  readonly payment_means?: { readonly method: string; readonly iban?: string | null } | null
}

interface Warnable extends Taxed {
  readonly id: InvoiceId
  readonly customer_id: CustomerId
  readonly issued_at: Timestamp | null
  readonly details: Taxed["details"] & Paid
}

/** Finds doubts about an invoice, which refuse nothing (rules/invoices.md, Warnings). */
export class InvoiceWarnings extends Context.Service<
  InvoiceWarnings,
  {
    readonly of: (invoice: Warnable) => Effect.Effect<ReadonlyArray<InvoiceWarning>, never, CurrentOrganization>
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

      const onDraft: InvoiceWarnings["Service"]["onDraft"] = Effect.fnUntraced(function* (writing) {
        const invoice = yield* writing
        if (invoice.status !== "draft") return invoice
        return { ...invoice, ...warned(...(yield* of({ ...invoice, details: invoice }))) }
      })

      return InvoiceWarnings.of({ of, onDraft })
    })
  ).pipe(Layer.provide(Correspondence.layer))
}

/** True if the payee would be paid on the account of the organization, which a factor never wants. */
const isPayeeIbanMissing = ({ details: { payee, payment_means: means } }: Warnable): boolean =>
  (payee ?? null) !== null && (means?.method ?? "bank_transfer") === "bank_transfer" && !means?.iban
