import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** The number of rates is limited, because lists read all rates of an organization at once. */
export class TooManyTaxRates extends Schema.Error<TooManyTaxRates>("TooManyTaxRates")(
  refusal("TooManyTaxRates", "too_many_tax_rates"),
  {
    httpApiStatus: 422,
    description: "The organization has reached its maximum number of tax rates, including archived ones."
  }
) {
  static of(tax_rates_kept_max: number) {
    return new TooManyTaxRates({
      message: `An organization may not have more than ${tax_rates_kept_max} tax rates, archived ones included.`
    })
  }
}
