import { Schema } from "effect"
import { Iban } from "../../organizations/Iban.ts"
import { Line, orNull, Text } from "../../kernel/Text.ts"

const mandate_characters_max = 35
const creditor_characters_max = 35

const notBlank = Schema.isPattern(/\S/, { message: "may not be empty." })

/** The payment methods, named as in `POST /payments`, each with its own fields. */
const fields = {
  bank_transfer: [],
  direct_debit: ["mandate_reference", "creditor_identifier", "debited_iban"],
  card: ["card_last_digits", "card_holder"],
  cash: []
} as const

const methods = ["bank_transfer", "direct_debit", "card", "cash"] as const
const required = {
  bank_transfer: [],
  direct_debit: ["mandate_reference"],
  card: ["card_last_digits"],
  cash: []
} as const

/**
 * The payment means of a document (EN 16931 BG-16 to BG-19). A document without payment means requests a transfer to
 * the organization's own account.
 */
export const PaymentMeans = Schema.Struct({
  method: Schema.Literals(methods).annotate({ message: `must be one of: ${methods.join(", ")}.` }),
  /** BT-89: the reference of the direct debit mandate that the customer signed. */
  mandate_reference: orNull(Text(mandate_characters_max).check(notBlank)),
  /** BT-90: the creditor identifier that the bank assigned to the organization. */
  creditor_identifier: orNull(Text(creditor_characters_max).check(notBlank)),
  /** BT-91: the customer's account to be debited. */
  debited_iban: orNull(Iban),
  /** BT-87: the last four to six digits of the card; a document may not show more. */
  card_last_digits: orNull(
    Schema.String.check(Schema.isPattern(/^\d{4,6}$/, { message: "must be the last 4 to 6 digits of the card." }))
  ),
  /** BT-88: the name of the card holder. */
  card_holder: orNull(Line)
})
  .check(
    Schema.makeFilter((means) => {
      const own: ReadonlyArray<string> = ["method", ...fields[means.method]]
      const missing = required[means.method].filter((name) => means[name] === null)
      const foreign = Object.entries(means).filter(([name, value]) => value !== null && !own.includes(name))
      return [
        ...missing.map((name) => ({ path: [name], issue: `is required when method is ${means.method}.` })),
        ...foreign.map(([name]) => ({ path: [name], issue: `may not be given when method is ${means.method}.` }))
      ]
    })
  )
  .annotate({ identifier: "PaymentMeans" })
export type PaymentMeans = typeof PaymentMeans.Type
