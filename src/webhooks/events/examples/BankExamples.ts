import type { ImportSession } from "../../../banking/imports/session/ImportSession.ts"
import type { BankRule } from "../../../banking/rules/BankRule.ts"
import type { BankTransaction } from "../../../banking/transactions/BankTransaction.ts"
import { type Wire, written } from "./EventExamples.ts"

export const bankStatement = {
  id: 2,
  bank_account_id: 1,
  format: "camt053",
  filename: "february.xml",
  file_sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  duplicate_file: false,
  statements: 1,
  period_start: "2026-02-01",
  period_end: "2026-02-28",
  opening_balance: "1000.00",
  closing_balance: "1338.00",
  balance_check: "passed",
  lines_total: 2,
  imported: 2,
  duplicates: 0,
  skipped_pending: 0,
  errors: [],
  errors_total: 0,
  suggested: 1,
  auto_booked: 0,
  credits: { count: 1, sum: "363.00" },
  debits: { count: 1, sum: "-25.00" },
  created_at: written.created_at
} satisfies Wire<typeof ImportSession>

export const bankTransaction = {
  id: 88,
  bank_account_id: 1,
  booking_date: "2026-02-27",
  value_date: "2026-02-27",
  amount: 363,
  currency: "EUR",
  counterparty_name: "Beta",
  counterparty_iban: "BE71096123456769",
  remittance_text: "INV-2026-0042",
  reference: null,
  status: "matched",
  matched_amount: 363,
  remaining_amount: 0,
  invoice_id: 42,
  expense_id: null,
  suggestion: {
    type: "invoice",
    id: 42,
    score: 100,
    signals: [
      { signal: "number", points: 9, reason: "The line quotes the number INV-2026-0042." },
      { signal: "amount", points: 5, reason: "The amount is exactly what is left to pay." },
      { signal: "only_amount", points: 2, reason: "No other open document has this amount." },
      { signal: "name", points: 4, reason: "The name is that of Beta." }
    ],
    difference: null
  },
  import_session_id: 2,
  position: 0,
  matches: [
    {
      id: 31,
      bank_transaction_id: 88,
      invoice_id: 42,
      expense_id: null,
      payment_refund_id: null,
      credit_note_id: null,
      transfer_transaction_id: null,
      exclude: null,
      payment_id: 9,
      amount: 363,
      created_money_record: false,
      explanation: []
    }
  ],
  ...written,
  version: 2
} satisfies Wire<typeof BankTransaction>

export const unmatchedTransaction = {
  ...bankTransaction,
  status: "unmatched",
  matched_amount: 0,
  remaining_amount: 363,
  invoice_id: null,
  suggestion: null,
  matches: [],
  version: 3
} satisfies Wire<typeof BankTransaction>

export const bankRule = {
  id: 5,
  name: "Fees",
  is_active: true,
  bank_account_id: null,
  direction: "debit",
  conditions: [{ type: "remittance_contains", value: "account fee" }],
  actions: { category: "bank_fees" },
  auto_add: false,
  priority: 0,
  ...written,
  version: 1
} satisfies Wire<typeof BankRule>
