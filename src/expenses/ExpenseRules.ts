import { BigDecimal, Effect, Option } from "effect"
import { Day, dayAt, now, type Timestamp, type TimeZone } from "../kernel/Calendar.ts"
import { clientData, clientDataOf } from "../kernel/ClientData.ts"
import { exponentOf } from "../kernel/Currency.ts"
import { changedRate } from "../kernel/ExchangeRate.ts"
import type { ExpenseId } from "../kernel/Ids.ts"
import { fitsExponent, isRounding, percentOf } from "../kernel/Money.ts"
import { type FieldErrors, ValidationFailed } from "../kernel/Refusal.ts"
import { requireOpenBooks } from "../organizations/BookLock.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"
import { type ExpenseChanges, type ExpenseDraft, type ExpenseFacts, netOf } from "./Expense.ts"
import { ExpenseLocked, ExpenseRejected, ReceiptBooked } from "./ExpenseErrors.ts"
import type { ExpensesRepo } from "./ExpensesRepo.ts"
import type { ReceiptsRepo } from "./receipts/records/ReceiptsRepo.ts"

/** Maximum difference per tax row, in currency units, between the sum of a receipt's rows and its total tax. */
const tolerance_per_row = BigDecimal.make(1n, 2)

export const drafted = Effect.fnUntraced(function* (id: ExpenseId, draft: ExpenseDraft) {
  const created_at = yield* now
  const blank: ExpenseFacts = {
    id,
    expense_date: draft.expense_date,
    category: draft.category,
    amount: draft.amount,
    tax_amount: null,
    tax_rates: [],
    currency: draft.currency,
    exchange_rate: draft.exchange_rate ?? null,
    country: draft.country ?? null,
    vendor: draft.vendor ?? null,
    description: draft.description,
    is_vat_deductible: draft.is_vat_deductible ?? false,
    vat_deductible_percentage: draft.vat_deductible_percentage ?? null,
    payment_method: draft.payment_method ?? null,
    reference: draft.reference ?? null,
    receipt_path: draft.receipt_path ?? null,
    is_billable: draft.is_billable ?? false,
    billed_invoice_id: null,
    billed_item_id: null,
    linked_invoice_id: null,
    status: draft.status ?? "pending",
    paid_at: null,
    payment_reference: null,
    notes: draft.notes ?? null,
    bank_transaction_id: null,
    ...clientDataOf(draft),
    created_at,
    updated_at: created_at,
    version: 1
  }
  return withPayment(withTax(blank, draft), created_at)
})

export const changed = Effect.fnUntraced(function* (stored: ExpenseFacts, changes: ExpenseChanges) {
  const updated_at = yield* now
  const { tax_amount: _amount, tax_rates: _rates, ...rest } = changes
  const facts = {
    ...stored,
    ...rest,
    ...clientDataOf(changes, stored),
    exchange_rate: changedRate(stored, changes),
    updated_at,
    version: stored.version + 1
  }
  return withPayment(withTax(facts, changes), updated_at)
})

type Tax = Pick<ExpenseFacts, "tax_amount" | "tax_rates">

/** New tax rows also replace the total tax with their sum, unless the client sends the total. */
export const withTax = <A extends Tax>(
  facts: A,
  { tax_amount, tax_rates }: Pick<ExpenseChanges, "tax_amount" | "tax_rates">
): A => {
  const rows = tax_rates === undefined ? facts.tax_rates : (tax_rates ?? [])
  const kept = tax_rates === undefined || rows.length === 0 ? facts.tax_amount : null
  const said = tax_amount === undefined ? kept : tax_amount
  return { ...facts, tax_rates: rows, tax_amount: said ?? (rows.length === 0 ? null : taxOf(rows)) }
}

/** Adds a missing payment date to a paid expense. Removes payment date and reference of any other expense. */
const withPayment = (facts: ExpenseFacts, at: ExpenseFacts["updated_at"]): ExpenseFacts =>
  facts.status === "paid"
    ? { ...facts, paid_at: facts.paid_at ?? at }
    : { ...facts, paid_at: null, payment_reference: null }

const open_statuses = new Set<ExpenseFacts["status"]>(["draft", "pending", "approved"])

/**
 * Refuses a change that would contradict a payment, a bank line or an invoice: a new amount or currency of an expense
 * that stays paid, is on an invoice, or is linked to a bank line, and a new net amount of an expense on an invoice. An
 * expense that a bank line pays in part may be approved, but not rejected or marked as paid, and one that is paid by bank
 * lines stays paid. An expense cannot be both rejected and paid, or both rejected and billed.
 */
export const requireUnlocked = (
  stored: ExpenseFacts,
  next: ExpenseFacts
): Effect.Effect<void, ExpenseLocked | ExpenseRejected> => {
  const pays = BigDecimal.equals(stored.amount, next.amount) && stored.currency === next.currency
  const isAlike = stored.status === next.status || (open_statuses.has(stored.status) && open_statuses.has(next.status))
  if (stored.bank_transaction_id !== null && !(pays && isAlike)) {
    return Effect.fail(ExpenseLocked.reconciled(stored))
  }
  if (stored.status === "rejected" && next.status === "paid") return Effect.fail(ExpenseRejected.of())
  if (stored.billed_invoice_id !== null && next.status === "rejected" && stored.status !== "rejected") {
    return Effect.fail(ExpenseLocked.rejection(stored))
  }
  const bills = stored.billed_invoice_id === null || (pays && BigDecimal.equals(netOf(stored), netOf(next)))
  const isPaid = stored.status === "paid" && next.status === "paid"
  return bills && (pays || !isPaid) ? Effect.void : Effect.fail(ExpenseLocked.change(stored))
}

/**
 * Refuses a status that changes the reports of a closed period: those of the day of the expense, if the expense begins or
 * ceases to count, and those of the day of its payment, if the payment is added, moved or removed.
 */
export const requireOpenStatus = Effect.fnUntraced(function* (stored: ExpenseFacts, next: ExpenseFacts) {
  const { timezone } = yield* CurrentOrganization
  const payments = stored.paid_at === next.paid_at ? [] : [stored.paid_at, next.paid_at]
  const days = payments.map((at) => dayOf(at, timezone))
  yield* requireOpenBooks(isCounted(stored) === isCounted(next) ? null : stored.expense_date, ...days)
})

/**
 * True if a closed period permits the changes: no report shows these fields, and a later period bills the expense. The day
 * of a payment decides whether the payment can be added or removed (`requireOpenStatus`).
 */
export const isUnreported = ({ status }: Pick<ExpenseFacts, "status">, changes: ExpenseChanges) =>
  Object.keys(changes).every(
    (field) =>
      field in clientData ||
      field === "is_billable" ||
      field === "linked_invoice_id" ||
      (field === "status" && (status === "paid" || changes.status === "paid"))
  )

/** As in the database function `add_costs`. */
const isCounted = ({ status }: Pick<ExpenseFacts, "status">) => status !== "draft" && status !== "rejected"

const taxOf = (rows: ExpenseFacts["tax_rates"]) => BigDecimal.sumAll(rows.map(({ tax_amount }) => tax_amount))

type Amounts = Pick<ExpenseFacts, "amount" | "tax_amount" | "tax_rates" | "currency">

/**
 * True if the net amount and the tax of each row have the same sign, and the rows add up to the amount. If each tax is
 * that of its rate, the amount may be rounded. Only then may a row have another sign than the amount, e.g. for returned
 * packaging.
 */
const isWhole = ({ amount, tax_rates }: Pick<Amounts, "amount" | "tax_rates">, exponent: number) => {
  const sum = BigDecimal.sumAll(tax_rates.flatMap((row) => [row.taxable_amount, row.tax_amount]))
  const rounding = BigDecimal.subtract(amount, sum)
  return (
    tax_rates.every((row) => BigDecimal.sign(row.taxable_amount) * BigDecimal.sign(row.tax_amount) >= 0) &&
    (BigDecimal.isZero(rounding) ||
      (isRounding(rounding, amount) && tax_rates.every((row) => isComputed(row, exponent))))
  )
}

export const amountErrors = ({ amount, currency, tax_amount, tax_rates }: Amounts): FieldErrors => {
  const exponent = exponentOf(currency)
  const amounts = {
    amount,
    ...(tax_amount === null ? {} : { tax_amount }),
    ...Object.fromEntries(
      tax_rates.flatMap((row, index) => [
        [`tax_rates.${index}.taxable_amount`, row.taxable_amount],
        [`tax_rates.${index}.tax_amount`, row.tax_amount]
      ])
    )
  }
  const errors: Record<string, ReadonlyArray<string>> = {}
  for (const [field, value] of Object.entries(amounts)) {
    if (fitsExponent(value, exponent)) continue
    errors[field] = [`The ${field} field may not have more than ${exponent} decimal places in ${currency}.`]
  }
  const mayMix = isWhole({ amount, tax_rates }, exponent)
  for (const [field, value] of Object.entries(amounts)) {
    if (BigDecimal.sign(value) * BigDecimal.sign(amount) >= 0 || (mayMix && field !== "tax_amount")) continue
    const least = BigDecimal.isNegative(amount) ? "most" : "least"
    errors[field] ??= [`The ${field} field must be at ${least} 0, like the amount.`]
  }
  // Rows that add up to the amount are accepted as the supplier stated them, so that every document can be booked.
  for (const [index, row] of mayMix ? [] : tax_rates.entries()) {
    if (!isComputed(row, exponent)) {
      errors[`tax_rates.${index}.tax_amount`] ??= [
        `The tax_rates.${index}.tax_amount field must be the rate of the taxable_amount.`
      ]
    }
    if (isBeyond(BigDecimal.sum(row.taxable_amount, row.tax_amount), amount)) {
      errors[`tax_rates.${index}.taxable_amount`] ??= [
        `The tax_rates.${index}.taxable_amount field with its tax may not be greater than the amount.`
      ]
    }
  }
  if (tax_amount === null) return errors
  if (BigDecimal.isGreaterThan(BigDecimal.abs(tax_amount), BigDecimal.abs(amount))) {
    errors["tax_amount"] ??= ["The tax_amount field may not be greater than the amount."]
  }
  const difference = BigDecimal.abs(BigDecimal.subtract(taxOf(tax_rates), tax_amount))
  const tolerance = BigDecimal.multiply(tolerance_per_row, BigDecimal.fromBigInt(BigInt(tax_rates.length)))
  if (tax_rates.length > 0 && BigDecimal.isGreaterThan(difference, tolerance)) {
    errors["tax_rates"] = ["The tax_rates field must add up to the tax_amount."]
  }
  return errors
}

/** Receipts that round the tax of each line differ from the exact tax by some cents: by 5, or 1 % of the tax. */
const isComputed = ({ rate, tax_amount, taxable_amount }: Amounts["tax_rates"][number], exponent: number) => {
  const difference = BigDecimal.abs(BigDecimal.subtract(percentOf(taxable_amount, rate), tax_amount))
  return !BigDecimal.isGreaterThan(difference, BigDecimal.max(BigDecimal.make(5n, exponent), hundredth(tax_amount)))
}

/** Paying cash rounds the amount, in some currencies to whole units. */
const isBeyond = (part: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal) => {
  const excess = BigDecimal.subtract(BigDecimal.abs(part), BigDecimal.abs(amount))
  return BigDecimal.isPositive(excess) && !isRounding(excess, amount)
}

const hundredth = (amount: BigDecimal.BigDecimal) => percentOf(BigDecimal.abs(amount), BigDecimal.make(1n, 0))

/** Rules about the receipt that an expense names. */
export const receiptRules = (receipts: ReceiptsRepo["Service"], repo: ExpensesRepo["Service"]) => {
  const requireOwnReceipt = Effect.fnUntraced(function* (receipt_path: string | null) {
    const { id: organization_id } = yield* CurrentOrganization
    if (receipt_path === null || (yield* receipts.isUsable({ organization_id, receipt_path }))) return
    return yield* ValidationFailed.of({
      receipt_path: ["The receipt_path field must name a receipt that the organization has uploaded."]
    })
  })

  /** Refuses a second expense for the same purchase. Must run in the transaction that writes the expense. */
  const requireUnbooked = Effect.fnUntraced(function* (facts: ExpenseFacts) {
    if (facts.receipt_path === null) return
    const { id: organization_id } = yield* CurrentOrganization
    // The receipt stays locked until the transaction ends, so that the second of two bookings sees the first.
    yield* receipts.lockBooking(organization_id, facts.receipt_path)
    const twin = yield* repo.findTwin({ ...facts, organization_id })
    if (Option.isSome(twin)) return yield* ReceiptBooked.of(twin.value.id)
  })

  return { requireOwnReceipt, requireUnbooked }
}

export const requireAmounts = (expense: Amounts) => {
  const errors = amountErrors(expense)
  return Object.keys(errors).length === 0 ? Effect.void : Effect.fail(ValidationFailed.of(errors))
}

/** Older expenses store the day of a payment as midnight UTC, which is read as that day. */
export const dayOf = (at: Timestamp | null, timezone: TimeZone): Day | null => {
  if (at === null) return null
  return /T00:00:00(?:\.0+)?Z$/.test(at) ? Day.make(at.slice(0, 10)) : dayAt(Date.parse(at), timezone)
}
