import { assert, describe, it } from "vitest"
import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { isCoda, parseCoda } from "../../../src/banking/statements/formats/Coda.ts"
import { junk } from "../imports/Junk.ts"
import { codaStatement, type CodaMovement } from "./Coda.ts"

const parsed = (text: string) => Result.getOrThrow(parseCoda(text)).statements
const reasonOf = (text: string) =>
  Result.match(parseCoda(text), { onFailure: ({ message }) => message, onSuccess: () => "read" })
const amounts = (movements: ReadonlyArray<CodaMovement>) =>
  parsed(codaStatement(movements)).flatMap(({ lines }) => lines.map(({ amount }) => BigDecimal.format(amount)))

/**
 * Reads a statement with this account. The digit `structure`, the second character of the record of the first balance,
 * states the type of the account number.
 */
const accountOf = (structure: string, account: string) => {
  const text = codaStatement([{ amount: 1 }], { iban: account }).replace(/^12/m, `1${structure}`)
  const [statement] = parsed(text)
  return [statement?.account, statement?.currency]
}

/** Reads a movement with this reference of the customer, and with structured information about the payer. */
const withReference = (reference: string) => {
  const records = codaStatement([{ amount: 1, communication: "Rent", account: "BE71096123456769" }])
    .replace(/^(22.{61}).{35}/m, `$1${reference.padEnd(35)}`)
    .replace(/^(23.*)$/m, `$1\n${"31000100001REF".padEnd(39)}1001${"AMERICAN EXPRESS".padEnd(85)}`)
    .replace(/^(9.{15})000005/m, "$1000006")
  const [line] = parsed(records)[0]?.lines ?? []
  return [line?.reference, line?.counterparty_name, line?.remittance_text]
}

describe("parseCoda", () => {
  it("reads account, balances, counterparty and communication", () => {
    const text = codaStatement([
      {
        amount: 17_136,
        structured: true,
        communication: "101020260004222",
        name: "BETA BV",
        account: "BE71096123456769"
      },
      { amount: -2_500, communication: "Frais de gestion", entry: "060126" }
    ])
    assert.isTrue(isCoda(text))
    const [statement] = parsed(text)
    assert.strictEqual(statement?.account, "BE68539007547034")
    assert.strictEqual(BigDecimal.format(statement?.closing?.amount ?? BigDecimal.fromBigInt(0n)), "1146.36")
    const [credit, debit] = statement?.lines ?? []
    assert.strictEqual(credit?.reference, "020260004222")
    assert.strictEqual(credit?.counterparty_name, "BETA BV")
    assert.strictEqual(credit?.counterparty_iban, "BE71096123456769")
    assert.strictEqual(credit?.remittance_text, "")
    assert.strictEqual(debit?.remittance_text, "Frais de gestion")
    assert.strictEqual(debit?.booking_date, "2026-01-06")
    assert.strictEqual(debit?.bank_id, "001/2026/0002/0000")
  })

  it("joins a communication that continues in the middle of a word", () => {
    const communication = "x".repeat(60) + "y".repeat(60)
    const [statement] = parsed(codaStatement([{ amount: 1, communication, name: "A" }]))
    assert.strictEqual(statement?.lines[0]?.remittance_text, communication)
  })

  it("reads the shorter name of version 1, and does not read the address as communication", () => {
    const text = codaStatement([{ amount: 1, communication: "Rent", name: "BETA BV" }])
      .replace(/^(23.{71}).{52}/m, `$1${"Long Street 1".padEnd(26)}${"9000 Ghent".padEnd(26)}`)
      .replace(/2\r\n12/, "1\r\n12")
    const [line] = parsed(text)[0]?.lines ?? []
    assert.deepStrictEqual([line?.counterparty_name, line?.remittance_text], ["BETA BV", "Rent"])
  })

  it("uses the customer's reference if there is no structured one, and the name from structured information", () => {
    assert.deepStrictEqual(withReference("E2E-1"), ["E2E-1", "AMERICAN EXPRESS", "Rent"])
    for (const none of ["NOTPROVIDED", "0000", ""]) assert.deepStrictEqual(withReference(none)[0], null)
  })

  it("reads account numbers of every structure, Belgian or foreign, IBAN or not", () => {
    assert.deepStrictEqual(accountOf("0", "539007547034 EUR"), ["539007547034", "EUR"])
    assert.deepStrictEqual(accountOf("1", "12-345 678"), ["12345678", "EUR"])
    assert.deepStrictEqual(accountOf("2", "BE68539007547034"), ["BE68539007547034", "EUR"])
    assert.deepStrictEqual(accountOf("3", "FR7630006000011234567890189"), ["FR7630006000011234567890189", "EUR"])
  })

  it("reads structured communications as references only if they are valid, and others as text", () => {
    const codes = [
      "101020260004222",
      "102020260004222",
      "102020260004223",
      "100RF18539007547034",
      "100RF18539007547035",
      "107domiciliation",
      "127direct debit"
    ]
    const [statement] = parsed(
      codaStatement(codes.map((communication) => ({ amount: 1, structured: true, communication })))
    )
    assert.deepStrictEqual(
      statement?.lines.map(({ reference, remittance_text }) => [reference, remittance_text]),
      [
        ["020260004222", ""],
        ["020260004222", ""],
        [null, "020260004223"],
        ["RF18539007547034", ""],
        [null, "RF18539007547035"],
        [null, "domiciliation"],
        [null, "direct debit"]
      ]
    )
  })

  it("books either a total or its details, never both", () => {
    const total = { amount: 300, kind: "1", sequence: 1 }
    assert.deepStrictEqual(
      amounts([
        total,
        { amount: 100, detail: 1, kind: "5", sequence: 1 },
        { amount: 200, detail: 2, kind: "5", sequence: 1 }
      ]),
      ["1", "2"]
    )
    assert.deepStrictEqual(amounts([total, { amount: 100, detail: 1, kind: "5", sequence: 1 }]), ["3"])
    assert.deepStrictEqual(
      amounts([
        { ...total, kind: "3" },
        { amount: 300, detail: 1, kind: "7", sequence: 1 }
      ]),
      ["3"]
    )
  })

  it("reads several statements in one file", () => {
    const text = [codaStatement([{ amount: 1 }]), codaStatement([{ amount: 2 }], { number: 2, currency: "USD" })].join(
      "\n"
    )
    assert.deepStrictEqual(
      parsed(text).map(({ currency, lines }) => `${currency} ${lines.length}`),
      ["EUR 1", "USD 1"]
    )
  })

  it("refuses a file that contradicts itself, and names the line", () => {
    const two = codaStatement([{ amount: 1 }]).replace(/^8001BE68539007547034/m, "8001BE71096123456769")
    assert.match(reasonOf(two), /balances are of two accounts \(line 4\)/)
    assert.match(reasonOf(codaStatement([{ amount: 1 }], { records: 9 })), /counts 9 records and has 3/)
    assert.match(
      reasonOf(codaStatement([{ amount: 1 }]).replace("0150000", "015000")),
      /127 characters instead of 128 \(line 3\)/
    )
    const lines = codaStatement([{ amount: 1 }]).split("\r\n")
    assert.match(reasonOf(lines.slice(0, -1).join("\n")), /no end/)
    assert.match(reasonOf(lines.slice(1).join("\n")), /outside of any statement/)
    assert.match(reasonOf([...lines.slice(0, 1), ...lines].join("\n")), /before the last one ended/)
  })

  it("uses the value date of a movement without an entry date, else the date of the new balance", () => {
    const dates = (text: string) => parsed(text).flatMap(({ lines }) => lines.map(({ booking_date }) => booking_date))
    const dated = codaStatement([{ amount: 1, entry: "040126" }])
    assert.deepStrictEqual(dates(dated.replace(/040126(?=.{12}$)/m, "000000")), ["2026-01-04"])
    const undated = codaStatement([{ amount: 1, entry: "000000" }])
    assert.deepStrictEqual(dates(undated), [parsed(undated)[0]?.closing?.date])
  })

  it("ignores the character that ends a file of MS-DOS", () => {
    assert.strictEqual(parsed(`${codaStatement([{ amount: 1 }])}\r\n\u001a`).length, 1)
  })

  it("reads a blank account structure as a Belgian account number", () => {
    const old = codaStatement([{ amount: 1 }], { iban: "539007547034 EUR" }).replace(/^12/m, "1 ")
    assert.strictEqual(parsed(old)[0]?.account, "539007547034")
  })

  it("books any movements that lead from the old balance to the new one", () => {
    const movement = fc.record({
      amount: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      communication: fc.stringMatching(/^[a-z ]{0,149}$/)
    })
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 20 }), fc.integer({ min: -1e9, max: 1e9 }), (movements, opening) => {
        const [statement] = parsed(codaStatement(movements, { opening }))
        assert.strictEqual(statement?.lines.length, movements.length)
      })
    )
  })

  it("gives lines or a reason for any text", () => {
    const whole = codaStatement([{ amount: 5, name: "Someone" }])
    fc.assert(
      fc.property(fc.nat(whole.length), junk(), (at, text) => {
        const read = parseCoda(whole.slice(0, at) + text + whole.slice(at + text.length))
        if (Result.isFailure(read)) assert.match(read.failure.message, /\w.*\.$/)
        else assert.isNotEmpty(read.success.statements.flatMap(({ lines }) => lines))
      })
    )
  })
})
