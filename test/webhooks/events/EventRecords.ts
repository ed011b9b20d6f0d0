import { Schema } from "effect"
import { CreditNote } from "../../../src/billing/credit-notes/CreditNote.ts"
import { Attachment } from "../../../src/billing/invoices/attachments/Attachment.ts"
import { Invoice } from "../../../src/billing/invoices/Invoice.ts"
import { Payment } from "../../../src/billing/payments/Payment.ts"
import { Quote } from "../../../src/billing/quotes/Quote.ts"
import { Checkpoint } from "../../../src/archive/checkpoints/Checkpoint.ts"
import { Export } from "../../../src/archive/exports/Export.ts"
import { Contact } from "../../../src/customers/Contact.ts"
import { Customer } from "../../../src/customers/Customer.ts"
import { Received } from "../../../src/einvoicing/received/Received.ts"
import { Einvoice } from "../../../src/einvoicing/documents/Einvoice.ts"
import { Expense } from "../../../src/expenses/Expense.ts"
import { Receipt } from "../../../src/expenses/receipts/records/Receipt.ts"
import { ImportSession } from "../../../src/banking/imports/session/ImportSession.ts"
import { BankRule } from "../../../src/banking/rules/BankRule.ts"
import { BankTransaction } from "../../../src/banking/transactions/BankTransaction.ts"
import { Member } from "../../../src/organizations/members/Member.ts"
import { Organization } from "../../../src/organizations/profile/Organization.ts"
import { Webhook } from "../../../src/webhooks/subscriptions/Webhook.ts"

/** The schema of the record that an event contains, by type of record. */
export const records: Readonly<Record<string, Schema.Codec<unknown, unknown>>> = {
  invoice: Invoice,
  quote: Quote,
  payment: Payment,
  credit_note: CreditNote,
  customer: Customer,
  contact: Contact,
  attachment: Attachment,
  bank_rule: BankRule,
  expense: Expense,
  receipt: Receipt,
  bank_statement: ImportSession,
  bank_transaction: BankTransaction,
  einvoice: Einvoice,
  received_document: Received,
  export: Export,
  organization: Organization,
  member: Member,
  webhook: Webhook,
  checkpoint: Schema.Struct({ id: Schema.Int, ...Checkpoint.fields })
}
