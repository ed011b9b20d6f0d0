import { Context, Effect, Layer } from "effect"
import type { Timestamp } from "../../kernel/Calendar.ts"
import type { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence } from "../correspondence/Correspondence.ts"
import { dependsOnParties, isRateMissing, type Taxed, type TaxWarning, taxWarnings } from "./TaxWarning.ts"

interface Warnable extends Taxed {
  readonly id: InvoiceId
  readonly customer_id: CustomerId
  readonly issued_at: Timestamp | null
}

/** Warns about missing taxes, and about those that do not fit the seller and the customer of an invoice (rules/invoices.md, Tax warnings). */
export class TaxWarnings extends Context.Service<
  TaxWarnings,
  {
    readonly of: (invoice: Warnable) => Effect.Effect<ReadonlyArray<TaxWarning>, never, CurrentOrganization>
  }
>()("invoicing/billing/taxes/TaxWarnings") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const correspondence = yield* Correspondence

      const of = Effect.fn("TaxWarnings.of")(function* (invoice: Warnable) {
        const missing = isRateMissing(invoice) ? (["tax_rate_missing"] as const) : []
        if (!dependsOnParties(invoice)) return missing
        const parties = yield* correspondence.on("invoice", invoice, invoice.issued_at === null)
        return [...taxWarnings(invoice, parties), ...missing]
      })

      return TaxWarnings.of({ of })
    })
  ).pipe(Layer.provide(Correspondence.layer))
}
