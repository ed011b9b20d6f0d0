import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"
import { camt, entry } from "../statements/Camt.ts"
import { codaStatement } from "../statements/Coda.ts"

const { app, open } = useBilling()

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const upload = importer(app, books)
  const lines = () => books.made("GET", `/bank-transactions?bank_account_id=${account}&per_page=100`)
  return { books, account, upload, lines }
}

const named = (iban: string) => codaStatement([{ amount: 100 }], { iban })

const ofx = (account: string, { foreign = "EUR", memo = "" } = {}) =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>${account}</BANKACCTFROM>
  <BANKTRANLIST>
  <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>10.00<FITID>1<MEMO>${memo}</STMTTRN>
  <STMTTRN><TRNTYPE>FEE<DTPOSTED>20260106<TRNAMT>-1.00<FITID>2<CURRENCY><CURRATE>1<CURSYM>${foreign}</CURRENCY></STMTTRN>
  </BANKTRANLIST><LEDGERBAL><BALAMT>109.00<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

const twoRows = (month: string, header: string, ...cells: ReadonlyArray<string>) =>
  [`Date;${header};Amount`, ...[5, 6].map((day) => `${month}-0${day};${cells.join(";")};-${day},00`)].join("\n")

const withFee = (month: string) =>
  ["Date;Description;Amount;Fee", `${month}-05;Shop;-20,00;0,50`, `${month}-06;Sale;100,00;0,00`].join("\n")

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const bothSigns = (day: string) => `Date;Description;Amount\n${day};Shop;-20,00\n${day};Sale;30,00`

const page = (opening: string, line: string, closing: string) => [
  ":20:1",
  ":25:BE68539007547034",
  ":28C:1",
  `:60${opening}`,
  `:61:2601050105${line},NTRFX`,
  `:62${closing}`,
  "-"
]

describe("POST /api/v1/bank-accounts/{id}/import-statement of a doubtful file", () => {
  it("keeps the mapping that read a file, also by positions, for the account's next files", async () => {
    const { account, books, upload } = await opened()
    const refused = await upload(account, "05.01.2026;1,50;Beta\n06.01.2026;2,50;Gamma")
    assert.deepEqual([refused.status, refused.body.code], [422, "invalid_statement"])
    assert.deepEqual(refused.body.details.headers, ["05.01.2026", "1,50", "Beta"])
    const columns = { booking_date: 1, amount: 2, counterparty_name: 3 }
    const mapping = JSON.stringify({ columns })
    assert.equal((await upload(account, "05.01.2026;1,50;Beta\n06.01.2026;2,50;Gamma", { mapping })).data.imported, 2)
    assert.deepEqual((await books.made("GET", `/bank-accounts/${account}`)).csv_mapping, { columns })
    assert.equal((await upload(account, "07.01.2026;-3,50;Delta")).data.imported, 1)
    assert.equal((await upload(account, table(["2026-01-08", "-4,50"]))).data.imported, 1)
  })

  it("does not follow the mapping of earlier files for a file that has unreadable rows with it, and none without it", async () => {
    const { account, upload } = await opened()
    const mapping = JSON.stringify({ date_format: "DD/MM/YYYY" })
    await upload(account, "Datum;Tekst;Bedrag\n03/04/2026;a;-12,50\n04/04/2026;b;100,00\n", { mapping })
    const american = await upload(account, "Date,Text,Amount\n04/12/2026,c,-1.50\n04/13/2026,d,2.00\n")
    assert.deepEqual([american.data.errors, american.data.imported], [[], 2])
    const iso = await upload(account, "Date,Text,Amount\n2026-05-05,e,-1.50\n2026-05-06,f,2.00\n")
    assert.deepEqual([iso.data.errors, iso.data.imported], [[], 2])
  })

  it("refuses amounts without any evidence of a sign, and follows the mapping that settles it", async () => {
    const { account, lines, upload } = await opened()
    const text = "Date;Card number;Description;Amount\n2026-01-05;1234;Shop;12,50\n2026-01-06;1234;Refund;-3,00"
    const refused = await upload(account, text)
    assert.deepEqual([refused.status, refused.body.code], [422, "ambiguous_sign"])
    assert.deepEqual(refused.body.details.headers, ["Date", "Card number", "Description", "Amount"])
    const words = ["2026-01-05;rein;12,50", "2026-01-06;raus;3,00"]
    const rows = ["Date;Richtung;Amount", ...words, ...words.map((row) => row.replace("12,50", "9,00"))].join("\n")
    const unknown = await upload(account, rows)
    assert.equal(unknown.body.code, "ambiguous_sign")
    assert.deepEqual(unknown.body.details.candidates, [{ column: "Richtung", position: 2, values: ["rein", "raus"] }])
    assert.deepEqual(await lines(), [])
    const mapping = JSON.stringify({ sign: { column: "Richtung", debit_values: ["raus"] } })
    assert.equal((await upload(account, rows, { mapping })).data.debits.sum, "-6.00")
    const card = await upload(account, text, { mapping: JSON.stringify({ sign: { positive: "debit" } }) })
    assert.deepEqual([card.data.credits.sum, card.data.debits.sum], ["3.00", "-12.50"])
  })

  it("names the column of fees when only they are in doubt, and follows the mapping that settles it", async () => {
    const { account, upload } = await opened()
    const refused = await upload(account, withFee("2026-01"))
    assert.deepEqual([refused.status, refused.body.code], [422, "ambiguous_sign"])
    assert.include(refused.body.message, "the fees in the column Fee.")
    assert.notInclude(refused.body.message, "debits")
    const added = await upload(account, withFee("2026-01"), { mapping: JSON.stringify({ columns: { fee: "Fee" } }) })
    assert.equal(added.data.debits.sum, "-20.50")
    const contained = await upload(account, withFee("2026-02"), { mapping: JSON.stringify({ columns: { fee: null } }) })
    assert.equal(contained.data.debits.sum, "-20.00")
  })

  it("asks whose IBAN every row names, unless the account or another column shows it", async () => {
    const { account, books, lines, upload } = await opened()
    const [own, theirs] = ["BE68539007547034", "BE71096123456769"]
    const refused = await upload(account, twoRows("2026-01", "IBAN", theirs))
    assert.deepEqual([refused.status, refused.body.code], [422, "ambiguous_account"])
    assert.deepEqual(refused.body.details, { column: "IBAN", position: 2, iban: theirs })
    assert.include(refused.body.message, `${theirs} in the column IBAN`)
    assert.include(refused.body.message, "columns.counterparty_iban")
    const bare = await openAccount(app, books.id, { iban: null })
    assert.equal((await upload(bare, twoRows("2026-01", "IBAN", theirs))).body.code, "ambiguous_account")
    assert.equal((await books.made("GET", `/bank-accounts/${bare}`)).iban, null)
    const other = await upload(account, twoRows("2026-01", "IBAN;Gegenkonto", theirs, own))
    assert.deepEqual([other.status, other.data?.imported, (await lines())[0]?.counterparty_iban], [201, 2, theirs])
    const party = await upload(bare, twoRows("2026-02", "IBAN;Counterparty IBAN", own, theirs))
    assert.deepEqual([party.status, party.body.code], [422, "account_mismatch"])
    const mapping = JSON.stringify({ columns: { counterparty_iban: "IBAN" } })
    assert.equal((await upload(account, twoRows("2026-03", "IBAN", theirs), { mapping })).data.imported, 2)
    assert.equal((await lines())[0].counterparty_iban, theirs)
  })

  it("refuses lines that do not lead from opening to closing, with both figures", async () => {
    const { account, lines, upload } = await opened()
    const text = "Date;Amount;Balance\n2026-01-05;10,00;110,00\n2026-01-06;-5,00;100,00"
    const coda = codaStatement([{ amount: 1 }], { closing: 10_000 })
    for (const file of [text, camt([entry("1.00", "CRDT")], { opening: "109.00", closing: "100.00" }), coda]) {
      const refused = await upload(account, file)
      assert.deepEqual([refused.status, refused.body.code], [422, "statement_unbalanced"])
      assert.equal(refused.body.details.closing, "100.00")
    }
    assert.deepEqual(await lines(), [])
    const { data } = await upload(account, text, { accept_unbalanced: "true" })
    assert.deepEqual([data.balance_check, data.imported], ["failed", 2])
  })

  it("warns about an MT940 whose last page is missing, but not about the whole statement", async () => {
    const { account, upload } = await opened()
    const [first, second] = [
      page("F:C260101EUR100,", "C5", "M:C260105EUR105,").join("\n"),
      page("M:C260105EUR105,", "C6", "F:C260105EUR111,").join("\n")
    ]
    const cut = await upload(account, first)
    assert.deepEqual([cut.status, cut.data.imported], [201, 1])
    assert.deepEqual(
      cut.data.warnings.map((warning: { readonly code: string }) => warning.code),
      ["may_be_cut_off"]
    )
    const whole = await upload(account, `${first}\n${second}`)
    assert.deepEqual([whole.data.imported, whole.data.duplicates, whole.data.warnings], [1, 1, undefined])
  })

  it("refuses a CODA of an unknown version by its version", async () => {
    const { account, upload } = await opened()
    const text = codaStatement([{ amount: 100 }]).replace("2\r\n", "3\r\n")
    const { body, status } = await upload(account, text)
    assert.deepEqual([status, body.code], [422, "invalid_statement"])
    assert.include(body.message, "CODA 3 cannot be read")
  })

  it("warns about a line that is booked in the future, but not about one of the next days", async () => {
    const { account, upload } = await opened()
    const near = await upload(account, bothSigns(dayIn(3)))
    assert.deepEqual([near.data.imported, near.data.warnings], [2, undefined])
    const far = await upload(account, bothSigns(dayIn(40)))
    assert.deepEqual([far.data.imported, far.data.warnings[0].code], [2, "dated_in_future"])
    assert.include(far.data.warnings[0].message, dayIn(40))
  })

  it("refuses the days that came in another format, and warns when only some lines repeat", async () => {
    const { account, upload } = await opened()
    assert.equal((await upload(account, camt([entry("1.00", "CRDT"), entry("2.00", "DBIT")]))).data.imported, 2)
    const text = table(["2026-01-05", "1,00", "Beta"], ["2026-01-05", "-2,00", "Gamma"])
    const refused = await upload(account, text)
    assert.deepEqual([refused.status, refused.body.code], [422, "overlapping_other_format"])
    assert.deepEqual(refused.body.details, { lines: 2, twins: 2, formats: ["camt053"] })
    const some = await upload(
      account,
      table(["2026-01-05", "1,00", "Delta"], ["2026-01-06", "-7,00"], ["2026-01-07", "8,00"])
    )
    assert.deepEqual([some.status, some.data.warnings[0].code], [201, "possible_duplicates"])
    assert.equal((await upload(account, text, { accept_overlap: "true" })).data.imported, 2)
  })

  it("accepts an OFX file by a part of the account's IBAN, and refuses other accounts, currencies and repetitions", async () => {
    const { account, lines, upload } = await opened()
    const first = await upload(account, ofx("007547034"))
    assert.deepEqual([first.status, first.data.format, first.data.imported], [201, "ofx", 2])
    assert.deepEqual([first.data.balance_check, first.data.closing_balance], ["unavailable", "109.00"])
    assert.deepEqual([first.data.credits.sum, first.data.debits.sum], ["10.00", "-1.00"])
    assert.equal((await upload(account, ofx("007547034", { memo: "again" }))).data.duplicates, 2)
    assert.equal((await upload(account, ofx("111222333"))).body.code, "account_mismatch")
    assert.match((await upload(account, ofx("007547034", { foreign: "USD" }))).body.message, /a line in USD/)
    const other = await upload(account, table(["2026-01-05", "10,00"], ["2026-01-06", "-1,00"]))
    assert.deepEqual(other.body.details, { lines: 2, twins: 2, formats: ["ofx"] })
    assert.equal((await lines()).length, 2)
  })

  it("uses the number in the first statement of an account without IBAN, and requires it afterwards", async () => {
    const { books, upload } = await opened()
    const account = await openAccount(app, books.id, { iban: null })
    assert.equal((await upload(account, named("BE71096123456769"))).data.imported, 1)
    assert.equal((await books.made("GET", `/bank-accounts/${account}`)).iban, "BE71096123456769")
    assert.equal((await upload(account, named("NL91ABNA0417164300"))).body.code, "account_mismatch")
    const second = await openAccount(app, books.id, { iban: null })
    assert.equal((await upload(second, named("BE71096123456769"))).body.code, "account_mismatch")
    assert.equal((await books.made("GET", `/bank-accounts/${second}`)).iban, null)
    assert.equal((await upload(second, ofx("111222333"))).status, 201)
    assert.equal((await books.made("GET", `/bank-accounts/${second}`)).account_number, "111222333")
    const third = await openAccount(app, books.id, { iban: null })
    assert.equal((await upload(third, ofx("111222333"))).body.code, "account_mismatch")
  })

  it("stores nothing of a table whose rows are all misread, so that it can be sent again with a mapping", async () => {
    const { account, lines, upload } = await opened()
    const text = "Date;Amount;Entered\nn/a;1,50;2026-01-05\nn/a;2,50;2026-01-06"
    const refused = await upload(account, text)
    assert.deepEqual([refused.status, refused.body.code, refused.body.details], [422, "invalid_statement", { line: 2 }])
    const mapping = JSON.stringify({ columns: { booking_date: "Entered" } })
    assert.equal((await upload(account, text, { mapping })).data.imported, 2)
    assert.equal((await lines()).length, 2)
  })
})
