import { Context, Effect, Layer } from "effect"
import type { Timestamp } from "../../kernel/Calendar.ts"
import type { CustomerId, InvoiceId } from "../../kernel/Ids.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence } from "../correspondence/Correspondence.ts"
import { dependsOnParties, type Taxed, type TaxWarning, taxWarnings } from "./TaxWarning.ts"

interface Warnable extends Taxed {
  readonly id: InvoiceId
  readonly customer_id: CustomerId
  readonly issued_at: Timestamp | null
}

/** Warns about taxes that do not fit the seller and the customer of an invoice (rules/invoices.md, Tax warnings). */
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
        if (!dependsOnParties(invoice)) return []
        return taxWarnings(invoice, yield* correspondence.on("invoice", invoice, invoice.issued_at === null))
      })

      return TaxWarnings.of({ of })
    })
  ).pipe(Layer.provide(Correspondence.layer))
}
