import { expect, it } from "vitest"
import { useArchive } from "./DocumentArchiver.ts"

const { archiveAll, open, prove, state } = useArchive()

it("does not seal the data that clients keep with documents, which may change after the issue", async () => {
  const ours = await open()
  const data = { metadata: { order: "1" }, external_id: "E-1" }
  const invoice = await ours.issued(data)
  const note = await ours.made("POST", "/credit-notes", {
    invoice_id: invoice.id,
    amount: 1,
    reason: "Broken",
    ...data
  })
  await ours.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["ana@example.com"] })
  await archiveAll(ours)
  await ours.made("PUT", `/invoices/${invoice.id}`, { metadata: { order: "2" }, external_id: null })
  await ours.made("PUT", `/credit-notes/${note.id}`, { metadata: { order: "2" }, external_id: null })
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
})
