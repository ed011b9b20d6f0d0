import { Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { PaymentFacts, Refund } from "./Payment.ts"
import { sealer } from "../sealing/Sealer.ts"

/** The sealed fields of a payment. Its description (reference, notes, bank line) may change. */
export const SealedPayment = Schema.Struct({
  ...Struct.pick(PaymentFacts.fields, [
    "id",
    "invoice_id",
    "amount",
    "currency",
    "payment_date",
    "payment_method",
    "refunded_amount",
    "is_prepayment",
    "created_at"
  ]),
  refunds: Schema.Array(Refund),
  deleted: Schema.Boolean
})

/** Earlier versions of the service sealed refunds without a date. */
const SealedRefund = Schema.Struct({ ...Refund.fields, refund_date: Schema.optionalKey(Day) })

const seal = sealer("payment", Schema.Struct({ ...SealedPayment.fields, refunds: Schema.Array(SealedRefund) }))

export const paymentSeal = (organization_id: OrganizationId, { refunds, ...facts }: typeof SealedPayment.Type) =>
  seal(organization_id, {
    ...facts,
    refunds: refunds.map(({ refund_date, ...refund }) => (refund_date === null ? refund : { ...refund, refund_date }))
  })
