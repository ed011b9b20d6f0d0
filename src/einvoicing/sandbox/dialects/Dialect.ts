import type { NetworkMessage, Progress } from "../../providers/Provider.ts"
import type { Outcome } from "./Outcome.ts"

/** Networks name the steps of a document differently; these are the common names. */
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

/** If a network has no code for a step, it sends no message about the step. */
export interface Dialect {
  readonly codes: Partial<Readonly<Record<Step, ReadonlyArray<string>>>>
  readonly evidence: (step: Step) => string
  readonly source: (step: Step) => NetworkMessage["source"]
  /** Contains only the steps whose status differs from the one on other networks. */
  readonly progress?: Partial<Readonly<Record<Step, Progress>>>
}

type Line = Pick<NetworkMessage, "code" | "source" | "progress" | "reason"> & { readonly evidence: string }

/** Returns the messages of a network about the answer of a recipient. */
export const answerScript = (dialect: Dialect, answer: "accepted" | "rejected", reason: string | null) =>
  linesOf(dialect, [answer]).map((line) => ({ ...line, reason }))

/** Returns all messages of a network about a document with this outcome. */
export const script = (dialect: Dialect, outcome: Outcome): ReadonlyArray<Line> => linesOf(dialect, stepsOf(outcome))

const linesOf = (dialect: Dialect, steps: ReadonlyArray<Step>): ReadonlyArray<Line> =>
  steps.flatMap((step) =>
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
    case "delivered":
      return received
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
