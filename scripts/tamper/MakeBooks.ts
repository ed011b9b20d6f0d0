// oxlint-disable-next-line no-explicit-any -- the data of any answer, which is not validated
type Made = (method: string, path: string, body?: unknown) => Promise<any>

export const makeBooks = async (made: Made) => {
  const customer_id = (await made("POST", "/customers", { name: "Tampered", email: "a@beta.example" })).id
  const draft = {
    customer_id,
    issue_date: "2026-03-01",
    due_date: "2999-03-31",
    currency: "EUR",
    items: [{ description: "Consulting", unit_price: 100 }],
    purchase_order: "PO-1",
    delivery_period: { start: "2026-02-01", end: "2026-02-28" },
    payment_means: { method: "card", card_last_digits: "1234" },
    discounts: [{ description: "Loyalty", percentage: 5 }],
    charges: [{ description: "Transport", amount: 5 }],
    prepaid_amount: 20
  }
  const issued = async () => {
    const { id } = await made("POST", "/invoices", draft)
    return made("POST", `/invoices/${id}/mark-sent`, {})
  }
  const invoice = await issued()
  const booked = { invoice_id: invoice.id, amount: 50, payment_date: "2026-03-05", payment_method: "bank_transfer" }
  const payment = await made("POST", "/payments", booked)
  const { refunds } = await made("POST", `/payments/${payment.id}/refund`, { amount: 10, reason: "too much" })
  const credited = await issued()
  const note = await made("POST", "/credit-notes", { invoice_id: credited.id, amount: 12.1, reason: "returned" })
  const sent = await made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.example" })
  const expense = await made("POST", "/expenses", {
    expense_date: "2026-03-02",
    category: "travel",
    amount: 121,
    currency: "EUR",
    description: "Train",
    vendor: "Rail",
    is_vat_deductible: true,
    vat_deductible_percentage: 50,
    tax_rates: [{ rate: 21, taxable_amount: 100, tax_amount: 21 }]
  })
  return {
    invoice: Number(invoice.id),
    payment: Number(payment.id),
    refund: Number(refunds[0].id),
    note: Number(note.id),
    expense: Number(expense.id),
    credit_note_number: String(sent.number)
  }
}
