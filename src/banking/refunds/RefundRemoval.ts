import { Context, Effect, Layer } from "effect"
import type { Payment } from "../../billing/payments/Payment.ts"
import type { AmountExceedsBalance } from "../../billing/payments/PaymentErrors.ts"
import { Payments } from "../../billing/payments/Payments.ts"
import { Refunds } from "../../billing/payments/Refunds.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import type { PaymentId, RefundId } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { MatchesRepo } from "../reconciliation/matches/MatchesRepo.ts"
import { RefundMatched } from "./RefundsApi.ts"

/** Removes refunds that people recorded by mistake. A refund that is matched with a bank line is not removed. */
export class RefundRemoval extends Context.Service<
  RefundRemoval,
  {
    readonly remove: (
      payment_id: PaymentId,
      id: RefundId
    ) => Effect.Effect<Payment, NotFound | RefundMatched | AmountExceedsBalance | BooksLocked, Caller>
  }
>()("invoicing/banking/refunds/RefundRemoval") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const payments = yield* Payments
      const refunds = yield* Refunds
      const matches = yield* MatchesRepo
      const { transaction } = yield* Database

      const remove = Effect.fn("RefundRemoval.remove")(function* (payment_id: PaymentId, id: RefundId) {
        yield* Effect.annotateCurrentSpan({ "payment.id": payment_id, "refund.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        // Locks the invoice first, as a request does that matches the refund with a bank line.
        yield* payments.hold([payment_id])
        const refund = yield* refunds.find(id)
        if (refund.payment_id !== payment_id) return yield* NotFound.of()
        const lines = yield* matches.linesOfRefund({ organization_id, id })
        if (lines.length > 0) {
          return yield* RefundMatched.of(lines.map(({ bank_transaction_id }) => bank_transaction_id))
        }
        yield* refunds.reverse(id)
        return yield* payments.get(payment_id)
      }, transaction)

      return RefundRemoval.of({ remove })
    })
  ).pipe(Layer.provide([Payments.layer, Refunds.layer, MatchesRepo.layer]))
}
