import { BigDecimal, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { Amount, zero } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"
import { type Period, period } from "../periods/Period.ts"
import { described } from "../../kernel/Described.ts"

/** The types of entries, in the order in which a statement lists the entries of a day. */
const EntryType = Schema.Literals(["invoice", "prepayment", "credit_note", "payment", "refund"])

const entry = {
  date: described(Day, "Day of the entry."),
  type: described(EntryType, "Kind of the entry."),
  id: described(Schema.Int, "Id of the record; a prepayment has the id of its invoice."),
  number: described(Schema.NullOr(Schema.String), "Number of the document; null if it has none."),
  description: described(Schema.String, "What the entry is about."),
  currency: described(CurrencyCode, "Currency of the record.")
}

/** An entry of a customer's account, and its effect on the balance in the organization's currency. */
const Movement = Schema.Struct({
  ...entry,
  /** The amount of the entry: always positive, in the document's currency. */
  amount: Amount,
  /** The change of the balance: positive when the customer owes more; null when no exchange rate is known. */
  moved: Schema.NullOr(Amount)
})
type Movement = typeof Movement.Type

/** The balance before a period, and the period's movements in order. */
export const Account = Schema.Struct({
  customer: Schema.Struct({ id: CustomerId, name: described(Schema.String, "Name of the customer.") }),
  opening: Amount,
  movements: Schema.Array(Movement)
})
export type Account = typeof Account.Type

const Entry = Schema.Struct({
  ...entry,
  debit: described(Schema.String, "Amount that the entry adds to the balance, in the currency of the organization."),
  credit: described(
    Schema.String,
    "Amount that the entry subtracts from the balance, in the currency of the organization."
  ),
  balance: described(Schema.String, "Balance after the entry."),
  amount: described(Schema.String, "Amount in the currency of the entry.")
})

export const CustomerStatement = Schema.Struct({
  customer: described(Account.fields.customer, "The customer."),
  ...period,
  currency: described(CurrencyCode, "Currency of the organization."),
  opening_balance: described(Schema.String, "Amount that the customer owed before the period."),
  entries: described(Schema.Array(Entry), "Entries of the period, in order."),
  totals: described(
    Schema.Struct({
      invoiced: described(Schema.String, "Sum of the invoices."),
      paid: described(Schema.String, "Sum of the payments and of what was paid before the invoices."),
      credited: described(Schema.String, "Sum of the credit notes."),
      refunded: described(Schema.String, "Sum of the refunds.")
    }),
    "Sums over the period."
  ),
  closing_balance: described(Schema.String, "Amount that the customer owes after the period."),
  unconverted: described(
    Schema.Array(Schema.Struct({ ...entry, amount: described(Schema.String, "Amount in the currency of the entry.") })),
    "Entries in other currencies without an exchange rate; no balance and no total includes them."
  )
}).annotate({
  identifier: "CustomerStatement",
  description: "The account of a customer in a period. Amounts are texts in the currency of the organization."
})
export type CustomerStatement = typeof CustomerStatement.Type

const absolute = ({ moved }: Movement) => BigDecimal.abs(moved ?? zero)

const own = ({ amount, currency }: Movement) => textIn(currency)(amount)

const shown = (movement: Movement) => Struct.omit(movement, ["amount", "moved"])

export const statementOf = (
  { customer, movements, opening }: Account,
  { end_date, start_date }: Period,
  currency: CurrencyCode
): CustomerStatement => {
  const text = textIn(currency)
  const converted = movements.filter(({ moved }) => moved !== null)
  const totalOf = (...types: ReadonlyArray<Movement["type"]>) =>
    text(BigDecimal.sumAll(converted.filter(({ type }) => types.includes(type)).map(absolute)))
  let balance = opening
  const entries = converted.map((movement) => {
    const raises = movement.type === "invoice" || movement.type === "refund"
    balance = BigDecimal.sum(balance, movement.moved ?? zero)
    return {
      ...shown(movement),
      debit: text(raises ? absolute(movement) : zero),
      credit: text(raises ? zero : absolute(movement)),
      balance: text(balance),
      amount: own(movement)
    }
  })
  return {
    customer,
    start_date,
    end_date,
    currency,
    opening_balance: text(opening),
    entries,
    totals: {
      invoiced: totalOf("invoice"),
      paid: totalOf("prepayment", "payment"),
      credited: totalOf("credit_note"),
      refunded: totalOf("refund")
    },
    closing_balance: text(balance),
    unconverted: movements
      .filter(({ moved }) => moved === null)
      .map((movement) => ({ ...shown(movement), amount: own(movement) }))
  }
}
