import type { Dialect } from "./Dialect.ts"

/** Peppol answers with AS4 receipts, message level status and invoice responses (Peppol BIS Invoice Response 3). */
export const peppolDialect: Dialect = {
  codes: {
    sent: ["AS4"],
    delivered: ["AB"],
    in_process: ["IP"],
    under_query: ["UQ"],
    conditionally_accepted: ["CA"],
    accepted: ["AP"],
    paid: ["PD"],
    rejected: ["RE"],
    undeliverable: ["MLS-RE"]
  },
  evidence: (step) => {
    if (step === "sent") return "as4_receipt"
    return step === "undeliverable" ? "message_level_status" : "invoice_response"
  },
  source: (step) => (step === "sent" || step === "undeliverable" ? "network" : "recipient")
}
