import { BigDecimal } from "effect"
import type { Labels } from "../labels/en.ts"

/** Label of the sentence that tells the customer why nothing is due. */
export type Settled = Extract<keyof Labels["state"], "paid_in_full" | "credited_in_full" | "overpaid">

/** Null while an amount is due. The sentence about an overpayment also applies if a paid invoice was credited. */
export const settledOf = (invoice: {
  readonly refundable_amount: BigDecimal.BigDecimal
  readonly status: string
}): Settled | null => {
  const { refundable_amount, status } = invoice
  if (status !== "credited" && status !== "paid") return null
  if (BigDecimal.isPositive(refundable_amount)) return "overpaid"
  return status === "credited" ? "credited_in_full" : "paid_in_full"
}
