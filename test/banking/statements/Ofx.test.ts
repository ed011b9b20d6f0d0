import { assert, describe, it } from "vitest"
import { BigDecimal, Result } from "effect"
import { isOfx, parseOfx } from "../../../src/banking/statements/formats/Ofx.ts"

const iban = "BE68539007547034"
const header = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n"

const sgml = (elements: ReadonlyArray<readonly [string, string]>) =>
  `<STMTTRN>\r\n${elements.map(([name, text]) => `<${name}>${text}\r\n`).join("")}</STMTTRN>\r\n`

const paid = sgml([
  ["TRNTYPE", "CREDIT"],
  ["DTPOSTED", "20260116120000.000[+1:CET]"],
  ["TRNAMT", "+171.36"],
  ["FITID", "F-1"],
  ["CHECKNUM", "7"],
  ["NAME", "BETA &amp; CO"],
  ["MEMO", "INV-1 Caf\u00e9"]
])
const power = sgml([
  ["TRNTYPE", "DEBIT"],
  ["DTPOSTED", "20260117"],
  ["TRNAMT", "-90,5"],
  ["FITID", "F-2"],
  ["NAME", "POWER"]
])

const statement = (transactions: string, account = "539007547034") =>
  `<STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>539<ACCTID>${account}` +
  `<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260131\r\n${transactions}</BANKTRANLIST>` +
  "<LEDGERBAL><BALAMT>1080.86<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS>"
const file = (...statements: ReadonlyArray<string>) =>
  `${header}<OFX><BANKMSGSRSV1>${statements.join("")}</BANKMSGSRSV1></OFX>\r\n`

const read = (text: string) => Result.getOrThrow(parseOfx(text, { iban }))
const linesOf = (text: string) =>
  read(text).statements.flatMap(({ lines }) =>
    lines.map((line) => [
      line.booking_date,
      BigDecimal.format(line.amount),
      line.counterparty_name,
      line.remittance_text
    ])
  )
const reasonOf = (text: string) => Result.getOrThrow(Result.flip(parseOfx(text, { iban }))).message
const withAmount = (amount: string) => file(statement(paid.replace("+171.36", amount)))

describe("parseOfx", () => {
  it("reads OFX 1: signs as written, days of the bank, entities, and the balance of the ledger", () => {
    const text = file(statement(paid + power))
    assert.isTrue(isOfx(text))
    const [first] = read(text).statements
    assert.deepStrictEqual([first?.account, first?.currency, first?.opening], [iban, "EUR", null])
    const { amount = BigDecimal.fromBigInt(0n), date } = first?.closing ?? {}
    assert.deepStrictEqual([BigDecimal.format(amount), date], ["1080.86", "2026-01-31"])
    assert.deepStrictEqual(
      first?.lines.map(({ bank_id }) => bank_id),
      ["F-1", "F-2"]
    )
    assert.deepStrictEqual(linesOf(text), [
      ["2026-01-16", "171.36", "BETA & CO", "BETA & CO INV-1 Caf\u00e9 7"],
      ["2026-01-17", "-90.5", "POWER", "POWER"]
    ])
  })

  it("reads OFX 2 with end tags, empty elements, CDATA, the payee, a pending line, and a credit card", () => {
    const text =
      '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS>' +
      "<CCSTMTRS><CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>4111-1111</ACCTID></CCACCTFROM><BANKTRANLIST><DTSTART />" +
      "<STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20260116</DTPOSTED><TRNAMT>-5</TRNAMT><FITID>1</FITID>" +
      "<PAYEE><NAME>Shop</NAME><ADDR1>Street</ADDR1></PAYEE><MEMO> <![CDATA[A <B> & C]]> </MEMO></STMTTRN></BANKTRANLIST>" +
      "<BANKTRANLISTP><DTASOF>20260116</DTASOF><STMTTRNP><TRNAMT>-9</TRNAMT></STMTTRNP></BANKTRANLISTP>" +
      "<LEDGERBAL><BALAMT> </BALAMT><DTASOF>20260116</DTASOF></LEDGERBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>"
    const [card] = read(text).statements
    assert.deepStrictEqual([card?.account, card?.closing, card?.skipped_pending], ["41111111", null, 1])
    assert.deepStrictEqual(linesOf(text), [["2026-01-16", "-5", "Shop", "Shop A <B> & C"]])
  })

  it("reads several statements, and keeps another account's number", () => {
    const { statements } = read(file(statement(paid), statement(power, "000111222333")))
    assert.deepStrictEqual(
      statements.map(({ account, lines }) => [account, lines.length]),
      [
        [iban, 1],
        ["000111222333", 1]
      ]
    )
  })

  it("refuses amounts that can be read in two ways, and signs that contradict the types", () => {
    for (const amount of ["1,234", "1.200", "1.234,56", "1 234,56", "12.345", "171.36-", "", "1e3", "0".repeat(50)]) {
      assert.match(reasonOf(withAmount(amount)), /the amount .* \(line 8\)/, amount)
    }
    for (const amount of ["00171.3600", "171,36", "171.4", "+171"])
      assert.isTrue(Result.isSuccess(parseOfx(withAmount(amount), { iban })), amount)
    assert.match(reasonOf(withAmount("-171.36")), /every CREDIT has the sign of its opposite/)
    assert.match(reasonOf(file(statement(power.replace("-90,5", "90,5")))), /every DEBIT/)
  })

  it("refuses files whose lines may be lost or doubtful", () => {
    const text = file(statement(paid + power))
    assert.match(reasonOf(text.slice(0, text.indexOf("</BANKTRANLIST>"))), /OFX is not closed/)
    assert.match(reasonOf(text.replace("</STMTTRN>", "")), /outside of a list/)
    assert.match(reasonOf(text.replaceAll(/<(\/?)BANKTRANLIST>/g, "<$1BANKTRANLISX>")), /outside of a list/)
    assert.match(reasonOf(text.replaceAll(/<(\/?)STMTRS>/g, "<$1STMTRX>")), /outside of a statement/)
    assert.match(reasonOf(text.replace("<STMTTRN>", "<STMTTRN")), /a tag is malformed/)
    assert.match(reasonOf(text.replace("<FITID>F-1", "<FITID>F-1<TRNAMT>1")), /two elements TRNAMT/)
    assert.match(reasonOf(text.replace("<FITID>F-1", "<FITID>F-1</MEMO>")), /closed as MEMO/)
    assert.match(reasonOf(text.replace("<FITID>F-1", "<FITID>F-1<CORRECTFITID>F-0")), /corrects an earlier one/)
    assert.match(reasonOf(text.replace("20260117", "20260231")), /no valid day/)
    assert.match(reasonOf(text.replace("<CURDEF>EUR", "")), /no currency/)
    assert.match(reasonOf(text.replace("1080.86", "1,080.86")), /balance 1,080.86/)
    assert.match(reasonOf(text.replace("CHARSET:1252", "CHARSET:1251")), /character set is 1251/)
    assert.match(reasonOf(`${header}<OFX>${"<A>".repeat(100)}`), /nested more than 64 deep/)
    assert.match(reasonOf(`${header}<OFX></OFX>`), /no bank or credit card statement/)
  })
})
