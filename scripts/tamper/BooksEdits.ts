import { change, type Edit, one } from "./Edit.ts"

const invoice = "id = $invoice"
const documents = [
  ...change("invoices", invoice, {
    number: "'INV-2026-9999'",
    payment_reference: "'RF00'",
    customer_id: "(select min(id) from customers where organization_id = $org)",
    issue_date: "issue_date - 1",
    currency: "'USD'",
    exchange_rate: "1.5",
    items: `jsonb_set(items, '{0,description}', '"Gift"')`,
    tax_breakdown: `jsonb_set(tax_breakdown, '{0,tax_amount}', '"0.01"')`,
    subtotal: "subtotal + 1000",
    discount_total: "discount_total + 1",
    tax_total: "tax_total - 1",
    rounding_adjustment: "0.01",
    total: "total + 1000",
    discounts: `'[{"description": "Gift"}]'`,
    charges: `'[{"description": "Fee"}]'`,
    charge_total: "1",
    prepaid_amount: "0.01",
    details: `'{"purchase_order": "PO-9"}'`,
    notes: "'paid in cash'",
    terms: "'never'",
    issued_at: "issued_at - interval '1 year'",
    voided_at: "now()",
    created_at: "created_at - interval '1 day'",
    deleted_at: "now()",
    amount_paid: "amount_paid + 1",
    amount_refunded: "amount_refunded + 0.5",
    amount_credited: "amount_credited + 1"
  }),
  one("an invoice that is removed", "delete from invoices where organization_id = $org and id = $invoice"),
  one(
    "an invoice that becomes a draft",
    "update invoices set issued_at = null, number = null, payment_reference = null, sent_at = null, amount_paid = 0, amount_refunded = 0 where organization_id = $org and id = $invoice"
  ),
  one(
    "an invoice that was never issued",
    `insert into invoices (organization_id, customer_id, number, issue_date, due_date, currency, items, tax_breakdown,
       subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at)
     select organization_id, customer_id, 'INV-2026-0900', issue_date, due_date, currency, items, tax_breakdown,
       subtotal, discount_total, tax_total, total, issued_at, created_at, updated_at
     from invoices where organization_id = $org and id = $invoice`
  ),
  ...change("credit_notes", "id = $note", {
    number: "'CN-2026-9999'",
    sequence: "77",
    issue_date: "issue_date - 1",
    currency: "'USD'",
    exchange_rate: "1.5",
    reason: "'other'",
    credit_type: "'full'",
    credit_note_type_code: "'396'",
    items: `jsonb_set(items, '{0,description}', '"Gift"')`,
    tax_breakdown: `jsonb_set(tax_breakdown, '{0,tax_amount}', '"0.01"')`,
    shares: "array[1, 2]::numeric[]",
    subtotal: "subtotal + 1",
    tax_total: "tax_total + 1",
    total: "total + 1",
    refundable_amount: "0.01",
    details: `'{"purchase_order": "PO-9"}'`,
    sent_at: "sent_at - interval '1 year'",
    invoice_id: "$invoice",
    created_at: "created_at - interval '1 day'"
  }),
  one("a credit note that is removed", "delete from credit_notes where organization_id = $org and id = $note"),
  one(
    "a credit note that becomes a draft",
    "update credit_notes set sent_at = null where organization_id = $org and id = $note"
  )
]

const money = [
  ...change("payments", "id = $payment", {
    amount: "amount + 1",
    currency: "'USD'",
    payment_date: "payment_date - 30",
    payment_method: "'cash'",
    refunded_amount: "refunded_amount + 0.01",
    invoice_id: "(select max(id) from invoices where organization_id = $org)",
    is_prepayment: "not is_prepayment",
    deleted_at: "now()",
    created_at: "created_at - interval '1 day'"
  }),
  one("a payment that is removed", "delete from payments where organization_id = $org and id = $payment"),
  one(
    "a payment that was never made",
    `insert into payments (organization_id, invoice_id, amount, currency, payment_date, payment_method, created_at, updated_at)
     values ($org, $invoice, 1, 'EUR', '2026-03-01', 'cash', now(), now())`,
    "update invoices set amount_paid = amount_paid + 1 where organization_id = $org and id = $invoice"
  ),
  ...change("payment_refunds", "id = $refund", {
    amount: "amount + 1",
    reason: "'other'",
    created_at: "created_at - interval '1 day'"
  }),
  one("a refund that is removed", "delete from payment_refunds where organization_id = $org and id = $refund"),
  one(
    "a refund that was never made",
    "insert into payment_refunds (organization_id, payment_id, amount, created_at) values ($org, $payment, 1, now())"
  )
]

const costs = [
  ...change("expenses", "id = $expense", {
    amount: "amount + 1",
    tax_amount: "tax_amount - 1",
    tax_rates: `jsonb_set(tax_rates, '{0,tax_amount}', '"20"')`,
    currency: "'USD'",
    expense_date: "expense_date - 30",
    category: "'meals'",
    country: "'FR'",
    vendor: "'Other'",
    is_vat_deductible: "false",
    vat_deductible_percentage: "100",
    status: "'rejected'",
    deleted_at: "now()",
    created_at: "created_at - interval '1 day'"
  }),
  one("an expense that is removed", "delete from expenses where organization_id = $org and id = $expense"),
  one(
    "an expense that was never made",
    `insert into expenses (organization_id, expense_date, category, amount, tax_rates, currency, description,
       is_vat_deductible, is_billable, status, search, created_at, updated_at)
     values ($org, '2026-03-02', 'travel', 5, '[]', 'EUR', 'Taxi', false, false, 'pending', 'taxi', now(), now())`
  ),
  ...change("cost_tallies", "category = 'travel'", { net: "net + 1", deductible: "deductible + 1", day: "day - 1" }),
  ...change("cost_tax_tallies", "category = 'travel'", { tax: "tax + 1", deductible: "deductible + 1" })
]

const parties = ["invoice", "credit_note"].flatMap((document) =>
  [
    ["customer", "name"],
    ["customer", "tax_number"],
    ["organization", "name"],
    ["organization", "iban"]
  ].map(([side, field]) =>
    one(
      `${field} of the ${side} on the ${document}`,
      `update document_correspondents set ${side} = jsonb_set(${side}, '{${field}}', '"X"')
       where organization_id = $org and document = '${document}'`
    )
  )
)

const series = ["invoice", "credit_note"].flatMap((document) =>
  ["next + 1", "next + 50", "next - 1", "1000"].map((next) =>
    one(
      `the counter of ${document}s: ${next}`,
      `update document_counters set next = ${next} where organization_id = $org and document = '${document}'`
    )
  )
)

const reports = [
  ...change("sales_entries", "document_id = $invoice and document = 'invoice'", {
    date: "date - 1",
    customer_id: "customer_id + 1",
    currency: "'USD'",
    exchange_rate: "2",
    rate: "rate + 1",
    category: "'Z'",
    taxable: "taxable + 1000",
    tax: "tax - 1",
    net: "net + 1000",
    rounding: "1",
    country: "'FR'"
  }),
  one(
    "country of the reports, in entries and daily sums",
    "update sales_entries set country = 'FR' where organization_id = $org and document = 'invoice'",
    "update sales_tallies set country = 'FR' where organization_id = $org and document = 'invoice'"
  ),
  ...change("sales_tallies", "document = 'invoice'", {
    date: "date - 1",
    taxable: "taxable + 1000",
    tax: "tax - 1",
    net: "net + 1000",
    rounding: "rounding + 1",
    documents: "documents + 1"
  }),
  one(
    "an entry of the reports that is removed",
    "delete from sales_entries where organization_id = $org and document_id = $invoice"
  ),
  one(
    "an entry of the reports of no document",
    `insert into sales_entries (organization_id, date, document, document_id, line, customer_id, currency,
       rate, category, taxable, tax, net, rounding)
     select organization_id, date, document, 999999, line, customer_id, currency,
       rate, category, taxable, tax, net, rounding
     from sales_entries where organization_id = $org and document_id = $invoice`
  )
]

export const booksEdits: ReadonlyArray<Edit> = [...documents, ...money, ...costs, ...parties, ...series, ...reports]
