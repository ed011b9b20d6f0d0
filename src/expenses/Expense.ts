import { BigDecimal, Schema, Struct } from "effect"
import { Day, Moment, Timestamp } from "../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../kernel/ClientData.ts"
import { CountryCode } from "../kernel/Country.ts"
import { CurrencyCode, exponentOf } from "../kernel/Currency.ts"
import { Flag } from "../kernel/Flag.ts"
import { BankTransactionId, ExpenseId, InvoiceId } from "../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../kernel/Listing.ts"
import {
  Amount,
  AmountInput,
  Decimal,
  NonNegativeAmount,
  percentOf,
  roundHalfAwayFromZero,
  zero
} from "../kernel/Money.ts"
import { Line, Notes, nullable, Text } from "../kernel/Text.ts"
import { LineItemId } from "../billing/lines/LineItem.ts"
import { described } from "../kernel/Described.ts"

const category_characters_max = 64
/** Same limit as the description of an invoice line, because an expense can become one. */
const description_characters_max = 2_000
const tax_rates_max = 20
const hundred = BigDecimal.fromBigInt(100n)

export const ExpenseStatus = Schema.Literals(["draft", "pending", "approved", "rejected", "paid"]).annotate({
  identifier: "ExpenseStatus"
})
export type ExpenseStatus = typeof ExpenseStatus.Type

export const expensesSorting = { columns: ["expense_date", "id", "updated_at"], usual: "-expense_date" } as const

export const expensesQuery = {
  ...deletableQuery(expensesSorting),
  ...externalIdFilter,
  category: Schema.optionalKey(Line),
  date_from: Schema.optionalKey(Day),
  date_to: Schema.optionalKey(Day),
  status: Schema.optionalKey(ExpenseStatus),
  /** Searches vendor, description and reference, ignoring case and accents. */
  search: Schema.optionalKey(Line),
  vendor: Schema.optionalKey(Line),
  is_billable: Schema.optionalKey(Flag),
  /** Filters expenses that are, or are not, on an invoice. */
  billed: Schema.optionalKey(Flag),
  /** Filters expenses that a bank line pays wholly or partly, or the others. */
  reconciled: Schema.optionalKey(Flag)
}
export type ExpensesQuery = Schema.Struct.Type<typeof expensesQuery> & CursorRequest

/** The tax of one rate, with the amounts that the receipt states rather than computed ones. */
const ExpenseTax = Schema.Struct({
  rate: described(Decimal, "Rate in percent."),
  taxable_amount: described(Amount, "Amount without this tax, in the currency of the expense."),
  tax_amount: described(Amount, "Tax of this rate, in the currency of the expense.")
})

/** The stored row of `expenses`. */
export const ExpenseFacts = Schema.Struct({
  id: ExpenseId,
  expense_date: Day,
  category: Schema.String,
  /** Amount including taxes. */
  amount: Amount,
  /** Null when the tax is unknown; computed fields then count it as zero. */
  tax_amount: Schema.NullOr(Amount),
  tax_rates: Schema.Array(ExpenseTax),
  currency: CurrencyCode,
  country: Schema.NullOr(CountryCode),
  vendor: Schema.NullOr(Schema.String),
  description: Schema.String,
  is_vat_deductible: Schema.Boolean,
  /** Null means 100 % if the tax is deductible at all. */
  vat_deductible_percentage: Schema.NullOr(Decimal),
  payment_method: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String),
  receipt_path: Schema.NullOr(Schema.String),
  is_billable: Schema.Boolean,
  billed_invoice_id: Schema.NullOr(InvoiceId),
  billed_item_id: Schema.NullOr(LineItemId),
  linked_invoice_id: Schema.NullOr(InvoiceId),
  status: ExpenseStatus,
  paid_at: Schema.NullOr(Timestamp),
  payment_reference: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  bank_transaction_id: Schema.NullOr(BankTransactionId),
  ...clientData,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type ExpenseFacts = typeof ExpenseFacts.Type

/** An expense as every endpoint answers it, with its computed fields. */
export const Expense = Schema.Struct({
  ...ExpenseFacts.fields,
  vat_deductible_percentage: Decimal,
  net_amount: Amount,
  deductible_tax_amount: Amount,
  non_deductible_tax_amount: Amount
}).annotate({ identifier: "Expense" })
export type Expense = typeof Expense.Type

export const netOf = ({ amount, tax_amount }: Pick<ExpenseFacts, "amount" | "tax_amount">) =>
  BigDecimal.subtract(amount, tax_amount ?? zero)

/** The deductible part is rounded and the other part is the remainder, so that both add up to the tax. */
export const complete = (facts: ExpenseFacts): Expense => {
  const { currency, is_vat_deductible, tax_amount } = facts
  const tax = tax_amount ?? zero
  const percentage = facts.vat_deductible_percentage ?? (is_vat_deductible ? hundred : zero)
  const share = is_vat_deductible ? percentOf(tax, percentage) : zero
  const deductible = roundHalfAwayFromZero(share, exponentOf(currency))
  return {
    ...facts,
    vat_deductible_percentage: percentage,
    net_amount: netOf(facts),
    deductible_tax_amount: deductible,
    non_deductible_tax_amount: BigDecimal.subtract(tax, deductible)
  }
}

const notBlank = Schema.isPattern(/\S/, { message: "may not be empty." })

const Percentage = NonNegativeAmount.check(
  Schema.isLessThanOrEqualToBigDecimal(hundred, { message: "may not be greater than 100." })
)

const ExpenseTaxInputs = Schema.Array(
  Schema.Struct({
    rate: described(Percentage, "Rate in percent, 0 to 100."),
    taxable_amount: described(AmountInput, "Amount without this tax, in the currency of the expense."),
    tax_amount: described(AmountInput, "Tax of this rate, in the currency of the expense.")
  })
).check(Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` }))

const required = {
  expense_date: Day,
  /** The list of categories is open: an unknown category is one of the organization's own. */
  category: Text(category_characters_max).check(notBlank),
  /** Negative for a supplier's credit note or refund; then all taxes are negative, too. */
  amount: AmountInput.check(Schema.makeFilter((amount) => (BigDecimal.isZero(amount) ? "must not be 0." : undefined))),
  currency: CurrencyCode,
  description: Text(description_characters_max).check(notBlank)
}

const optional = {
  country: nullable(CountryCode),
  vat_deductible_percentage: nullable(Percentage),
  tax_amount: nullable(AmountInput),
  tax_rates: nullable(ExpenseTaxInputs),
  vendor: nullable(Line),
  payment_method: nullable(Line),
  reference: nullable(Line),
  receipt_path: nullable(Line),
  notes: nullable(Notes),
  ...clientDataInput
}

/** Both flags default to false, and the status to pending. */
export const ExpenseDraft = Schema.Struct({
  ...required,
  ...optional,
  is_vat_deductible: nullable(Schema.Boolean),
  is_billable: nullable(Schema.Boolean),
  status: nullable(ExpenseStatus)
}).annotate({ identifier: "ExpenseDraft" })
export type ExpenseDraft = typeof ExpenseDraft.Type

export const ExpenseChanges = Schema.Struct({
  ...Struct.map(required, Schema.optionalKey),
  ...optional,
  is_vat_deductible: Schema.optionalKey(Schema.Boolean),
  is_billable: Schema.optionalKey(Schema.Boolean),
  status: Schema.optionalKey(ExpenseStatus)
}).annotate({ identifier: "ExpenseChanges" })
export type ExpenseChanges = typeof ExpenseChanges.Type

/** The fields that a receipt gives for its expense; their names are those of the draft. */
export const ExpenseFindings = Schema.Struct({
  ...Struct.map(required, Schema.optionalKey),
  ...Struct.pick(optional, ["tax_amount", "tax_rates", "vendor", "payment_method", "reference", "receipt_path"])
})
export type ExpenseFindings = typeof ExpenseFindings.Type

export const MarkExpensePaid = Schema.Struct({
  paid_at: nullable(Moment),
  payment_method: nullable(Line),
  payment_reference: nullable(Line)
}).annotate({ identifier: "MarkExpensePaid" })
export type MarkExpensePaid = typeof MarkExpensePaid.Type

export const ConvertToInvoiceItem = Schema.Struct({
  invoice_id: InvoiceId,
  markup_percentage: nullable(NonNegativeAmount)
}).annotate({ identifier: "ConvertExpenseToInvoiceItem" })
export type ConvertToInvoiceItem = typeof ConvertToInvoiceItem.Type

export const LinkToInvoice = Schema.Struct({ invoice_id: InvoiceId }).annotate({ identifier: "LinkExpenseToInvoice" })
export type LinkToInvoice = typeof LinkToInvoice.Type
