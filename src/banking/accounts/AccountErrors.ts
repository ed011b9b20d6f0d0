import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/**
 * An account's number and currency decide which bank statements belong to it, so two active accounts may not have the
 * same number and currency.
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
