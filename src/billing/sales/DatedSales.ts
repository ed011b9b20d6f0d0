import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { DatedReceipt, DatedSale, Days } from "./DatedSale.ts"
import { DatedSalesRepo } from "./DatedSalesRepo.ts"

/** Lists what an organization sold and received by day, for reports to a tax authority. */
export class DatedSales extends Context.Service<
  DatedSales,
  {
    /** Lists the issued invoices and the sent credit notes of these days, in the order of their dates. */
    readonly sales: (organization_id: OrganizationId, days: Days) => Effect.Effect<ReadonlyArray<DatedSale>>
    /**
     * Lists payments by day. A prepaid amount counts on the day of the invoice. A refund reduces its payment, whatever
     * its own day is, because the amounts of a report may not be negative (rule G1.16 of the French flow 10).
     */
    readonly receipts: (organization_id: OrganizationId, days: Days) => Effect.Effect<ReadonlyArray<DatedReceipt>>
    /**
     * Returns a text for each range of days. The text changes when a sale or a payment in the range changes, or when
     * the list `omitted` has other documents of the range.
     */
    readonly fingerprints: (
      organization_id: OrganizationId,
      ranges: ReadonlyArray<Days>,
      omitted: ReadonlyArray<Pick<DatedSale, "kind" | "id">>
    ) => Effect.Effect<ReadonlyArray<string>>
  }
>()("invoicing/billing/sales/DatedSales") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(DatedSalesRepo, ({ fingerprints, receipts, sales }) =>
      DatedSales.of({
        sales: (organization_id, days) => sales({ organization_id, ...days }),
        receipts: (organization_id, days) => receipts({ organization_id, ...days }),
        fingerprints
      })
    )
  ).pipe(Layer.provide(DatedSalesRepo.layer))
}
