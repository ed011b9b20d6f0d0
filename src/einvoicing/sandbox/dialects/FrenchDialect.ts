import type { Dialect } from "./Dialect.ts"

/** The statuses of the French lifecycle (cycle de vie, XP Z12-012). */
export const frenchDialect: Dialect = {
  codes: {
    submitted: ["200"],
    sent: ["201", "202"],
    delivered: ["203", "204"],
    under_query: ["207"],
    conditionally_accepted: ["206"],
    accepted: ["205"],
    paid: ["212"],
    rejected: ["210"],
    undeliverable: ["221"]
  },
  // A routing error rejects the document (rules/e-invoicing.md, Documents).
  progress: { undeliverable: "rejected" },
  evidence: () => "lifecycle_status",
  source: (step) => (["submitted", "sent", "undeliverable"].includes(step) ? "network" : "recipient")
}
