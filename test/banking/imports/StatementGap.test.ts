import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling()

const of = (month: string, opening: string, closing: string) =>
  camt([entry("1.00", "CRDT")], { opening, closing }).replaceAll("2026-01-", `2026-${month}-`)

describe("POST /api/v1/bank-accounts/{id}/import-statement", () => {
  it("warns of a statement that does not open with the closing balance before it", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const upload = importer(app, books)
    assert.notProperty((await upload(account, of("01", "100.00", "101.00"))).data, "warnings")
    const [warning, ...others] = (await upload(account, of("05", "150.00", "151.00"))).data.warnings
    assert.deepEqual([warning.code, others.length], ["statement_gap", 0])
    assert.include(warning.message, "150.00")
    assert.include(warning.message, "101.00 on 2026-01-31")
    assert.notProperty((await upload(account, of("03", "101.00", "102.00"))).data, "warnings")
    assert.notProperty((await upload(account, of("07", "151.00", "152.00"))).data, "warnings")
  })

  it("names a CODA file as such if its first line is too short", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const header = "0000005012672505        00099999999Acme BV"
    const { body, status } = await importer(app, books)(account, `${header}\n9               000000\n`)
    assert.deepEqual([status, body.code], [422, "invalid_statement"])
    assert.include(body.message, "128")
  })
})
