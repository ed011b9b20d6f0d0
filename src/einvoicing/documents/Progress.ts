import type { EventName } from "../../kernel/EventName.ts"
import type { EinvoiceStatus } from "./Einvoice.ts"

const ranks: Readonly<Record<EinvoiceStatus, number>> = {
  pending: 0,
  submitted: 1,
  sent: 2,
  delivered: 3,
  accepted: 4,
  rejected: 4,
  failed: 4
}

/** The status after news: never back, and nothing fails any more once it is with its receiver. */
export const advanced = (status: EinvoiceStatus, news: EinvoiceStatus | null): EinvoiceStatus => {
  if (news === null || ranks[news] <= ranks[status]) return status
  return news === "failed" && ranks[status] >= ranks.delivered ? status : news
}

interface Milestone {
  readonly type: EventName
  readonly status: EinvoiceStatus
}

/** What a change of status is told as. News may leave out a step, its readers do not. */
export const milestones = (before: EinvoiceStatus, after: EinvoiceStatus): ReadonlyArray<Milestone> => {
  if (before === after) return []
  if (after === "failed" || after === "rejected") return [{ type: "einvoice.failed", status: after }]
  const steps: ReadonlyArray<Milestone> = [
    { type: "einvoice.sent", status: "sent" },
    { type: "einvoice.delivered", status: "delivered" }
  ]
  return steps.filter(({ status }) => ranks[before] < ranks[status] && ranks[status] <= ranks[after])
}

/** Nothing follows: the same invoice may be submitted again. */
export const isOver = (status: EinvoiceStatus): boolean => status === "rejected" || status === "failed"
