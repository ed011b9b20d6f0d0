import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { Amount, Decimal } from "../../kernel/Money.ts"
import { Correspondents } from "../correspondence/Correspondents.ts"
import { OperationNature } from "../details/Details.ts"
import { TaxGroup } from "../lines/Tax.ts"

/** An issued invoice, or a credit note that was sent, with the facts that a report to a tax authority needs. */
export const DatedSale = Schema.Struct({
  kind: Schema.Literals(["invoice", "credit_note"]),
  id: Schema.Int,
  number: Schema.String,
  issue_date: Day,
  due_date: Schema.NullOr(Day),
  /** Type code of a credit note (UNTDID 1001); null for an invoice. */
  type_code: Schema.NullOr(Schema.String),
  currency: CurrencyCode,
  exchange_rate: Schema.NullOr(Decimal),
  operation_nature: Schema.NullOr(OperationNature),
  /** Amounts as on the document: those of a credit note are not negated. */
  tax_breakdown: Schema.Array(TaxGroup),
  /** The invoice that a credit note corrects. */
  original: Schema.NullOr(Schema.Struct({ number: Schema.String, issue_date: Day })),
  /** The customer as printed on the document. */
  customer: Correspondents.fields.customer,
  /** The identifiers that the customer has now, because a printed document lacks some of them. */
  identifiers: Schema.Struct({
    tax_number: Schema.NullOr(Schema.String),
    scheme: Schema.NullOr(Schema.String),
    value: Schema.NullOr(Schema.String)
  })
})
export type DatedSale = typeof DatedSale.Type

/** Money that was received for an invoice, less its refunds. */
export const DatedReceipt = Schema.Struct({
  received_on: Day,
  received: Amount,
  sale: DatedSale
})
export type DatedReceipt = typeof DatedReceipt.Type

export const Days = Schema.Struct({ start: Day, end: Day })
export type Days = typeof Days.Type
