import { BigDecimal, Effect } from "effect"
import { expect, it } from "vitest"
import { paymentSeal } from "../../../src/billing/payments/PaymentSeal.ts"
import { Day, Timestamp } from "../../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { InvoiceId, OrganizationId, PaymentId, RefundId } from "../../../src/kernel/Ids.ts"

const at = Timestamp.make("2026-03-05T10:00:00.000Z")
const amount = BigDecimal.fromStringUnsafe("2")
const payment = {
  id: PaymentId.make(1),
  invoice_id: InvoiceId.make(1),
  amount,
  currency: CurrencyCode.make("EUR"),
  payment_date: Day.make("2026-03-05"),
  payment_method: "cash",
  refunded_amount: amount,
  is_prepayment: false,
  created_at: at,
  deleted: false
} as const
const sealed = (refund_date: Day | null) =>
  Effect.runPromise(
    paymentSeal(OrganizationId.make(1), {
      ...payment,
      refunds: [{ id: RefundId.make(1), amount, reason: null, refund_date, created_at: at }]
    })
  )

it("seals a refund without a date as earlier versions sealed it", async () => {
  expect(JSON.parse(await sealed(null)).refunds).toEqual([
    { id: 1, amount: "2", reason: null, created_at: "2026-03-05T10:00:00.000Z" }
  ])
  expect(JSON.parse(await sealed(Day.make("2026-03-07"))).refunds).toMatchObject([{ refund_date: "2026-03-07" }])
})
