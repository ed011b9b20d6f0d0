import { BigDecimal, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { Amount, zero } from "../../kernel/Money.ts"
import { textIn } from "../periods/Currencies.ts"
import { type Period, period } from "../periods/Period.ts"

/**
 * The types of entries, in the order in which a statement shows the entries of one day. The id of a prepayment is that
 * of its invoice.
 */
const EntryType = Schema.Literals(["invoice", "prepayment", "credit_note", "payment", "refund"])

const entry = {
  date: Day,
  type: EntryType,
  id: Schema.Int,
  number: Schema.NullOr(Schema.String),
  description: Schema.String,
  currency: CurrencyCode
}

/** An entry of a customer's account, and its effect on the balance in the organization's currency. */
const Movement = Schema.Struct({
  ...entry,
  /** Positive, in the document's currency. */
  amount: Amount,
  /** Positive when the customer owes more; null when no exchange rate is known. */
  moved: Schema.NullOr(Amount)
})
type Movement = typeof Movement.Type

/** The balance before a period, and the period's movements in order. */
export const Account = Schema.Struct({
  customer: Schema.Struct({ id: CustomerId, name: Schema.String }),
  opening: Amount,
  movements: Schema.Array(Movement)
})
export type Account = typeof Account.Type

const Entry = Schema.Struct({
  ...entry,
  debit: Schema.String,
  credit: Schema.String,
  balance: Schema.String,
  amount: Schema.String
})

/** Amounts are decimal strings in the organization's currency; only `amount` is in the currency of its entry. */
export const CustomerStatement = Schema.Struct({
  customer: Account.fields.customer,
  ...period,
  currency: CurrencyCode,
  opening_balance: Schema.String,
  entries: Schema.Array(Entry),
  totals: Schema.Struct({
    invoiced: Schema.String,
    paid: Schema.String,
    credited: Schema.String,
    refunded: Schema.String
  }),
  closing_balance: Schema.String,
  /** Entries in other currencies whose document has no exchange rate; no balance and no total includes them. */
  unconverted: Schema.Array(Schema.Struct({ ...entry, amount: Schema.String }))
}).annotate({ identifier: "CustomerStatement" })
export type CustomerStatement = typeof CustomerStatement.Type

const absolute = ({ moved }: Movement) => BigDecimal.abs(moved ?? zero)

/** Formats the amount in the movement's own currency. */
const own = ({ amount, currency }: Movement) => textIn(currency)(amount)

const shown = (movement: Movement) => Struct.omit(movement, ["amount", "moved"])

/** Builds a statement by adding up the movements of the period from the opening balance. */
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
