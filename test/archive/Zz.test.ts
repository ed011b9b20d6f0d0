import { expect, it } from "vitest"
import { useArchive } from "./Archiving.ts"

const { archiveAll, open, prove, state } = useArchive()

it("passes after the metadata of an issued invoice has changed", async () => {
  const ours = await open()
  const invoice = await ours.issued({ metadata: { a: "b" }, external_id: "E-1" })
  await archiveAll(ours)
  await ours.made("PUT", `/invoices/${invoice.id}`, { metadata: { a: "c" } })
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
})
