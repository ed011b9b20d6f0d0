import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { period } from "../periods/Period.ts"
import { described } from "../../kernel/Described.ts"

const groupings = ["monthly", "quarterly", "annual"] as const
const Grouping = Schema.Literals(groupings)
export type VatGrouping = typeof Grouping.Type

export const vatQuery = {
  ...period,
  grouping: described(
    Schema.optionalKey(Grouping.annotate({ message: `must be one of: ${groupings.join(", ")}.` })),
    "Length of the parts of the report; without it, the whole period is one part."
  )
}
export type VatQuery = Schema.Struct.Type<typeof vatQuery>

const taxed = {
  taxable: described(Schema.String, "Sum of the amounts without tax."),
  tax: described(Schema.String, "Sum of the tax."),
  documents: described(Schema.Int, "Number of documents.")
}

const OutputTax = Schema.Struct({
  country: described(
    Schema.NullOr(Schema.String),
    "Country of consumption for One Stop Shop sales; null for the country of the organization."
  ),
  rate: described(Schema.String, "Rate in percent."),
  category: described(Schema.String, "Tax category (UNCL 5305, EN 16931), such as `S`."),
  ...taxed
})
export type OutputTax = typeof OutputTax.Type

/** Tax paid on VAT-deductible expenses. */
const InputTax = Schema.Struct({
  rate: described(Schema.NullOr(Schema.String), "Rate in percent; null if the expense states its tax without one."),
  category: described(Schema.String, "Category of the expense."),
  ...taxed,
  deductible: described(Schema.String, "The part of the tax that can be deducted.")
})
export type InputTax = typeof InputTax.Type

const VatPeriod = Schema.Struct({
  period: described(
    Schema.String,
    "`2026-03`, `2026-Q1` or `2026`; without grouping, the interval `2026-01-01/2026-03-31`."
  ),
  output: described(Schema.Array(OutputTax), "Tax charged on issued invoices, minus credit notes."),
  input: described(Schema.Array(InputTax), "Tax paid on expenses."),
  output_total: described(Schema.String, "Sum of the tax charged."),
  input_total: described(Schema.String, "Sum of the deductible tax paid."),
  net: described(Schema.String, "Tax to pay in all countries: charged minus deductible.")
})

const totals = {
  output: described(Schema.String, "Sum of the tax charged."),
  input: described(Schema.String, "Sum of the deductible tax paid."),
  net: described(Schema.String, "Tax to pay in all countries; negative if the authority owes it.")
}

const TaxByRate = Schema.Struct({
  direction: described(Schema.Literals(["output", "input"]), "`output` for tax charged, `input` for tax paid."),
  country: described(
    Schema.NullOr(Schema.String),
    "Country of consumption for One Stop Shop sales; null for the country of the organization, and for tax paid."
  ),
  rate: described(Schema.NullOr(Schema.String), "Rate in percent; null if an expense states its tax without one."),
  category: described(Schema.String, "Tax category (UNCL 5305) of tax charged; category of the expense for tax paid."),
  ...taxed,
  deductible: described(Schema.NullOr(Schema.String), "The deductible part of tax paid; null for tax charged.")
})
export type TaxByRate = typeof TaxByRate.Type

const CurrencyTotals = Schema.Struct({
  currency: described(CurrencyCode, "Currency of the amounts."),
  ...totals,
  rates: described(Schema.Array(TaxByRate), "The same sums by rate and category.")
})

export const VatReport = Schema.Struct({
  start_date: described(Day, "First day of the period."),
  end_date: described(Day, "Last day of the period."),
  grouping: described(Schema.NullOr(Grouping), "The requested grouping; null without one."),
  currency: described(CurrencyCode, "Currency of the organization."),
  periods: described(Schema.Array(VatPeriod), "The parts of the report."),
  totals: described(Schema.Struct(totals), "Sums over all parts."),
  rows: described(
    Schema.Array(CurrencyTotals),
    "Sums by currency: that of the organization, and those of documents without an exchange rate."
  )
}).annotate({
  identifier: "VatReport",
  description: "Tax charged and paid in a period. Amounts are texts in the currency of the organization."
})
export type VatReport = typeof VatReport.Type
