import { expect, it } from "vitest"
import { useExpenses } from "../support/Expenses.ts"
import { waitingFor } from "../customers/Contention.ts"

const { app, open } = useExpenses()

it("a conversion to an invoice line does not deadlock with a request that locks several expenses", async () => {
  const books = await open()
  const { draft, expense: billed } = await books.billed()
  const later = await books.spent()
  const remove = () =>
    books.call("DELETE", `/batch/resources?resource=expenses&ids=${billed.id},${later.id}&atomic=true`)
  const convert = () => books.act(later, "convert-to-invoice-item", { invoice_id: draft.id })
  const answers = await waitingFor((sql) => sql`select id from expenses where id = ${billed.id} for update`, app, [
    remove,
    convert
  ])
  expect(answers.map(({ body, status }) => [status, body.code])).toEqual([
    [422, "batch_failed"],
    [200, undefined]
  ])
})
