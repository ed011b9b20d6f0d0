import type { BankAccountDraft } from "../banking/accounts/BankAccount.ts"
import type { BankRuleDraft } from "../banking/rules/BankRule.ts"
import type { InvoiceStatus } from "../billing/invoices/Invoice.ts"
import type { InvoiceDraft } from "../billing/invoices/writing/InvoiceDraft.ts"
import type { QuoteDraft } from "../billing/quotes/Quote.ts"
import type { ContactDraft } from "../customers/Contact.ts"
import type { CustomerDraft } from "../customers/Customer.ts"
import type { ExpenseDraft } from "../expenses/Expense.ts"
import type { Role } from "../kernel/Role.ts"
import type { OrganizationChanges, OrganizationDraft } from "../organizations/profile/Organization.ts"

/** Days are relative to the day of the first start; negative days are in the past. */
export interface DemoInvoice {
  /** Index into the organization's customers. */
  readonly customer: number
  readonly issued: number
  readonly due: number
  readonly status: Exclude<InvoiceStatus, "credited">
  /** The amount that was paid, as a decimal text; only for partially paid invoices. */
  readonly received?: string
  readonly notes?: string
  readonly items: (typeof InvoiceDraft.Encoded)["items"]
}

export interface DemoCustomer {
  readonly details: typeof CustomerDraft.Encoded
  readonly contact: Omit<typeof ContactDraft.Encoded, "customer_id">
}

export interface DemoQuote {
  /** Index into the organization's customers. */
  readonly customer: number
  readonly issued: number
  readonly valid_until: number
  readonly status: "draft" | "sent"
  readonly items: (typeof QuoteDraft.Encoded)["items"]
}

export interface DemoExpense {
  readonly spent: number
  readonly details: Omit<typeof ExpenseDraft.Encoded, "expense_date" | "currency">
}

/** A line on the bank account: the payment of an invoice, or any other movement. */
export type DemoBankLine = { readonly booked: number } & (
  | {
      /** Index into the organization's invoices. */
      readonly pays: number
    }
  | { readonly amount: string; readonly name: string; readonly text: string }
)

export interface DemoBankAccount {
  readonly details: typeof BankAccountDraft.Encoded
  readonly rule: typeof BankRuleDraft.Encoded
  readonly lines: ReadonlyArray<DemoBankLine>
}

/** The fields are written as in API requests, and are decoded by the same schemas. */
export interface DemoOrganization {
  readonly draft: Omit<typeof OrganizationDraft.Encoded, "owner_id">
  readonly owner: DemoPerson
  readonly members: ReadonlyArray<DemoPerson & { readonly role: Role }>
  readonly profile: typeof OrganizationChanges.Encoded
  readonly customers: ReadonlyArray<DemoCustomer>
  /** Sorted by issue date, so that their numbers are in order. */
  readonly invoices: ReadonlyArray<DemoInvoice>
  readonly quotes: ReadonlyArray<DemoQuote>
  readonly expenses: ReadonlyArray<DemoExpense>
  readonly bank: DemoBankAccount
}

export interface DemoPerson {
  readonly name: string
  readonly email: string
}
