import { Effect, Schema } from "effect"
import { refusal, ValidationFailed } from "../../kernel/Refusal.ts"
import type { Invoice, InvoiceFacts } from "./Invoice.ts"
import { described } from "../../kernel/Described.ts"

/** An issued invoice is evidence: only a credit note can reverse it. A void invoice exists only to keep its number. */
export class InvoiceLocked extends Schema.Error<InvoiceLocked>("InvoiceLocked")(
  {
    ...refusal("InvoiceLocked", "invoice_locked"),
    details: described(
      Schema.Struct({
        status: described(Schema.String, "Status of the invoice."),
        number: described(Schema.NullOr(Schema.String), "Number of the invoice; null if it has none yet.")
      }),
      "The invoice that is locked."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "An issued invoice can no longer be changed or deleted, except for its due date, `external_id` and `metadata`; issue a credit note instead."
  }
) {
  static change({ number, status }: Pick<Invoice, "number" | "status">) {
    return new InvoiceLocked({
      message: `An invoice that is ${status} cannot be changed.`,
      details: { status, number }
    })
  }
  static removal({ number, status }: Pick<Invoice, "number" | "status">) {
    return new InvoiceLocked({
      message:
        status === "void"
          ? "A void invoice is kept for its number."
          : "Issued invoices cannot be deleted; issue a credit note instead.",
      details: { status, number }
    })
  }
}

/** An unknown `invoice_id` in a request body is a validation error, not a missing resource. */
export const unknownInvoice = () =>
  ValidationFailed.of({ invoice_id: ["The invoice_id field must name an invoice of the organization."] })

/** A line that bills an expense has the amount of the expense, which is not converted to another currency. */
export const requireBilledCurrency = (
  { currency, items }: Pick<InvoiceFacts, "currency" | "items">,
  billed: ReadonlyArray<Pick<InvoiceFacts["items"][number], "id"> & Pick<InvoiceFacts, "currency">>
) => {
  const foreign = billed.find((line) => line.currency !== currency && items.some(({ id }) => id === line.id))
  if (foreign === undefined) return Effect.void
  return Effect.fail(
    ValidationFailed.field("currency", `must stay ${foreign.currency}, the currency of an expense on the invoice.`)
  )
}

/** The setting `invoice_chronology_enforced` turns the `non_chronological` warning into this error. */
export class NonChronological extends Schema.Error<NonChronological>("NonChronological")(
  refusal("NonChronological", "non_chronological"),
  {
    httpApiStatus: 422,
    description:
      "An invoice with a later date of issue is already issued in this series, and the organization enforces the order: choose a later date. Or the date is in the future, and the tax agency records each document on its date of issue: wait, or choose an earlier date."
  }
) {
  static of() {
    return new NonChronological({ message: "An invoice with a later issue date was already issued in this series." })
  }

  /** Refuses a future date of issue where the tax agency records documents. */
  static ahead() {
    return new NonChronological({
      message:
        "The issue date is in the future, and the tax agency accepts a document on its issue date at the earliest: " +
        "wait for that day, or choose an earlier date."
    })
  }
}
