import { expect, it } from "vitest"
import { useArchive } from "./DocumentArchiver.ts"

const { archiveAll, open, prove, state } = useArchive()

it("a proof passes after payments were changed, refunded and deleted, and one of two refunds was deleted", async () => {
  const ours = await open()
  const { payment } = await ours.paid()
  const { payment: mistake } = await ours.paid()
  await ours.made("PUT", `/payments/${payment.id}`, { payment_method: "cash" })
  const { refunds } = await ours.made("POST", `/payments/${payment.id}/refund`, { amount: 2 })
  await ours.made("POST", `/payments/${payment.id}/refund`, { amount: 1 })
  await ours.made("DELETE", `/payments/${payment.id}/refunds/${refunds[0].id}`)
  await ours.made("DELETE", `/payments/${mistake.id}`)
  await archiveAll(ours)
  await prove(ours)
  expect((await state(ours)).integrity_state).toBe("passed")
})
