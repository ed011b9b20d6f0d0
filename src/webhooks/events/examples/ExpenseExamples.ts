import type { Expense } from "../../../expenses/Expense.ts"
import type { Receipt } from "../../../expenses/receipts/records/Receipt.ts"
import { kept, type Wire, written } from "./EventExamples.ts"

export const expense = {
  id: 8,
  expense_date: "2026-02-27",
  category: "meals",
  amount: 118.4,
  net_amount: 97.85,
  tax_amount: 20.55,
  tax_rates: [{ rate: 21, taxable_amount: 97.85, tax_amount: 20.55 }],
  deductible_tax_amount: 20.55,
  non_deductible_tax_amount: 0,
  currency: "EUR",
  exchange_rate: null,
  country: "BE",
  vendor: "Café Zürich",
  description: "Lunch with Beta",
  is_vat_deductible: true,
  vat_deductible_percentage: 100,
  payment_method: "card",
  reference: "T-0091",
  receipt_path: null,
  is_billable: false,
  billed_invoice_id: null,
  billed_item_id: null,
  linked_invoice_id: null,
  status: "pending",
  paid_at: null,
  payment_reference: null,
  notes: null,
  bank_transaction_id: null,
  ...kept,
  ...written,
  version: 1
} satisfies Wire<typeof Expense>

const receipt_ref = "7b0e6c7e-3f0d-4c0f-9f0a-0d7f5a1f2c11"

export const receipt = {
  receipt_ref,
  receipt_path: `receipts/7/2026/03/${receipt_ref}.jpg`,
  expense_id: null,
  status: "needs_review",
  source: "ocr",
  fields: {
    expense_date: "2026-02-27",
    vendor: "Café Zürich",
    amount: "118.40",
    tax_amount: "20.55",
    currency: "EUR",
    category: "meals",
    tax_rates: [{ rate: "21", taxable_amount: "97.85", tax_amount: "20.55" }]
  },
  confidence: { overall: 0.74, expense_date: 0.98, amount: 0.96, tax_amount: 0.74, currency: 0.99, vendor: 0.81 },
  candidates: {
    amount: [
      { value: "118.40", confidence: 0.96 },
      { value: "97.85", confidence: 0.31 }
    ]
  },
  checks: [{ code: "net_plus_tax_equals_total", passed: true }],
  warnings: ["tax_amount below review threshold"],
  error: null,
  duplicate_of: null,
  completed_at: written.updated_at,
  expires_at: "2026-04-01T09:15:00.000Z"
} satisfies Wire<typeof Receipt>
