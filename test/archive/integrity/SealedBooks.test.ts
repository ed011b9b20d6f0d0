import { expect, it } from "vitest"
import { importer, openAccount, table } from "../../banking/Books.ts"
import { useArchive } from "../DocumentArchiver.ts"

const { app, archiveAll, open, prove, state } = useArchive()

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

it("a proof passes after a bank line paid an expense whose payment reference cuts the line's text at an emoji", async () => {
  const ours = await open()
  const account = await openAccount(app, ours.id)
  const text = `${"a".repeat(254)}\u{1f600}`
  await importer(app, ours)(account, table(["2026-03-01", "-100,00", "", text]))
  const [debit] = await ours.made("GET", "/bank-transactions")
  const body = { category: "rent", amount: 100, currency: "EUR", description: "Rent", expense_date: "2026-03-01" }
  const { id } = await ours.made("POST", "/expenses", body)
  await ours.made("POST", `/bank-transactions/${debit.id}/match`, { expense_id: id })
  await archiveAll(ours)
  await prove(ours)
  expect((await state(ours)).integrity_state).toBe("passed")
  expect((await ours.made("GET", `/expenses/${id}`)).payment_reference).toBe("a".repeat(254))
})
