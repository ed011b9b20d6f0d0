import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** Too many pictures are waiting to be drawn, so the same request can succeed later. */
export class LogoUnavailable extends Schema.Error<LogoUnavailable>("LogoUnavailable")(
  refusal("LogoUnavailable", "logo_unavailable"),
  { httpApiStatus: 503, description: "Too many pictures are waiting to be drawn; try again later." }
) {
  static of() {
    return new LogoUnavailable({ message: "The logo could not be drawn in time. Try again later." })
  }
}

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
