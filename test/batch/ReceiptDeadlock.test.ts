import { expect, it } from "vitest"
import { waitingFor } from "../customers/Contention.ts"
import { useReceipts } from "../expenses/receipts/Uploading.ts"

const { app, open } = useReceipts()

it("an atomic removal of expenses does not deadlock with the removal of another expense of the same receipt", async () => {
  const { call, expense, id, upload } = await open()
  const { receipt_path } = (await upload()).body.data
  const [first, last, single] = [
    await expense(),
    await expense({ receipt_path, reference: "A" }),
    await expense({ receipt_path, reference: "B" })
  ]
  // The trigger runs before the one that locks the receipts of the expense.
  await app.inDatabase(`create function waits() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await app.inDatabase(`create trigger before_receipts before update on expenses for each row
    when (new.organization_id = ${id} and new.id = ${last.id}) execute function waits()`)
  // The batch has removed the first expense, and so has locked the audit log, for which the other request waits.
  const batch = () => call("DELETE", `/batch/resources?resource=expenses&ids=${first.id},${last.id}&atomic=true`)
  const removal = () => call("DELETE", `/expenses/${single.id}`)
  const answers = await waitingFor((sql) => sql`select pg_advisory_xact_lock(4711)`, app, [batch, removal])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})
