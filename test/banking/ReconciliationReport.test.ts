import { assert, describe, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { importer, openAccount, table } from "./Books.ts"
import { camt, entry } from "./statements/Camt.ts"

const { app, open } = useBilling()

describe("GET /api/v1/bank-accounts/{id}/reconciliation-report", () => {
  it("sums matched and unmatched lines, and compares with the bank's balance", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { provider_balance: "7.50", iban: null })
    await importer(app, books)(account, table(["2025-12-31", "10,00"], ["2026-01-05", "-4,00"], ["2026-01-06", "1,50"]))
    const report = await books.made(
      "GET",
      `/bank-accounts/${account}/reconciliation-report?from=2026-01-01&to=2026-01-31`
    )
    assert.deepEqual(report, {
      bank_account_id: account,
      currency: "EUR",
      from: "2026-01-01",
      to: "2026-01-31",
      by_status: [{ status: "unmatched", count: 2, sum: "-2.50" }],
      matched: { count: 0, sum: "0.00" },
      unmatched: { count: 2, sum: "-2.50" },
      reconciliation_rate: "0.00",
      balance_check: {
        opening_balance: null,
        opening_balance_date: null,
        lines_sum: "7.50",
        computed: "7.50",
        as_of: "2026-01-31",
        provider: "7.50",
        provider_at: "2026-01-31T23:00:00.000Z",
        statement: null,
        difference: "0.00",
        status: "passed"
      },
      days: [
        {
          date: "2026-01-05",
          credits: "0.00",
          debits: "-4.00",
          balance: "6.00",
          statement_balance: null,
          difference: null
        },
        {
          date: "2026-01-06",
          credits: "1.50",
          debits: "0.00",
          balance: "7.50",
          statement_balance: null,
          difference: null
        }
      ]
    })
    const early = "from=1900-01-01&to=2026-01-31"
    const whole = await books.made("GET", `/bank-accounts/${account}/reconciliation-report?${early}`)
    assert.deepEqual(
      whole.days.map(({ balance, date }: { balance: string; date: string }) => [date, balance]),
      [
        ["2025-12-31", "10.00"],
        ["2026-01-05", "6.00"],
        ["2026-01-06", "7.50"]
      ]
    )
    const refused = await books.call(
      "GET",
      `/bank-accounts/${account}/reconciliation-report?from=2026-02-01&to=2026-01-31`
    )
    assert.equal(refused.status, 422)
    assert.equal(
      (await books.call("GET", `/bank-accounts/${account}/reconciliation-report?from=2026-02-01`)).status,
      422
    )
  })

  it("rounds the rate down, so that it is 100.00 only if no line is open", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { iban: null })
    await importer(app, books)(account, table(["2026-01-05", "1,00"]))
    const [line] = await books.made("GET", "/bank-transactions")
    await app.inDatabase(`
      insert into bank_transactions select (jsonb_populate_record(b, jsonb_build_object('id', 2000000 + n,
        'line_key', 'matched ' || n, 'position', n + 1, 'status', 'matched', 'matched_amount', 1))).*
      from bank_transactions b, generate_series(1, 20000) n where b.bank_account_id = ${account}`)
    const rate = async () =>
      (await books.made("GET", `/bank-accounts/${account}/reconciliation-report?from=2026-01-01&to=2026-01-31`))
        .reconciliation_rate
    const almost = await rate()
    await books.made("POST", `/bank-transactions/${line.id}/match`, { exclude: { reason: "other" } })
    const whole = await rate()
    await app.inDatabase(`delete from bank_transactions where bank_account_id = ${account} and position > 1`)
    assert.deepEqual([almost, whole], ["99.99", "100.00"])
  })

  it("has up to 10,000 days, and answers 422 for a period with more", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { iban: null })
    await importer(app, books)(account, table(["1990-01-01", "1,00"]))
    await app.inDatabase(`
      insert into bank_transactions select (jsonb_populate_record(b, jsonb_build_object('id', 1000000 + n,
        'line_key', 'day ' || n, 'position', n + 1, 'booking_date', date '1990-01-01' + n))).*
      from bank_transactions b, generate_series(1, 10000) n where b.bank_account_id = ${account}`)
    const until = (to: string) =>
      books.call("GET", `/bank-accounts/${account}/reconciliation-report?from=1990-01-01&to=${to}`)
    assert.equal((await until("2017-05-18")).body.data.days.length, 10_000)
    const refused = await until("2017-05-19")
    await app.inDatabase(`delete from bank_transactions where bank_account_id = ${account} and position > 1`)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["to"]])
  })
})

describe("the balance check of an account without an opening balance", () => {
  it("is unavailable, unless the lines alone give the bank's balance", async () => {
    const books = await open()
    const upload = importer(app, books)
    const checked = async (balance: string) => {
      const account = await openAccount(app, books.id, { iban: null })
      const file = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>${account}123456</BANKACCTFROM>
        <BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>10.00<FITID>1</STMTTRN>
        <STMTTRN><TRNTYPE>FEE<DTPOSTED>20260131<TRNAMT>-1.00<FITID>2</STMTTRN></BANKTRANLIST>
        <LEDGERBAL><BALAMT>${balance}<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
      assert.equal((await upload(account, file)).data?.imported, 2)
      const path = `/bank-accounts/${account}/reconciliation-report?from=2026-01-01&to=2026-01-31`
      const { balance_check, days } = await books.made("GET", path)
      const { computed, difference, opening_balance, statement, status } = balance_check
      assert.deepEqual([opening_balance, computed, statement.balance], [null, "9.00", balance])
      return [status, difference, days.at(-1).statement_balance, days.at(-1).difference]
    }
    assert.deepEqual(await checked("109.00"), ["unavailable", null, "109.00", null])
    assert.deepEqual(await checked("9.00"), ["passed", "0.00", "9.00", "0.00"])
  })
})

describe("the balance check of a period before the earliest line", () => {
  it("is unavailable, although the bank reported a later balance", async () => {
    const books = await open()
    const account = await openAccount(app, books.id, { provider_balance: "7.50", iban: null })
    await importer(app, books)(account, table(["2026-01-05", "7,50"]))
    const path = `/bank-accounts/${account}/reconciliation-report`
    const { balance_check } = await books.made("GET", `${path}?from=2025-01-01&to=2025-01-31`)
    const { as_of, computed, difference, lines_sum, status } = balance_check
    assert.deepEqual(
      [status, difference, as_of, lines_sum, computed],
      ["unavailable", null, "2025-01-31", "0.00", "0.00"]
    )
  })
})

const mt940 = (opening: string, movement: string, text: string, closing: string) =>
  [":20:S", ":25:BE68539007547034", ":28C:1/1", `:60F:${opening}`, `:61:${movement}`, `:86:${text}`, `:62F:${closing}`]
    .concat("-")
    .join("\r\n")

const dated = (day: string, opening: string, amount: string, closing: string) =>
  camt([entry(amount, "CRDT")], { opening, closing }).replaceAll(/2026-01-(?:01|05|31)/g, day)

const inOneFile = (...files: ReadonlyArray<string>) => {
  const statements = files.map((file) => /<Stmt>.*<\/Stmt>/s.exec(file)?.[0] ?? "")
  return (files[0] ?? "").replace(/<Stmt>.*<\/Stmt>/s, statements.join(""))
}

describe("the opening balance of an account", () => {
  it("is that of the first statement, also if a later one has a line with an earlier day", async () => {
    const statements = [
      mt940("C260101EUR1000,", "260102C500,NTRFNONREF//A1", "first", "C260102EUR1500,"),
      mt940("C260102EUR1500,", "251231D10,NCHGNONREF//A2", "interest of the quarter", "C260105EUR1490,")
    ]
    for (const files of [[statements.join("\r\n")], statements, statements.toReversed()]) {
      const books = await open()
      const account = await openAccount(app, books.id)
      for (const file of files) assert.equal((await importer(app, books)(account, file)).status, 201)
      const { balance_check } = await books.made(
        "GET",
        `/bank-accounts/${account}/reconciliation-report?from=2026-01-01&to=2026-01-31`
      )
      const { computed, difference, opening_balance, status } = balance_check
      assert.deepEqual([opening_balance, computed, difference, status], ["1000.00", "1490.00", "0.00", "passed"])
    }
  })

  it("is that of the account's first statement in a file that begins with another account", async () => {
    const books = await open()
    const account = await openAccount(app, books.id)
    const other = mt940("C260205EUR5,", "260205C1,NTRFNONREF//B1", "other account", "C260205EUR6,")
    const file = [
      other.replace("BE68539007547034", "BE71096123456769"),
      mt940("C260101EUR100,", "260101C10,NTRFNONREF//A1", "first", "C260101EUR110,"),
      mt940("C260101EUR110,", "260102C5,NTRFNONREF//A2", "second", "C260102EUR115,")
    ]
    const { data } = await importer(app, books)(account, file.join("\r\n"))
    assert.deepEqual(
      [data.period_start, data.period_end, data.opening_balance, data.closing_balance],
      ["2026-01-01", "2026-01-02", "100.00", "115.00"]
    )
  })

  it("is that of the earliest statement of a file that begins with the latest one", async () => {
    for (const first_day of ["2026-02-01", "2026-02-02"]) {
      const books = await open()
      const account = await openAccount(app, books.id)
      const file = inOneFile(
        dated("2026-02-02", "110.00", "5.00", "115.00"),
        dated(first_day, "100.00", "10.00", "110.00")
      )
      const { data } = await importer(app, books)(account, file)
      assert.deepEqual(
        [data.period_start, data.period_end, data.opening_balance, data.closing_balance],
        [first_day, "2026-02-02", "100.00", "115.00"]
      )
      const { balance_check } = await books.made(
        "GET",
        `/bank-accounts/${account}/reconciliation-report?from=2026-02-01&to=2026-02-28`
      )
      assert.deepEqual([balance_check.opening_balance, balance_check.status], ["100.00", "passed"])
      assert.equal((await books.made("GET", `/bank-accounts/${account}`)).statement_balance, 115)
    }
  })
})

describe("the closing balance of a day with several statements", () => {
  it("is that of the statement that no other one of the day continues, in whatever order they are imported", async () => {
    const day = "2026-02-02"
    const morning = dated(day, "100.00", "50.00", "150.00")
    const noon = dated(day, "150.00", "60.00", "210.00")
    const evening = dated(day, "210.00", "90.00", "300.00")
    for (const files of [
      [morning, noon, evening],
      [evening, noon, morning],
      [noon, evening, morning]
    ]) {
      const books = await open()
      const account = await openAccount(app, books.id)
      for (const file of files) assert.equal((await importer(app, books)(account, file)).status, 201)
      const { balance_check, days } = await books.made(
        "GET",
        `/bank-accounts/${account}/reconciliation-report?from=2026-02-01&to=2026-02-28`
      )
      assert.deepEqual([balance_check.statement, balance_check.status], [{ balance: "300.00", date: day }, "passed"])
      assert.deepEqual([days[0].statement_balance, days[0].difference], ["300.00", "0.00"])
      const { statement_balance, statement_balance_date } = await books.made("GET", `/bank-accounts/${account}`)
      assert.deepEqual([statement_balance, statement_balance_date], [300, day])
    }
  })
})
