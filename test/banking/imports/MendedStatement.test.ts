import { assert, describe, it } from "vitest"
import { race, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { importer, openAccount } from "../Books.ts"

const { app, open } = useBilling()

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  // oxlint-disable-next-line no-explicit-any -- tests read the fields of any answer
  const lines = async (): Promise<Array<any>> =>
    books.made("GET", `/bank-transactions?bank_account_id=${account}&per_page=100`)
  return { books, account, upload, lines }
}

describe("a statement file with misread rows", () => {
  it("imports the misread rows when the file is sent again with a mapping, and no other row twice", async () => {
    const { account, books, lines, upload } = await opened()
    const text = "Date;Amount;Text;Entered\n2026-01-05;1,50;One;2026-01-05\nn/a;2,50;Two;2026-01-06"
    const first = (await upload(account, text)).data
    assert.deepEqual([first.imported, first.lines_total, first.errors.length], [1, 1, 1])
    const same = (await upload(account, text)).data
    assert.deepEqual([same.id, same.duplicate_file, same.imported, same.duplicates], [first.id, true, 0, 1])
    assert.deepEqual([same.errors, same.created_at], [first.errors, first.created_at])

    const mapping = JSON.stringify({ columns: { booking_date: "Entered" } })
    const dry = (await upload(account, text, { mapping, dry_run: "1" })).data
    assert.deepEqual([dry.id, dry.imported, dry.duplicates, (await lines()).length], [null, 1, 1, 1])
    const answers = await race(3, () => upload(account, text, { mapping }))
    const mended = answers.find(({ data }) => !data.duplicate_file)?.data
    assert.deepEqual([mended.imported, mended.duplicates, mended.lines_total, mended.errors], [1, 1, 2, []])
    assert.notEqual(mended.id, first.id)
    assert.deepEqual(
      answers.flatMap(({ data }) => (data.duplicate_file ? [[data.id, data.imported, data.duplicates]] : [])),
      [
        [mended.id, 0, 2],
        [mended.id, 0, 2]
      ]
    )
    assert.deepEqual((await upload(account, text)).data.id, mended.id)
    const shown = (await upload(account, text, { mapping, dry_run: "1" })).data
    assert.deepEqual([shown.duplicate_file, shown.imported, shown.duplicates], [true, 0, 2])
    assert.equal(shown.reading.lines.length, 2)
    assert.deepEqual(
      (await lines()).map(({ amount, import_session_id }) => [amount, import_session_id]),
      [
        [2.5, mended.id],
        [1.5, first.id]
      ]
    )
    assert.deepEqual((await app.run(verifiedAuditLog(books.id))).entries.map(({ action }) => action).slice(-2), [
      "bank_statement.imported",
      "bank_statement.imported"
    ])
  })

  it("refuses a mapping that reads imported rows differently, and changes nothing", async () => {
    const { account, lines, upload } = await opened()
    const text = "Date;Amount;Text;Entered\n2026-01-05;1,50;One;2026-01-07\nn/a;2,50;Two;2026-01-06"
    await upload(account, text)
    const before = await lines()
    const mapping = JSON.stringify({ columns: { booking_date: "Entered" } })
    for (const dry_run of ["0", "1"]) {
      const { body, status } = await upload(account, text, { mapping, dry_run })
      assert.deepEqual([status, body.code], [422, "invalid_statement"])
    }
    assert.deepEqual(await lines(), before)
  })
})
