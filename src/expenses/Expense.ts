import { BigDecimal, Schema, Struct } from "effect"
import { Day, MomentOrDay, Timestamp } from "../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../kernel/ClientData.ts"
import { CountryCode } from "../kernel/Country.ts"
import { CurrencyCode, exponentOf } from "../kernel/Currency.ts"
import { ExchangeRate } from "../kernel/ExchangeRate.ts"
import { Flag } from "../kernel/Flag.ts"
import { BankTransactionId, ExpenseId, InvoiceId } from "../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../kernel/Listing.ts"
import {
  Amount,
  AmountInput,
  Decimal,
  hundred,
  NonNegativeAmount,
  Percentage,
  percentOf,
  roundHalfAwayFromZero,
  zero
} from "../kernel/Money.ts"
import { Line, Notes, nullable, nullableCode, Text, unlessNull } from "../kernel/Text.ts"
import { LineItemId } from "../billing/lines/LineItem.ts"
import { described } from "../kernel/Described.ts"
import { recordFields } from "../kernel/RecordFields.ts"

const category_characters_max = 64
/** Same limit as the description of an invoice line, because an expense can become one. */
const description_characters_max = 2_000
const tax_rates_max = 20

/** Category of an expense for which nothing provides another one. */
export const category_default = "other"

export const ExpenseStatus = Schema.Literals(["draft", "pending", "approved", "rejected", "paid"]).annotate({
  identifier: "ExpenseStatus",
  description:
    "Stage of an expense: a draft, waiting for approval (`pending`), approved, rejected or paid. A paid expense has a payment date."
})
export type ExpenseStatus = typeof ExpenseStatus.Type

export const expensesSorting = { columns: ["expense_date", "id", "updated_at"], usual: "-expense_date" } as const

export const expensesQuery = {
  ...deletableQuery(expensesSorting),
  ...externalIdFilter,
  category: described(Schema.optionalKey(Line), "Only expenses of this category."),
  date_from: described(Schema.optionalKey(Day), "Only expenses dated on this day or later."),
  date_to: described(Schema.optionalKey(Day), "Only expenses dated on this day or earlier."),
  status: described(Schema.optionalKey(ExpenseStatus), "Only expenses with this status."),
  search: described(
    Schema.optionalKey(Line),
    "Only expenses with this text in vendor, description or reference, ignoring case and accents."
  ),
  vendor: described(Schema.optionalKey(Line), "Only expenses with this text in the vendor, ignoring case and accents."),
  is_billable: described(Schema.optionalKey(Flag), "Only expenses that may be billed to a customer, or the others."),
  billed: described(Schema.optionalKey(Flag), "Only expenses that are a line of an invoice, or the others."),
  reconciled: described(
    Schema.optionalKey(Flag),
    "Only expenses that a bank transaction pays wholly or partly, or the others."
  )
}
export type ExpensesQuery = Schema.Struct.Type<typeof expensesQuery> & CursorRequest

/** The tax of one rate, with the amounts that the receipt states rather than computed ones. */
const ExpenseTax = Schema.Struct({
  rate: described(Decimal, "Rate in percent."),
  taxable_amount: described(Amount, "Amount without this tax, in the currency of the expense."),
  tax_amount: described(Amount, "Tax of this rate, in the currency of the expense.")
})

export const ExpenseFacts = Schema.Struct({
  id: ExpenseId,
  expense_date: described(Day, "Day of the expense."),
  category: described(Schema.String, "Category: a predefined one or your own.", "travel"),
  amount: described(
    Amount,
    "Amount including taxes, in the currency of the expense; negative for a credit note or refund of the supplier."
  ),
  tax_amount: described(
    Schema.NullOr(Amount),
    "Total of the taxes, in the currency of the expense. Null if it is unknown; computed fields then count it as zero."
  ),
  tax_rates: described(
    Schema.Array(ExpenseTax),
    "Taxes by rate, as the receipt states them; empty if they are unknown."
  ),
  currency: described(CurrencyCode, "Currency of all amounts of the expense (ISO 4217)."),
  exchange_rate: described(
    Schema.NullOr(Decimal),
    "Units of the organization's currency for one unit of the expense's; null if none was given."
  ),
  country: described(
    Schema.NullOr(CountryCode),
    "ISO 3166-1 code of the country of the expense; null if it is unknown."
  ),
  vendor: described(Schema.NullOr(Schema.String), "Name of the supplier; null if it is unknown."),
  description: described(Schema.String, "Description of the expense."),
  is_vat_deductible: described(Schema.Boolean, "True if the tax is deductible."),
  vat_deductible_percentage: described(
    Schema.NullOr(Decimal),
    "Deductible part of the tax, in percent, 0 to 100. Null means 100 if the tax is deductible. Nothing is deducted unless `is_vat_deductible` is true."
  ),
  payment_method: described(
    Schema.NullOr(Schema.String),
    "How the expense is paid, as text of your choice; null if it is unknown.",
    "card"
  ),
  reference: described(
    Schema.NullOr(Schema.String),
    "Number of the receipt or of the supplier's invoice; null if there is none."
  ),
  receipt_path: described(Schema.NullOr(Schema.String), "Path of the uploaded receipt; null if there is none."),
  is_billable: described(Schema.Boolean, "True if the expense may be billed to a customer."),
  billed_invoice_id: described(Schema.NullOr(InvoiceId), "Invoice that has the expense as a line; null if none."),
  billed_item_id: described(Schema.NullOr(LineItemId), "Line of that invoice; null if none."),
  linked_invoice_id: described(
    Schema.NullOr(InvoiceId),
    "Invoice that the expense belongs to, without a line in it; null if none."
  ),
  status: ExpenseStatus,
  paid_at: described(Schema.NullOr(Timestamp), "Time of the payment; null unless the status is `paid`."),
  payment_reference: described(Schema.NullOr(Schema.String), "Reference of the payment; null if there is none."),
  notes: described(Schema.NullOr(Schema.String), "Notes for yourself; null if there are none."),
  bank_transaction_id: described(
    Schema.NullOr(BankTransactionId),
    "Bank transaction that pays the expense; null if none."
  ),
  ...clientData,
  ...recordFields
})
export type ExpenseFacts = typeof ExpenseFacts.Type

export const Expense = Schema.Struct({
  ...ExpenseFacts.fields,
  vat_deductible_percentage: described(Decimal, "Deductible part of the tax, in percent, 0 to 100."),
  net_amount: described(Amount, "Amount without taxes, in the currency of the expense."),
  deductible_tax_amount: described(Amount, "Deductible part of the tax, in the currency of the expense."),
  non_deductible_tax_amount: described(Amount, "The other part of the tax, in the currency of the expense.")
}).annotate({ identifier: "Expense", description: "What the organization spent, with its deductible taxes." })
export type Expense = typeof Expense.Type

export const netOf = ({ amount, tax_amount }: Pick<ExpenseFacts, "amount" | "tax_amount">) =>
  BigDecimal.subtract(amount, tax_amount ?? zero)

/** Rounds the deductible part of the tax; the remainder is the non-deductible part, so that both add up to the tax. */
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

const ExpenseTaxInputs = Schema.Array(
  Schema.Struct({
    rate: described(Percentage, "Rate in percent, 0 to 100."),
    taxable_amount: described(AmountInput, "Amount without this tax, in the currency of the expense."),
    tax_amount: described(AmountInput, "Tax of this rate, in the currency of the expense.")
  })
).check(Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` }))

const required = {
  expense_date: described(Day, "Day of the expense."),
  category: described(
    Text(category_characters_max).check(notBlank),
    "Category of 1 to 64 characters; an unknown one is kept as your own.",
    "travel"
  ),
  amount: described(
    AmountInput.check(Schema.makeFilter((amount) => (BigDecimal.isZero(amount) ? "must not be 0." : undefined))),
    "Amount including taxes, in the currency of the expense, not 0. Negative for a credit note or refund of the supplier; the taxes have the same sign."
  ),
  currency: described(CurrencyCode, "Currency of all amounts of the expense (ISO 4217)."),
  description: described(
    Text(description_characters_max).check(notBlank),
    "Description of the expense, at most 2000 characters."
  )
}

const optional = {
  exchange_rate: described(
    nullable(ExchangeRate),
    "Units of the organization's currency for one unit of the expense's, more than 0, with at most 12 decimals; null if unknown."
  ),
  country: described(
    nullableCode(CountryCode),
    "ISO 3166-1 code of the country of the expense; null if it is unknown."
  ),
  vat_deductible_percentage: described(
    nullable(Percentage),
    "Deductible part of the tax, in percent, 0 to 100. Null means 100 if the tax is deductible. Nothing is deducted unless `is_vat_deductible` is true."
  ),
  tax_amount: described(
    nullable(AmountInput),
    "Total of the taxes, in the currency of the expense, at most `amount`. Default: the sum of `tax_rates`; null without them, if it is unknown."
  ),
  tax_rates: described(
    nullable(ExpenseTaxInputs),
    "Taxes by rate, as the receipt states them. They must add up to `tax_amount`, with a tolerance of 0.01 for each rate. A row may have the other sign, such as returned packaging, if all rows together are `amount`, which may be rounded by 0.5 or 1 % if each tax is that of its rate."
  ),
  vendor: described(nullable(Line), "Name of the supplier; null if it is unknown."),
  payment_method: described(
    nullable(Line),
    "How the expense is paid, as text of your choice; null if it is unknown.",
    "card"
  ),
  reference: described(nullable(Line), "Number of the receipt or of the supplier's invoice; null if there is none."),
  receipt_path: described(nullable(Line), "Path of a receipt that the organization uploaded; null if there is none."),
  notes: described(nullable(Notes), "Notes for yourself; null if there are none."),
  ...clientDataInput
}

export const ExpenseDraft = Schema.Struct({
  ...required,
  ...optional,
  is_vat_deductible: described(nullable(Schema.Boolean), "True if the tax is deductible. Default: false."),
  is_billable: described(nullable(Schema.Boolean), "True if the expense may be billed to a customer. Default: false."),
  status: described(nullable(ExpenseStatus), "Default: `pending`.")
}).annotate({ identifier: "ExpenseDraft", description: "An expense to be recorded." })
export type ExpenseDraft = typeof ExpenseDraft.Type

export const ExpenseChanges = Schema.Struct({
  ...Struct.map(required, Schema.optionalKey),
  ...optional,
  is_vat_deductible: described(unlessNull(Schema.Boolean), "True if the tax is deductible. Null changes nothing."),
  is_billable: described(
    unlessNull(Schema.Boolean),
    "True if the expense may be billed to a customer. Null changes nothing."
  ),
  linked_invoice_id: described(
    Schema.optionalKey(Schema.NullOr(InvoiceId)),
    "Null removes the link to an invoice, which `link-to-invoice` sets. Any other value must be the current one."
  ),
  status: described(unlessNull(ExpenseStatus), "Null changes nothing.")
}).annotate({
  identifier: "ExpenseChanges",
  description: "The fields of an expense to change; others are kept, and null clears a field."
})
export type ExpenseChanges = typeof ExpenseChanges.Type

/** The expense fields that a receipt provides, with the names that they have in `ExpenseDraft`. */
export const ExpenseFindings = Schema.Struct({
  ...Struct.map(required, Schema.optionalKey),
  ...Struct.pick(optional, ["tax_amount", "tax_rates", "vendor", "payment_method", "reference", "receipt_path"])
})
export type ExpenseFindings = typeof ExpenseFindings.Type

export const MarkExpensePaid = Schema.Struct({
  paid_at: described(
    nullable(MomentOrDay),
    "Time of the payment (RFC 3339, or a day, which starts at midnight in the time zone of the organization). Default: now."
  ),
  payment_method: described(
    nullable(Line),
    "How the expense was paid, as text of your choice. Default: the one that the expense has.",
    "card"
  ),
  payment_reference: described(nullable(Line), "Reference of the payment.")
}).annotate({ identifier: "MarkExpensePaid", description: "The payment of an expense." })
export type MarkExpensePaid = typeof MarkExpensePaid.Type

export const ConvertToInvoiceItem = Schema.Struct({
  invoice_id: described(InvoiceId, "Draft invoice that gets the line, in the currency of the expense."),
  markup_percentage: described(nullable(NonNegativeAmount), "Surcharge on the net amount, in percent. Default: 0.")
}).annotate({ identifier: "ConvertExpenseToInvoiceItem", description: "The invoice that bills an expense." })
export type ConvertToInvoiceItem = typeof ConvertToInvoiceItem.Type

export const LinkToInvoice = Schema.Struct({ invoice_id: InvoiceId }).annotate({
  identifier: "LinkExpenseToInvoice",
  description: "The invoice that an expense belongs to."
})
export type LinkToInvoice = typeof LinkToInvoice.Type
