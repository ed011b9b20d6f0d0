import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

export class LogoUnavailable extends Schema.Error<LogoUnavailable>("LogoUnavailable")(
  refusal("LogoUnavailable", "logo_unavailable"),
  { httpApiStatus: 503, description: "Too many pictures are waiting to be drawn; try again later." }
) {
  static of() {
    return new LogoUnavailable({ message: "The logo could not be drawn in time. Try again later." })
  }
}

/** The currency is locked once a document or an expense exists (rules/organizations.md, Fields). */
export class CurrencyLocked extends Schema.Error<CurrencyLocked>("CurrencyLocked")(
  refusal("CurrencyLocked", "currency_locked"),
  { httpApiStatus: 422, description: "The organization has financial documents, so its currency cannot be changed." }
) {
  static of(currency: string) {
    return new CurrencyLocked({
      message: `The currency ${currency} cannot be changed, because the organization has financial documents.`
    })
  }
}
