import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

/** Spec, Organization: the currency is locked once any invoice, quote, expense or credit note exists. */
export class CurrencyLocked extends Schema.Error<CurrencyLocked>("CurrencyLocked")(
  refusal("CurrencyLocked", "currency_locked"),
  { httpApiStatus: 422, description: "The organization has financial documents, so its currency stays as it is." }
) {
  static of(currency: string) {
    return new CurrencyLocked({
      message: `The currency stays ${currency} because the organization has financial documents.`
    })
  }
}
