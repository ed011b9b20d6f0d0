import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"

const { app, open } = useBilling()

const of = (month: string, opening: string, closing: string) =>
  camt([entry("1.00", "CRDT")], { opening, closing }).replaceAll("2026-01-", `2026-${month}-`)

/** A file with the statements of several files. */
const joined = (files: ReadonlyArray<string>) => {
  const statements = files.map((file) => file.slice(file.indexOf("<Stmt>"), file.indexOf("</BkToCstmrStmt>")))
  return (files[0] ?? "").replace(/<Stmt>.*<\/Stmt>/s, statements.join(""))
}

const on = (day: string, opening: string, closing: string) =>
  of("02", opening, closing).replaceAll(/2026-02-\d\d/g, day)

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

  it("warns of a gap between two statements of a file, unless the account has the statement between them", async () => {
    const [books, others] = [await open(), await open()]
    const [account, known] = [await openAccount(app, books.id), await openAccount(app, others.id)]
    const upload = importer(app, books)
    const statements = [of("01", "100.00", "101.00"), of("05", "102.00", "103.00"), of("07", "103.00", "104.00")]
    for (const file of [joined(statements), joined(statements.toReversed())]) {
      const [warning, ...further] = (await upload(account, file, { dry_run: "true" })).data.warnings
      assert.deepEqual([warning.code, further.length], ["statement_gap", 0])
      assert.include(warning.message, "opens with 102.00")
      assert.include(warning.message, "closed with 101.00 on 2026-01-31")
    }
    const uploadKnown = importer(app, others)
    await uploadKnown(known, of("03", "101.00", "102.00"))
    assert.notProperty((await uploadKnown(known, joined(statements))).data, "warnings")
    const unknown = joined([...statements, of("08", "150.00", "151.00"), of("10", "151.00", "152.00")])
    const messages = (await upload(account, unknown)).data.warnings.map(
      (warning: { message: string }) => warning.message
    )
    assert.deepEqual([messages.length, messages[1].includes("150.00")], [2, true])
    const again = (await upload(account, `${joined(statements)}\n`)).data
    assert.notProperty(again, "warnings")
  })

  it("warns of a statement whose day has no statement before it yet, and of no other one of that day", async () => {
    const before = on("2026-02-02", "99.00", "100.00")
    const [first, second, third] = [
      on("2026-02-03", "100.00", "101.00"),
      on("2026-02-03", "101.00", "102.00"),
      on("2026-02-03", "102.00", "103.00")
    ]
    const after = on("2026-02-04", "103.00", "104.00")
    for (const files of [
      [before, first, second, third, after],
      [before, first, third, second, after],
      [before, third, second, first, after]
    ]) {
      const books = await open()
      const account = await openAccount(app, books.id)
      const warned: Array<boolean> = []
      for (const file of files) warned.push("warnings" in (await importer(app, books)(account, file)).data)
      const gaps = [
        [first, second],
        [second, third]
      ].filter(([before = "", file = ""]) => files.indexOf(file) < files.indexOf(before))
      assert.deepEqual(
        warned,
        files.map((file) => gaps.some(([, opened]) => opened === file))
      )
      const { data } = await importer(app, books)(account, on("2026-02-05", "150.00", "151.00"))
      assert.include(data.warnings[0].message, "104.00 on 2026-02-04")
    }
  })

  it("does not warn of a CSV file that begins on a day whose earlier export was not complete", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const report = (to: string) =>
      books.made("GET", `/bank-accounts/${account}/reconciliation-report?from=2026-03-01&to=${to}`)
    const upload = async (...rows: ReadonlyArray<string>) => {
      const { data } = await importer(app, books)(account, ["Date;Amount;Text;Balance", ...rows].join("\n"))
      return (data.warnings ?? []).map(({ code }: { code: string }) => code)
    }
    assert.deepEqual(await upload("2026-03-09;50,00;a;50,00", "2026-03-10;-10,00;b;40,00"), [])
    assert.deepEqual((await report("2026-03-10")).balance_check.statement, { balance: "40.00", date: "2026-03-10" })
    const whole_day = ["2026-03-10;-10,00;b;40,00", "2026-03-10;-5,00;c;35,00", "2026-03-11;20,00;d;55,00"]
    assert.deepEqual(await upload(...whole_day), [])
    assert.deepEqual(await upload("2026-03-11;20,00;d;55,00", "2026-03-12;-1,00;e;54,00"), [])
    const { balance_check, days } = await report("2026-03-10")
    assert.deepEqual([balance_check.statement, balance_check.status], [null, "unavailable"])
    assert.deepEqual(
      days.map(({ balance, difference }: { balance: string; difference: string | null }) => [balance, difference]),
      [
        ["50.00", null],
        ["35.00", null]
      ]
    )
    assert.equal((await report("2026-03-31")).balance_check.status, "passed")
    assert.deepEqual(await upload("2026-03-20;1,00;f;99,00", "2026-03-21;-1,00;g;98,00"), ["statement_gap"])
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
