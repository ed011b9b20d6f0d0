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

/** What was charged on issued invoices, less credit notes; `category` is the UNCL 5305 code of EN 16931. */
const OutputTax = Schema.Struct({
  /** The country of consumption of One Stop Shop sales; null: the organization's own country. */
  country: Schema.NullOr(Schema.String),
  rate: Schema.String,
  category: Schema.String,
  ...taxed
})
export type OutputTax = typeof OutputTax.Type

/** What was paid on VAT-deductible expenses; `category` is theirs. */
const InputTax = Schema.Struct({
  /** Null: the expense says how much tax, not at which rate. None is computed, since a receipt may bear several. */
  rate: Schema.NullOr(Schema.String),
  category: Schema.String,
  ...taxed,
  deductible: Schema.String
})
export type InputTax = typeof InputTax.Type

const VatPeriod = Schema.Struct({
  /** "2026-03", "2026-Q1" or "2026"; without grouping the ISO 8601 interval "2026-01-01/2026-03-31". */
  period: Schema.String,
  output: Schema.Array(OutputTax),
  input: Schema.Array(InputTax),
  output_total: Schema.String,
  /** What is deductible of the input. */
  input_total: Schema.String,
  net: Schema.String
})

const totals = { output: Schema.String, input: Schema.String, net: Schema.String }

/** Contract section 13. Amounts are decimal strings in the organization's currency; `net` is what is to be paid. */
export const VatReport = Schema.Struct({
  start_date: Day,
  end_date: Day,
  grouping: Schema.NullOr(Grouping),
  currency: CurrencyCode,
  periods: Schema.Array(VatPeriod),
  totals: Schema.Struct(totals),
  /** The totals again, and those of documents in each other currency without an exchange rate, which are in no period. */
  rows: Schema.Array(Schema.Struct({ currency: CurrencyCode, ...totals }))
})
export type VatReport = typeof VatReport.Type
