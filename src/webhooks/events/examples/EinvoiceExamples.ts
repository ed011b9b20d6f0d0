import type { Einvoice } from "../../../einvoicing/documents/Einvoice.ts"
import type { Received } from "../../../einvoicing/received/Received.ts"
import type { Wire } from "./EventExamples.ts"

export const einvoice = (status: "pending" | "sent" | "delivered" | "accepted" | "failed") =>
  ({
    id: 6,
    document_type: "invoice",
    invoice_id: 42,
    credit_note_id: null,
    number: "INV-2026-0042",
    provider: "peppol",
    environment: "production",
    network: "peppol",
    profile: "peppol-bis-billing-3",
    recipient: { identifier_scheme: "0208", identifier_value: "0123456749", name: "Beta", country_code: "BE" },
    status,
    network_status: { pending: null, sent: "AS4", delivered: "AB", accepted: "AP", failed: "recipient_unknown" }[
      status
    ],
    network_reference: status === "pending" ? null : "5f0c9a52-3c0e-4f5a-9d3e-2f6f0c1f7a11",
    reason: status === "failed" ? "No participant has the recipient's address." : null,
    retryable: status === "failed" ? false : null,
    xml_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    created_at: "2026-03-02T09:14:00.000Z",
    updated_at: "2026-03-02T09:15:00.000Z"
  }) satisfies Wire<typeof Einvoice>

export const received = {
  id: 8,
  status: "received",
  document_type: "invoice",
  is_self_billed: false,
  syntax: "ubl",
  number: "2026-118",
  issue_date: "2026-03-02",
  due_date: "2026-04-01",
  currency: "EUR",
  total: 121,
  tax_total: 21,
  tax_rates: [{ rate: 21, taxable_amount: 100, tax_amount: 21 }],
  description: "Consulting",
  payment_method: "bank_transfer",
  supplier: {
    name: "Gamma",
    tax_number: "BE0202239951",
    country: "BE",
    iban: "BE71096123456769",
    identifier_scheme: "0208",
    identifier_value: "0202239951"
  },
  signature: null,
  problem: null,
  provider: "peppol",
  environment: "production",
  refusal_reason: null,
  expense_id: null,
  duplicate_of: null,
  content_type: "application/xml",
  size_bytes: 5_120,
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  received_at: "2026-03-02T09:14:00.000Z",
  answered_at: null,
  updated_at: "2026-03-02T09:14:00.000Z"
} satisfies Wire<typeof Received>
