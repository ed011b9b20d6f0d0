import type { NetworkMessage, Progress } from "../Provider.ts"
import type { Outcome } from "./Outcome.ts"

/** What can happen to a document, in the words of no network. */
type Step =
  | "submitted"
  | "sent"
  | "delivered"
  | "in_process"
  | "under_query"
  | "conditionally_accepted"
  | "accepted"
  | "paid"
  | "rejected"
  | "undeliverable"

/** How a network says it: its codes in their order, and the kind of evidence. A step it has no word for is left out. */
export interface Dialect {
  readonly codes: Partial<Readonly<Record<Step, ReadonlyArray<string>>>>
  readonly evidence: (step: Step) => string
  readonly source: (step: Step) => NetworkMessage["source"]
  /** Where a step leads, when elsewhere it leads somewhere else. */
  readonly progress?: Partial<Readonly<Record<Step, Progress>>>
}

type Line = Pick<NetworkMessage, "code" | "source" | "progress" | "reason"> & { readonly evidence: string }

/** What a network says of a document until nothing more happens to it. */
export const script = (dialect: Dialect, outcome: Outcome): ReadonlyArray<Line> =>
  stepsOf(outcome).flatMap((step) =>
    (dialect.codes[step] ?? []).map((code) => ({
      code,
      source: dialect.source(step),
      progress: dialect.progress?.[step] ?? progress[step],
      reason: reasons[step] ?? null,
      evidence: dialect.evidence(step)
    }))
  )

const underway: ReadonlyArray<Step> = ["submitted", "sent"]
const received: ReadonlyArray<Step> = [...underway, "delivered"]
const accepted: ReadonlyArray<Step> = [...received, "in_process", "accepted"]

const stepsOf = (outcome: Outcome): ReadonlyArray<Step> => {
  switch (outcome) {
    case "paid":
      return [...accepted, "paid"]
    case "rejected":
    case "under_query":
    case "conditionally_accepted":
      return [...received, outcome]
    case "silent":
      return underway
    case "undeliverable":
      return [...underway, "undeliverable"]
    default:
      return accepted
  }
}

const progress: Readonly<Record<Step, Progress | null>> = {
  submitted: "submitted",
  sent: "sent",
  delivered: "delivered",
  in_process: null,
  under_query: null,
  conditionally_accepted: null,
  accepted: "accepted",
  paid: null,
  rejected: "rejected",
  undeliverable: "failed"
}

const reasons: Partial<Readonly<Record<Step, string>>> = {
  under_query: "The purchase order is missing.",
  conditionally_accepted: "Accepted with a correction of the delivery date.",
  rejected: "The goods were not received.",
  undeliverable: "The recipient's access point could not take the document."
}
