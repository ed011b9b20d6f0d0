import { Schema } from "effect"
import { CurrencyCode } from "../kernel/Currency.ts"
import { ExpenseId, InvoiceId } from "../kernel/Ids.ts"
import { refusal } from "../kernel/Refusal.ts"
import { type Expense, ExpenseStatus } from "./Expense.ts"
import { described } from "../kernel/Described.ts"

/** A paid expense, or one on an invoice, is the evidence for the payment or the invoice line, so it must stay. */
export class ExpenseLocked extends Schema.Error<ExpenseLocked>("ExpenseLocked")(
  {
    ...refusal("ExpenseLocked", "expense_locked"),
    details: described(
      Schema.Struct({
        status: ExpenseStatus,
        billed_invoice_id: described(Schema.NullOr(InvoiceId), "Invoice that has the expense as a line; null if none.")
      }),
      "What the expense is."
    )
  },
  {
    httpApiStatus: 422,
    description: "The expense is paid, on an invoice or matched with a bank transaction; undo that first."
  }
) {
  static removal({ billed_invoice_id, status }: Pick<Expense, "status" | "billed_invoice_id">) {
    const state = status === "paid" ? "paid" : "invoiced"
    return new ExpenseLocked({
      message: `An expense that is ${state} cannot be deleted.`,
      details: { status, billed_invoice_id }
    })
  }
  static change({ billed_invoice_id, status }: Pick<Expense, "status" | "billed_invoice_id">) {
    const message =
      billed_invoice_id === null
        ? "The amount and currency of a paid expense cannot be changed; reset its status first."
        : "The amount, currency and tax of an expense on an invoice cannot be changed; remove it from the invoice first."
    return new ExpenseLocked({ message, details: { status, billed_invoice_id } })
  }
  static rejection({ billed_invoice_id, status }: Pick<Expense, "status" | "billed_invoice_id">) {
    return new ExpenseLocked({
      message: "An expense on an invoice cannot be rejected; remove it from the invoice first.",
      details: { status, billed_invoice_id }
    })
  }
  static reconciled({ billed_invoice_id, status }: Pick<Expense, "status" | "billed_invoice_id">) {
    return new ExpenseLocked({
      message:
        "An expense that a bank transaction pays keeps its amount and currency, and cannot become paid, unpaid or " +
        "rejected by a change of its status; unmatch the bank transaction first.",
      details: { status, billed_invoice_id }
    })
  }
}

export class ExpensePaid extends Schema.Error<ExpensePaid>("ExpensePaid")(refusal("ExpensePaid", "already_paid"), {
  httpApiStatus: 422,
  description: "The expense is already paid."
}) {
  static of() {
    return new ExpensePaid({ message: "The expense is already paid." })
  }
}

const rejected = "The expense is rejected; change its status first."

export class ExpenseRejected extends Schema.Error<ExpenseRejected>("ExpenseRejected")(
  refusal("ExpenseRejected", "expense_rejected"),
  { httpApiStatus: 422, description: rejected }
) {
  static of() {
    return new ExpenseRejected({ message: rejected })
  }
}

/** Expenses of one receipt, which may hold several purchases, must differ in day, amount, currency or reference. */
export class ReceiptBooked extends Schema.Error<ReceiptBooked>("ReceiptBooked")(
  {
    ...refusal("ReceiptBooked", "receipt_booked"),
    details: described(Schema.Struct({ expense_id: ExpenseId }), "The expense that was created from the receipt.")
  },
  {
    httpApiStatus: 422,
    description:
      "Another expense with the same receipt, day, amount, currency and reference exists, which `details` names."
  }
) {
  static of(expense_id: ExpenseId) {
    return new ReceiptBooked({
      message:
        "The receipt is already booked as an expense of this day and amount; give another reference if it is not the same.",
      details: { expense_id }
    })
  }
}

export class AlreadyInvoiced extends Schema.Error<AlreadyInvoiced>("AlreadyInvoiced")(
  {
    ...refusal("AlreadyInvoiced", "already_invoiced"),
    details: described(Schema.Struct({ invoice_id: InvoiceId }), "The invoice that contains the expense.")
  },
  {
    httpApiStatus: 422,
    description: "The expense is already on an invoice; remove its line there, or credit the whole invoice, first."
  }
) {
  static of(invoice_id: InvoiceId) {
    return new AlreadyInvoiced({ message: "The expense is already on an invoice.", details: { invoice_id } })
  }
}

/** Amounts are not converted between currencies, because no exchange rate is known here. */
export class CurrencyMismatch extends Schema.Error<CurrencyMismatch>("CurrencyMismatch")(
  {
    ...refusal("CurrencyMismatch", "currency_mismatch"),
    details: described(
      Schema.Struct({
        expense: described(CurrencyCode, "Currency of the expense."),
        invoice: described(CurrencyCode, "Currency of the invoice.")
      }),
      "The two currencies."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "The expense and the invoice have different currencies, and amounts are not converted; choose an invoice in the currency of the expense."
  }
) {
  static of(expense: CurrencyCode, invoice: CurrencyCode) {
    return new CurrencyMismatch({
      message: `An expense in ${expense} cannot be put on an invoice in ${invoice}.`,
      details: { expense, invoice }
    })
  }
}
