import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { period } from "../periods/Period.ts"

const groupings = ["monthly", "quarterly", "annual"] as const
const Grouping = Schema.Literals(groupings)
export type VatGrouping = typeof Grouping.Type

export const vatQuery = {
  ...period,
  grouping: Schema.optionalKey(Grouping.annotate({ message: `must be one of: ${groupings.join(", ")}.` }))
}
export type VatQuery = Schema.Struct.Type<typeof vatQuery>

const taxed = { taxable: Schema.String, tax: Schema.String, documents: Schema.Int }

/** Tax charged on issued invoices, minus credit notes; `category` is the UNCL 5305 code of EN 16931. */
const OutputTax = Schema.Struct({
  /** Country of consumption for One Stop Shop sales; null for the organization's own country. */
  country: Schema.NullOr(Schema.String),
  rate: Schema.String,
  category: Schema.String,
  ...taxed
})
export type OutputTax = typeof OutputTax.Type

/** Tax paid on VAT-deductible expenses; `category` is the expense's category. */
const InputTax = Schema.Struct({
  /** Null when the expense states its tax without a rate; no rate is computed, since a receipt may have several. */
  rate: Schema.NullOr(Schema.String),
  category: Schema.String,
  ...taxed,
  deductible: Schema.String
})
export type InputTax = typeof InputTax.Type

const VatPeriod = Schema.Struct({
  /** "2026-03", "2026-Q1" or "2026"; without grouping, the ISO 8601 interval "2026-01-01/2026-03-31". */
  period: Schema.String,
  output: Schema.Array(OutputTax),
  input: Schema.Array(InputTax),
  output_total: Schema.String,
  /** The deductible part of the input tax. */
  input_total: Schema.String,
  net: Schema.String
})

const totals = { output: Schema.String, input: Schema.String, net: Schema.String }

/** Amounts are decimal strings in the organization's currency; `net` is the amount to pay. */
export const VatReport = Schema.Struct({
  start_date: Day,
  end_date: Day,
  grouping: Schema.NullOr(Grouping),
  currency: CurrencyCode,
  periods: Schema.Array(VatPeriod),
  totals: Schema.Struct(totals),
  /** The totals, and those of documents in other currencies without an exchange rate, which no period includes. */
  rows: Schema.Array(Schema.Struct({ currency: CurrencyCode, ...totals }))
}).annotate({ identifier: "VatReport" })
export type VatReport = typeof VatReport.Type
