import type { BigDecimal } from "effect"
import type { CreditNote } from "../../../billing/credit-notes/CreditNote.ts"
import type { Invoice } from "../../../billing/invoices/Invoice.ts"
import type { Expense } from "../../../expenses/Expense.ts"
import type { PaymentId } from "../../../kernel/Ids.ts"
import type { BankTransaction } from "../../transactions/BankTransaction.ts"
import type { MatchTarget } from "../../transactions/MatchFacts.ts"

/** The records that a match pays, such as an invoice, and their unsigned amount that no line has paid yet. */
export interface Target extends Partial<MatchTarget> {
  readonly open: BigDecimal.BigDecimal
  /** True if the target can only be deducted from the line's other targets, because its money moves the other way. */
  readonly is_deducted: boolean
  readonly invoice?: Invoice
  readonly expense?: Expense
  readonly note?: CreditNote
  readonly other?: BankTransaction
  /** The money was recorded before its line arrived: the payment to link, or null for an expense. */
  readonly recorded?: { readonly payment_id: PaymentId | null }
}

export const distinct = <Id>(ids: ReadonlyArray<Id | null | undefined>): ReadonlyArray<Id> => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined))
]
