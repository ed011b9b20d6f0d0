import type { EventName } from "../../kernel/EventName.ts"
import type { EinvoiceStatus } from "../documents/Einvoice.ts"

const ranks: Readonly<Record<EinvoiceStatus, number>> = {
  pending: 0,
  submitted: 1,
  sent: 2,
  delivered: 3,
  accepted: 4,
  rejected: 4,
  failed: 4
}

/** Computes the next status, which never goes back; a delivered document can no longer fail. */
export const advanced = (status: EinvoiceStatus, news: EinvoiceStatus | null): EinvoiceStatus => {
  if (news === null || ranks[news] <= ranks[status]) return status
  return news === "failed" && ranks[status] >= ranks.delivered ? status : news
}

interface Milestone {
  readonly type: EventName
  readonly status: EinvoiceStatus
}

/** Returns the events for a change of status, including those of the steps that the network skipped. */
export const milestones = (before: EinvoiceStatus, after: EinvoiceStatus): ReadonlyArray<Milestone> => {
  if (before === after) return []
  if (after === "failed" || after === "rejected") return [{ type: "einvoice.failed", status: after }]
  const steps: ReadonlyArray<Milestone> = [
    { type: "einvoice.sent", status: "sent" },
    { type: "einvoice.delivered", status: "delivered" }
  ]
  return steps.filter(({ status }) => ranks[before] < ranks[status] && ranks[status] <= ranks[after])
}

/** True for a final status without success, after which the invoice may be submitted again. */
export const isOver = (status: EinvoiceStatus): boolean => status === "rejected" || status === "failed"
