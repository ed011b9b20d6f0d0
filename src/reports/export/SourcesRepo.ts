import type { BankTransaction } from "../../banking/transactions/BankTransaction.ts"
import { customerNameOn } from "../../billing/correspondence/CustomerName.ts"
import type { CreditNoteFacts } from "../../billing/credit-notes/CreditNote.ts"
import { creditNoteDetails, invoiceDetails, quoteDetails } from "../../billing/details/Details.ts"
import type { InvoiceFacts } from "../../billing/invoices/Invoice.ts"
import type { PaymentFacts } from "../../billing/payments/Payment.ts"
import type { QuoteFacts } from "../../billing/quotes/Quote.ts"
import type { Contact } from "../../customers/Contact.ts"
import type { Customer } from "../../customers/Customer.ts"
import type { ExpenseFacts } from "../../expenses/Expense.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { ExportResource } from "./ExportRequest.ts"
import { columns, detailColumns, type SourceColumn } from "./SourceColumns.ts"

/** `x` is the alias of the resource's table, read by ascending `id`. */
export interface Source {
  readonly from: string
  readonly where: string
  readonly columns: ReadonlyArray<SourceColumn>
  /** A period selects records by this date: a day, or an instant whose day depends on the time zone. */
  readonly dated: { readonly day: string } | { readonly moment: string }
}

const debtor = "join debtors d on d.organization_id = x.organization_id and d.id = x.customer_id"
const customer = { customer_id: "id", customer_name: ["words", "d.name"] } as const
const customerOf = (kind: DocumentKind) =>
  ({ customer_id: "id", customer_name: ["words", customerNameOn(kind, "x")] }) as const
const not_deleted = "x.deleted_at is null"
const client_data = { external_id: "words", metadata: "json" } as const
const times = { created_at: "moment", updated_at: "moment" } as const
const refunds = `(
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'amount', round(r.amount, greatest(exponent, min_scale(r.amount)))::text, 'reason', r.reason,
    'refund_date', r.refund_date,
    'created_at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.id), '[]')
  from payment_refunds r where r.organization_id = x.organization_id and r.payment_id = x.id and r.reversed_at is null)`

/**
 * Columns are named as in the records' own endpoints. In SQL expressions, `today` is the day in the organization's time
 * zone.
 */
export const sources: Readonly<Record<ExportResource, Source>> = {
  invoices: {
    from: `invoices x ${debtor}`,
    where: not_deleted,
    dated: { day: "x.issue_date" },
    columns: columns<InvoiceFacts>({
      id: "id",
      number: "words",
      status: [
        "code",
        "case when x.state in ('sent', 'partially_paid') and x.due_date < today then 'overdue' else x.state end"
      ],
      ...customerOf("invoice"),
      issue_date: "day",
      due_date: "day",
      currency: "code",
      exchange_rate: "decimal",
      discounts: "json",
      charges: "json",
      subtotal: "amount",
      discount_total: "amount",
      charge_total: "amount",
      tax_total: "amount",
      tax_breakdown: "json",
      rounding_adjustment: "amount",
      total: "amount",
      prepaid_amount: "amount",
      amount_paid: "amount",
      amount_credited: "amount",
      amount_refunded: "amount",
      balance_due: [
        "amount",
        "case x.state when 'void' then 0 else greatest(x.total - x.amount_credited - x.amount_paid + x.amount_refunded, 0) end"
      ],
      payment_reference: "words",
      notes: "words",
      terms: "words",
      issued_at: "moment",
      sent_at: "moment",
      sent_method: "code",
      paid_at: "moment",
      quote_id: "id",
      ...detailColumns(invoiceDetails),
      ...client_data,
      ...times
    })
  },
  quotes: {
    from: `quotes x ${debtor}`,
    where: not_deleted,
    dated: { day: "x.issue_date" },
    columns: columns<QuoteFacts>({
      id: "id",
      number: "words",
      status: ["code", "case when x.status = 'sent' and x.valid_until < today then 'expired' else x.status end"],
      ...customerOf("quote"),
      issue_date: "day",
      valid_until: "day",
      currency: "code",
      discounts: "json",
      charges: "json",
      subtotal: "amount",
      discount_total: "amount",
      charge_total: "amount",
      tax_total: "amount",
      tax_breakdown: "json",
      total: "amount",
      prepaid_amount: "amount",
      notes: "words",
      terms: "words",
      sent_at: "moment",
      accepted_at: "moment",
      rejected_at: "moment",
      rejection_reason: "words",
      converted_at: "moment",
      invoice_id: "id",
      ...detailColumns(quoteDetails),
      ...client_data,
      ...times
    })
  },
  customers: {
    from: "customers x",
    where: not_deleted,
    dated: { moment: "x.created_at" },
    columns: columns<Customer>({
      id: "id",
      name: "words",
      email: "words",
      phone: "words",
      website: "words",
      tax_number: "words",
      address_line1: "words",
      address_line2: "words",
      city: "words",
      state: "words",
      postal_code: "words",
      country: "code",
      billing_subdivision_code: "code",
      shipping_subdivision_code: "code",
      language: "code",
      currency: "code",
      notes: "words",
      einvoicing_identifier_scheme: "words",
      einvoicing_identifier_value: "words",
      einvoicing_identifier_verified: "flag",
      ...client_data,
      ...times
    })
  },
  contacts: {
    from: `contacts x ${debtor}`,
    where: not_deleted,
    dated: { moment: "x.created_at" },
    columns: columns<Contact>({
      id: "id",
      ...customer,
      name: "words",
      email: "words",
      phone: "words",
      position: "words",
      is_primary: "flag",
      notes: "words",
      ...client_data,
      ...times
    })
  },
  payments: {
    from: `payments x join invoices i on i.organization_id = x.organization_id and i.id = x.invoice_id
      join debtors d on d.organization_id = i.organization_id and d.id = i.customer_id`,
    where: not_deleted,
    dated: { day: "x.payment_date" },
    columns: columns<PaymentFacts>({
      id: "id",
      invoice_id: "id",
      invoice_number: ["words", "i.number"],
      customer_id: ["id", "i.customer_id"],
      customer_name: ["words", customerNameOn("invoice", "i")],
      payment_date: "day",
      amount: "amount",
      refunded_amount: "amount",
      refunds: ["json", refunds],
      currency: "code",
      status: ["code", "payment_state(x.amount, x.refunded_amount)"],
      payment_method: "code",
      reference: "words",
      notes: "words",
      bank_transaction_id: "id",
      is_prepayment: "flag",
      ...client_data,
      ...times
    })
  },
  expenses: {
    from: "expenses x",
    where: not_deleted,
    dated: { day: "x.expense_date" },
    columns: columns<ExpenseFacts>({
      id: "id",
      expense_date: "day",
      category: "words",
      vendor: "words",
      description: "words",
      amount: "amount",
      net_amount: ["amount", "x.amount - coalesce(x.tax_amount, 0)"],
      tax_amount: "amount",
      tax_rates: "json",
      deductible_tax_amount: ["amount", "deductible_tax(x)"],
      non_deductible_tax_amount: ["amount", "coalesce(x.tax_amount, 0) - deductible_tax(x)"],
      currency: "code",
      exchange_rate: "decimal",
      country: "code",
      is_vat_deductible: "flag",
      vat_deductible_percentage: [
        "decimal",
        "coalesce(x.vat_deductible_percentage, case when x.is_vat_deductible then 100 else 0 end)"
      ],
      payment_method: "words",
      reference: "words",
      receipt_path: "words",
      is_billable: "flag",
      billed_invoice_id: "id",
      billed_item_id: "id",
      linked_invoice_id: "id",
      status: "code",
      paid_at: "moment",
      payment_reference: "words",
      notes: "words",
      bank_transaction_id: "id",
      ...client_data,
      ...times
    })
  },
  credit_notes: {
    from: `credit_notes x join invoices i on i.organization_id = x.organization_id and i.id = x.invoice_id ${debtor}`,
    where: not_deleted,
    // A draft that is just being sent may already have a number and a date, which are not final.
    dated: { day: "case when x.sent_at is not null then x.issue_date end" },
    columns: columns<CreditNoteFacts>({
      id: "id",
      number: ["words", "case when x.sent_at is not null then x.number end"],
      status: ["code", "case when x.sent_at is null then 'draft' else 'sent' end"],
      invoice_id: "id",
      invoice_number: ["words", "i.number"],
      ...customerOf("credit_note"),
      issue_date: ["day", "case when x.sent_at is not null then x.issue_date end"],
      currency: "code",
      exchange_rate: "decimal",
      reason: "words",
      credit_type: "code",
      credit_note_type_code: "code",
      subtotal: "amount",
      tax_total: "amount",
      tax_breakdown: "json",
      rounding_adjustment: "amount",
      total: "amount",
      refundable_amount: "amount",
      sent_at: "moment",
      ...detailColumns(creditNoteDetails),
      ...client_data,
      ...times
    })
  },
  bank_transactions: {
    from: "bank_transactions x",
    where: "true",
    dated: { day: "x.booking_date" },
    columns: columns<BankTransaction>({
      id: "id",
      bank_account_id: "id",
      booking_date: "day",
      value_date: "day",
      amount: "amount",
      currency: "code",
      counterparty_name: "words",
      counterparty_iban: "words",
      remittance_text: "words",
      reference: "words",
      status: "code",
      matched_amount: "amount",
      remaining_amount: ["amount", "abs(x.amount) - x.matched_amount"],
      invoice_id: "id",
      expense_id: "id",
      import_session_id: "id",
      position: "id",
      ...times
    })
  }
}
