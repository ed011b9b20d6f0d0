import { Schema } from "effect"
import { Bic, Iban } from "../../organizations/profile/Iban.ts"
import { Line, nullable, orNull, Text } from "../../kernel/Text.ts"
import { described } from "../../kernel/Described.ts"

const mandate_characters_max = 35
const creditor_characters_max = 35

const notBlank = Schema.isPattern(/\S/, { message: "may not be empty." })

/** The payment methods, named as in `POST /payments`, each with its own fields. */
const fields = {
  bank_transfer: ["iban", "bic"],
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

/** EN 16931 BG-16 to BG-19. Unless they name an account, a transfer goes to the organization's own account. */
export const PaymentMeans = Schema.Struct({
  method: described(
    Schema.Literals(methods).annotate({ message: `must be one of: ${methods.join(", ")}.` }),
    "How the customer is to pay."
  ),
  // These keys may be absent, because issued documents from before they existed have sealed means without them.
  iban: described(
    nullable(Iban),
    "Account to which the customer transfers the amount (BT-84), such as that of the payee; only for `bank_transfer`. Default: the organization's own account.",
    "BE68539007547034"
  ),
  bic: described(nullable(Bic), "BIC of the bank of `iban` (BT-86); only with `iban`."),
  mandate_reference: described(
    orNull(Text(mandate_characters_max).check(notBlank)),
    "Reference of the mandate that the customer signed (BT-89); required for `direct_debit`."
  ),
  creditor_identifier: described(
    orNull(Text(creditor_characters_max).check(notBlank)),
    "Creditor identifier that the bank gave to the organization (BT-90); only for `direct_debit`."
  ),
  debited_iban: described(orNull(Iban), "Account of the customer that is debited (BT-91); only for `direct_debit`."),
  card_last_digits: described(
    orNull(
      Schema.String.check(Schema.isPattern(/^\d{4,6}$/, { message: "must be the last 4 to 6 digits of the card." }))
    ),
    "Last four to six digits of the card (BT-87); required for `card`."
  ),
  card_holder: described(orNull(Line), "Name of the card holder (BT-88); only for `card`.")
})
  .annotate({ description: "How the customer is to pay (BG-16 to BG-19)." })
  .check(
    Schema.makeFilter((means) => {
      const own: ReadonlyArray<string> = ["method", ...fields[means.method]]
      const [hasIban, hasBic] = [(means.iban ?? null) !== null, (means.bic ?? null) !== null]
      const missing = required[means.method].filter((name) => means[name] === null)
      const foreign = Object.entries(means).filter(([name, value]) => value !== null && !own.includes(name))
      return [
        ...(hasBic && !hasIban ? [{ path: ["bic"], issue: "may only be given with an iban." }] : []),
        ...missing.map((name) => ({ path: [name], issue: `is required when method is ${means.method}.` })),
        ...foreign.map(([name]) => ({ path: [name], issue: `may not be given when method is ${means.method}.` }))
      ]
    })
  )
  .annotate({ identifier: "PaymentMeans" })
export type PaymentMeans = typeof PaymentMeans.Type
