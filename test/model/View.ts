import { daysBetween } from "./Days.ts"
import { IdOf, round, sum, totalsOf, Units } from "./Lines.ts"
import type { Books } from "./Books.ts"
import type { Expense, Invoice, Note, Payment, Quote, Record } from "./Records.ts"

/** Returns what GET must answer for a record, with the names on the wire; amounts are still `Units`. */
export const viewOf = (books: Books, record: Record): object => {
  switch (record.kind) {
    case "customer":
      return { name: record.name }
    case "invoice":
      return invoiceView(books, record)
    case "quote":
      return quoteView(books, record)
    case "note":
      return noteView(record)
    case "payment":
      return paymentView(record)
    case "expense":
      return expenseView(record)
  }
}

const units = (amount: number) => new Units(amount)

const totalsView = (document: Invoice | Quote) => {
  const { discount_total, nets, subtotal, tax_total, total } = totalsOf(document.lines)
  return {
    lines: nets.map(units),
    subtotal: units(subtotal),
    discount_total: units(discount_total),
    tax_total: units(tax_total),
    total: units(total),
    prepaid_amount: units(document.prepaid)
  }
}

const invoiceView = (books: Books, invoice: Invoice) => {
  const { credited, net, paid, refunded } = books.sums(invoice)
  const status = books.statusOf(invoice)
  const is_overdue = status === "overdue"
  const settlement = paid > refunded ? "partially_paid" : "unpaid"
  return {
    ...totalsView(invoice),
    number: invoice.number,
    invoice_number: invoice.number,
    status,
    payment_status: net < 0 ? "overpaid" : net === 0 ? "paid" : settlement,
    is_overdue,
    days_overdue: is_overdue ? daysBetween(invoice.last_day, books.today) : 0,
    customer_id: invoice.customer.id,
    issue_date: invoice.issue_date,
    due_date: invoice.last_day,
    amount_paid: units(paid),
    amount_credited: units(credited),
    amount_refunded: units(refunded),
    balance_due: units(invoice.void ? 0 : Math.max(0, net)),
    refundable_amount: units(Math.max(0, -net)),
    sent_method: invoice.sent_method,
    quote_id: invoice.quote?.id ?? null
  }
}

const quoteView = (books: Books, quote: Quote) => ({
  ...totalsView(quote),
  number: quote.number,
  status: books.quoteStatusOf(quote),
  customer_id: quote.customer.id,
  issue_date: quote.issue_date,
  valid_until: quote.last_day,
  is_sent: quote.sent,
  invoice_id: quote.invoice === null ? null : new IdOf(quote.invoice)
})

const noteView = ({ amount, credit_type, invoice, number, refundable }: Note) => ({
  number,
  status: number === null ? "draft" : "sent",
  invoice_id: invoice.id,
  customer_id: invoice.customer.id,
  amount: units(amount),
  total: units(amount),
  credit_type,
  refundable_amount: units(refundable)
})

const paymentView = ({ amount, date, invoice, refunds }: Payment) => {
  const refunded = sum(refunds)
  const given_back = refunded === amount ? "refunded" : "partially_refunded"
  return {
    invoice_id: invoice.id,
    amount: units(amount),
    payment_date: date,
    refunded_amount: units(refunded),
    status: refunded === 0 ? "completed" : given_back
  }
}

const expenseView = ({ amount, billable, billed, deductible, linked, paid, tax }: Expense) => {
  const deducted = round(tax * deductible, 100)
  return {
    amount: units(amount),
    tax_amount: units(tax),
    net_amount: units(amount - tax),
    deductible_tax_amount: units(deducted),
    non_deductible_tax_amount: units(tax - deducted),
    is_billable: billable,
    billed_invoice_id: billed?.invoice.id ?? null,
    linked_invoice_id: linked?.id ?? null,
    status: paid ? "paid" : "pending"
  }
}
