import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/**
 * Another active account has the same number and currency. Both together decide which bank statements belong to an
 * account.
 */
export class IbanTaken extends Schema.Error<IbanTaken>("IbanTaken")(refusal("IbanTaken", "iban_taken"), {
  httpApiStatus: 422
}) {
  static of() {
    return new IbanTaken({
      message: "The organization has an active account with this IBAN or number in this currency."
    })
  }
}
