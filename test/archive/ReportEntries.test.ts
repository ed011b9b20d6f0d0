import { expect, it } from "vitest"
import { useArchive } from "./DocumentArchiver.ts"

const { archiveAll, open, prove, query, state } = useArchive()

const run = (statement: string) => query((sql) => sql.unsafe(statement))

it("a proof passes for taxes of several countries, and fails when an entry of the reports names another one", async () => {
  const ours = await open({ rates: [20, 19] })
  const [french, german] = ours.tax_rate_ids
  await run(`update tax_rates set country = 'FR' where id = ${french}`)
  await run(`update tax_rates set country = 'DE' where id = ${german}`)
  const items = [french, german, german].map((rate) => ({ description: "x", unit_price: 10, tax_rate_ids: [rate] }))
  const { id } = await ours.issued({ items })
  expect(
    await query(
      (sql) => sql`select country from sales_entries where document_id = ${id} and document = 'invoice' order by line`
    )
  ).toEqual([{ country: "FR" }, { country: "DE" }])
  const note = await ours.made("POST", "/credit-notes", { invoice_id: id, amount: 6, reason: "Broken" })
  await ours.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ana@example.com"] })
  await archiveAll(ours)
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  await run(`update sales_entries set country = 'IT' where document_id = ${note.id} and document = 'credit_note'`)
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
})

it("a proof fails for an exchange rate of zero where there was none, which would convert the sales to nothing", async () => {
  const ours = await open()
  const { id } = await ours.issued({ currency: "USD" })
  await archiveAll(ours)
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  await run("alter table invoices disable trigger invoices_sealed")
  await run(`update invoices set exchange_rate = 0 where id = ${id}`)
  await run("alter table invoices enable trigger invoices_sealed")
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
})
