import { BigDecimal, Context, Effect, Layer } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { ValidationFailed } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { sectionsOf, textIn } from "../periods/Currencies.ts"
import { nameOf, type Period, refusedEnd, requireOrder, requireRows, rows_max, unitsOf } from "../periods/Period.ts"
import { CostsRepo, type TaxCosts } from "../profit/CostsRepo.ts"
import { SalesRepo, type TaxSales } from "../sales/SalesRepo.ts"
import type { InputTax, OutputTax, TaxByRate, VatGrouping, VatQuery, VatReport } from "./VatReport.ts"

const units = { monthly: "month", quarterly: "quarter", annual: "year" } as const

export class VatReports extends Context.Service<
  VatReports,
  { readonly vat: (query: VatQuery) => Effect.Effect<VatReport, ValidationFailed, CurrentOrganization> }
>()("invoicing/reports/taxes/VatReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sales = yield* SalesRepo
      const costs = yield* CostsRepo
      const { snapshot } = yield* Database

      const vat = Effect.fn("VatReports.vat")(function* ({ grouping, ...period }: VatQuery) {
        const unit = grouping === undefined ? undefined : units[grouping]
        yield* unit === undefined ? requireOrder(period) : requireRows(unit, period)
        const organization = yield* CurrentOrganization
        const { currency } = organization
        const [output, input] = yield* snapshot(
          Effect.all([sales.taxes(organization, period, unit), costs.taxes(organization, period, unit)])
        )
        const taxes: ReadonlyArray<Tax> = [...output, ...input]
        if (taxes.length > rows_max) return yield* refusedEnd(`must end a period with at most ${rows_max} rows of tax.`)
        const [own, ...others] = sectionsOf(currency, taxes)
        const periods = spansOf(period, grouping).map(({ name, start }) => {
          const within = own.rows.filter((tax) => tax.start === start)
          const totals = totalsIn(currency, within)
          return {
            period: name,
            output: within.filter(isOutput).map((tax) => outputIn(currency, tax)),
            input: within.filter(isInput).map((tax) => inputIn(currency, tax)),
            output_total: totals.output,
            input_total: totals.input,
            net: totals.net
          }
        })
        const totals = totalsIn(currency, own.rows)
        const rows = [own, ...others].map((section) => ({
          currency: section.currency,
          ...totalsIn(section.currency, section.rows),
          rates: ratesIn(section.currency, section.rows)
        }))
        return { ...period, grouping: grouping ?? null, currency, periods, totals, rows }
      })

      return VatReports.of({ vat })
    })
  ).pipe(Layer.provide([SalesRepo.layer, CostsRepo.layer]))
}

type Tax = TaxSales | TaxCosts

/** Sums tax by rate and category over all parts of the period. */
const ratesIn = (currency: CurrencyCode, taxes: ReadonlyArray<Tax>): ReadonlyArray<TaxByRate> => {
  const text = textIn(currency)
  const keyOf = (tax: Tax) => [isOutput(tax) ? (tax.country ?? "") : "input", tax.rate, tax.category].join()
  return [...Map.groupBy(taxes, keyOf).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { category, rate } = first
    return {
      direction: isOutput(first) ? "output" : "input",
      country: isOutput(first) ? first.country : null,
      rate,
      category,
      taxable: text(BigDecimal.sumAll(same.map(({ taxable }) => taxable))),
      tax: text(BigDecimal.sumAll(same.map(({ tax }) => tax))),
      documents: same.reduce((sum, { documents }) => sum + documents, 0),
      deductible: isOutput(first)
        ? null
        : text(BigDecimal.sumAll(same.filter(isInput).map(({ deductible }) => deductible)))
    } satisfies TaxByRate
  })
}

const isInput = (tax: Tax): tax is TaxCosts => "deductible" in tax
const isOutput = (tax: Tax): tax is TaxSales => !isInput(tax)

/** Lists the periods of a report. A row of tax belongs to the period that has the same `start`. */
const spansOf = (period: Period, grouping: VatGrouping | undefined): ReadonlyArray<{ name: string; start: Day }> => {
  const { end_date, start_date } = period
  if (grouping === undefined) return [{ name: `${start_date}/${end_date}`, start: start_date }]
  return unitsOf(units[grouping], period).map((start) => ({ name: nameOf(units[grouping], start), start }))
}

const totalsIn = (currency: CurrencyCode, taxes: ReadonlyArray<Tax>) => {
  const text = textIn(currency)
  const output = BigDecimal.sumAll(taxes.filter(isOutput).map(({ tax }) => tax))
  const input = BigDecimal.sumAll(taxes.filter(isInput).map(({ deductible }) => deductible))
  return { output: text(output), input: text(input), net: text(BigDecimal.subtract(output, input)) }
}

const outputIn = (currency: CurrencyCode, sales: TaxSales): OutputTax => {
  const text = textIn(currency)
  const { category, country, documents, rate, tax, taxable } = sales
  return { country, rate, category, taxable: text(taxable), tax: text(tax), documents }
}

const inputIn = (currency: CurrencyCode, taxes: TaxCosts): InputTax => {
  const text = textIn(currency)
  const { category, deductible, documents, rate, tax, taxable } = taxes
  return { rate, category, taxable: text(taxable), tax: text(tax), deductible: text(deductible), documents }
}
