import { Schema, Struct } from "effect"
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
    "created_at"
  ]),
  refunds: Schema.Array(Refund),
  deleted: Schema.Boolean
})

const seal = sealer("payment", SealedPayment)

export const paymentSeal = (organization_id: OrganizationId, facts: typeof SealedPayment.Type) =>
  seal(organization_id, facts)
