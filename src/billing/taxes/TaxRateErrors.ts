import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** Every new document is made with all rates at hand, so their number is bounded. */
export class TooManyTaxRates extends Schema.Error<TooManyTaxRates>("TooManyTaxRates")(
  refusal("TooManyTaxRates", "too_many_tax_rates"),
  { httpApiStatus: 422 }
) {
  static of(tax_rates_kept_max: number) {
    return new TooManyTaxRates({
      message: `An organization may not have more than ${tax_rates_kept_max} tax rates, archived ones included.`
    })
  }
}
