import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** Number and currency decide which statements belong to an account, so no two active accounts share both. */
export class IbanTaken extends Schema.Error<IbanTaken>("IbanTaken")(refusal("IbanTaken", "iban_taken"), {
  httpApiStatus: 422
}) {
  static of() {
    return new IbanTaken({
      message: "The organization has an active account with this IBAN or number in this currency."
    })
  }
}
