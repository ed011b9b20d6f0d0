import { BigDecimal } from "effect"
import type { Labels } from "../printing/labels/en.ts"
import type { Invoice } from "./Invoice.ts"

/** Label of the sentence that tells the customer why nothing is due. */
export type Settled = Extract<keyof Labels["state"], "paid_in_full" | "credited_in_full" | "overpaid">

/** Null while an amount is due. The sentence about an overpayment also applies if a paid invoice was credited. */
export const settledOf = ({
  refundable_amount,
  status
}: Pick<Invoice, "refundable_amount" | "status">): Settled | null => {
  if (status !== "credited" && status !== "paid") return null
  if (BigDecimal.isPositive(refundable_amount)) return "overpaid"
  return status === "credited" ? "credited_in_full" : "paid_in_full"
}
