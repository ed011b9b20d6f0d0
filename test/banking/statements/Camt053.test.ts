import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import * as fc from "fast-check"
import { parseCamt053 } from "../../../src/banking/statements/formats/Camt053.ts"
import { junk } from "../imports/Junk.ts"
import { camt, entry, type Tag, tag } from "./Camt.ts"

const linesOf = (text: string) =>
  Effect.map(parseCamt053(text), ({ statements }) => statements.flatMap(({ lines }) => [...lines]))
const amountsOf = (text: string) =>
  Effect.map(linesOf(text), (lines) => lines.map(({ amount }) => BigDecimal.format(amount)))
const reasonOf = (text: string) => Effect.map(Effect.flip(parseCamt053(text)), ({ message }) => message)

const detail = (amount: string, ...more: ReadonlyArray<Tag>) =>
  tag("TxDtls", "", ...more, tag("AmtDtls", "", tag("TxAmt", "", tag("Amt", amount, { Ccy: "EUR" }))))

const party = (role: string, name: string, iban: string) =>
  tag(role, "", tag("Nm", name)) + tag(`${role}Acct`, "", tag("Id", "", tag("IBAN", iban)))
const nameOf = (...parts: ReadonlyArray<Tag>) => {
  const details = tag("NtryDtls", "", tag("TxDtls", "", tag("RltdPties", "", ...parts)))
  return Effect.map(linesOf(camt([entry("1.00", "CRDT", details)])), ([line]) => line?.counterparty_name)
}

const paidBy = (name: string, iban: string, id: string) =>
  detail("1.00", tag("Refs", "", tag("EndToEndId", id)), tag("RltdPties", "", party("Dbtr", name, iban)))
const batch = (...details: ReadonlyArray<Tag>) => camt([entry("3.00", "CRDT", tag("NtryDtls", "", ...details))])

describe("parseCamt053", () => {
  it.effect("reads account, balances, party, remittance and reference, in every version and with any prefix", () =>
    Effect.gen(function* () {
      const details = tag(
        "NtryDtls",
        "",
        tag(
          "TxDtls",
          "",
          tag("Refs", "", tag("AcctSvcrRef", "S-1")),
          tag(
            "RltdPties",
            "",
            tag("Dbtr", "", tag("Pty", "", tag("Nm", "Beta & Co"))),
            tag("DbtrAcct", "", tag("Id", "", tag("IBAN", "BE71096123456769")))
          ),
          tag(
            "RmtInf",
            "",
            tag("Ustrd", "Invoice  INV-1"),
            tag("Strd", "", tag("CdtrRefInf", "", tag("Ref", "RF18539007547034")))
          )
        )
      )
      for (const version of ["02", "08", "13"]) {
        const text = camt([entry("171.36", "CRDT", details)], { version, opening: "1000.00", closing: "1171.36" })
        const prefixed = text.replaceAll(/<(\/?)(?=[A-Z])/g, "<$1n:").replace("xmlns=", "xmlns:n=")
        for (const spelling of [text, prefixed]) {
          const [statement] = (yield* parseCamt053(spelling)).statements
          assert.strictEqual(statement?.account, "BE68539007547034")
          assert.strictEqual(statement?.opening?.date, "2026-01-01")
          const [line] = statement?.lines ?? []
          assert.strictEqual(line?.counterparty_name, "Beta & Co")
          assert.strictEqual(line?.counterparty_iban, "BE71096123456769")
          assert.strictEqual(line?.remittance_text, "Invoice INV-1 RF18539007547034")
          assert.strictEqual(line?.reference, "RF18539007547034")
          assert.strictEqual(line?.bank_id, "S-1")
        }
      }
    })
  )

  it.effect("splits a batch whose details add up, and keeps any other batch as one line", () =>
    Effect.gen(function* () {
      const whole = entry("3.00", "DBIT", tag("NtryDtls", "", detail("1.00"), detail("2.00")))
      assert.deepStrictEqual(yield* amountsOf(camt([whole])), ["-1", "-2"])
      const charged = entry("3.10", "DBIT", tag("NtryDtls", "", detail("1.00"), detail("2.00")))
      assert.deepStrictEqual(yield* amountsOf(camt([charged])), ["-3.1"])
      const foreign = whole.replaceAll('<Amt Ccy="EUR">1.00', '<Amt Ccy="USD">1.00')
      assert.deepStrictEqual(yield* amountsOf(camt([foreign])), ["-3"])
    })
  )

  it.effect("skips and counts entries that are not booked", () =>
    Effect.gen(function* () {
      const pending = entry("5.00", "CRDT").replace("BOOK", "PDNG")
      const [statement] = (yield* parseCamt053(camt([pending, entry("1.00", "CRDT")]))).statements
      assert.strictEqual(statement?.skipped_pending, 1)
      assert.strictEqual(statement?.lines.count, 1)
    })
  )

  it.effect("names no party for a batch in one line whose details have several parties", () =>
    Effect.gen(function* () {
      const beta = paidBy("Beta", "BE71096123456769", "E1")
      const [mixed] = yield* linesOf(batch(beta, paidBy("Gamma", "BE43068999999501", "E2")))
      assert.deepStrictEqual([mixed?.counterparty_name, mixed?.counterparty_iban, mixed?.reference], [null, null, null])
      const [one] = yield* linesOf(batch(beta, beta))
      assert.deepStrictEqual(
        [one?.counterparty_name, one?.counterparty_iban, one?.reference],
        ["Beta", "BE71096123456769", "E1"]
      )
    })
  )

  it.effect("uses the end-to-end reference if there is no structured one, and accepts a bank as a party", () =>
    Effect.gen(function* () {
      const bank = tag("Dbtr", "", tag("Agt", "", tag("FinInstnId", "", tag("Nm", "Bank of Beta"))))
      const reference = (end_to_end: string, ...more: ReadonlyArray<Tag>) => {
        const parts = [tag("Refs", "", tag("EndToEndId", end_to_end)), tag("RltdPties", "", bank), ...more]
        return Effect.map(
          linesOf(camt([entry("1.00", "CRDT", tag("NtryDtls", "", tag("TxDtls", "", ...parts)))])),
          ([line]) => [line?.reference, line?.counterparty_name]
        )
      }
      const structured = tag("RmtInf", "", tag("Strd", "", tag("CdtrRefInf", "", tag("Ref", "RF18539007547034"))))
      assert.deepStrictEqual(yield* reference("E1"), ["E1", "Bank of Beta"])
      assert.deepStrictEqual(yield* reference("NOTPROVIDED"), [null, "Bank of Beta"])
      assert.deepStrictEqual(yield* reference("E1", structured), ["RF18539007547034", "Bank of Beta"])
    })
  )

  it.effect("refuses an unknown status and a balance that is neither credit nor debit", () =>
    Effect.gen(function* () {
      const good = camt([entry("1.00", "CRDT")], { opening: "1.00", closing: "2.00" })
      assert.match(yield* reasonOf(good.replace("BOOK", "BOKK")), /status of an entry is unknown/)
      const own = good.replace("<Sts>BOOK</Sts>", "<Sts><Prtry>WAITING</Prtry></Sts>")
      assert.match(yield* reasonOf(own), /status of an entry is unknown/)
      assert.match(yield* reasonOf(good.replace("CRDT", "CRD")), /balance OPBD is neither credit nor debit/)
    })
  )

  it.effect("keeps the direction of a reversal, whose parties are on the other side", () =>
    Effect.gen(function* () {
      const parties = tag("RltdPties", "", tag("Cdtr", "", tag("Nm", "Beta")), tag("Dbtr", "", tag("Nm", "We")))
      const reversal = entry("5.00", "CRDT", tag("RvslInd", "true"), tag("NtryDtls", "", tag("TxDtls", "", parties)))
      for (const closing of ["15.00", undefined]) {
        const text = camt([reversal], closing === undefined ? {} : { opening: "10.00", closing })
        assert.deepStrictEqual(yield* amountsOf(text), ["5"])
        assert.strictEqual((yield* linesOf(text))[0]?.counterparty_name, "Beta")
      }
    })
  )

  it.effect("uses the day of the closing balance for an entry without dates", () =>
    Effect.gen(function* () {
      const undated = entry("5.00", "CRDT").replace(/<BookgDt>.*?<\/BookgDt>/, "")
      const [line] = yield* linesOf(camt([undated], { opening: "10.00", closing: "15.00" }))
      assert.strictEqual(line?.booking_date, "2026-01-31")
      assert.match(yield* reasonOf(camt([undated])), /no date/)
    })
  )

  it.effect("reads an envelope, a file without namespace and a statement without Id", () =>
    Effect.gen(function* () {
      const text = camt([entry("1.00", "CRDT")])
      const document = text.slice(text.indexOf("<Document"))
      const wrapped = `<BizMsgEnvlp><AppHdr><Fr>x</Fr></AppHdr>${document}</BizMsgEnvlp>`
      const bare = document.replace(/ xmlns="[^"]*"/, "").replace("<Id>1</Id>", "")
      for (const file of [wrapped, bare]) assert.deepStrictEqual(yield* amountsOf(file), ["1"])
    })
  )

  it.effect("uses the ultimate debtor if there is no debtor, and never the party of the own account", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* nameOf(tag("UltmtDbtr", "", tag("Nm", "Gamma"))), "Gamma")
      const swapped = [party("Dbtr", "We", "BE68539007547034"), party("Cdtr", "Beta", "BE71096123456769")]
      assert.strictEqual(yield* nameOf(...swapped), "Beta")
    })
  )

  it.effect("names the type of another ISO 20022 message", () =>
    Effect.gen(function* () {
      const as = (name: string) => reasonOf(camt([]).replaceAll("BkToCstmrStmt", name))
      assert.match(yield* as("BkToCstmrAcctRpt"), /camt\.052/)
      assert.match(yield* as("BkToCstmrDbtCdtNtfctn"), /camt\.054/)
      assert.match(yield* as("CstmrCdtTrfInitn"), /pain\.001/)
      assert.match(yield* reasonOf("<html><body></body></html>"), /without a camt\.053 statement/)
    })
  )

  it.effect("refuses a DTD, malformed XML, deep or huge elements, and entries without amount", () =>
    Effect.gen(function* () {
      const good = camt([entry("1.00", "CRDT")])
      const bomb = `<!DOCTYPE a [<!ENTITY b "c">]>${good}`
      assert.match(yield* reasonOf(bomb), /document type declaration/)
      assert.match(yield* reasonOf(good.slice(0, -20)), /not well-formed/)
      assert.match(yield* reasonOf(good.replace("<Ntry>", `<Ntry>${"<a>".repeat(100)}`)), /not well-formed/)
      assert.match(yield* reasonOf(good.replace("<Ntry>", `<Ntry><a>${"x".repeat(200_000)}</a>`)), /not well-formed/)
      const second = camt([entry("1.00", "CRDT"), entry("2,00", "CRDT")])
      assert.match(yield* reasonOf(second), /an entry has no amount in its currency \(entry 2\)/)
      assert.match(yield* reasonOf(good.replace("CRDT", "BOTH")), /neither credit nor debit/)
      assert.match(yield* reasonOf(good.replaceAll("2026-01-05", "2026-02-30")), /not a date/)
      const dated = camt([entry("1.00", "CRDT", tag("ValDt", "", tag("Dt", "2026-01-06")))], { closing: "1.00" })
      assert.match(yield* reasonOf(dated.replace("2026-01-05", "2026-02-30")), /booking date of an entry is not a date/)
      assert.match(yield* reasonOf(dated.replace("2026-01-06", "2026-0-106")), /value date of an entry is not a date/)
    })
  )

  it("gives lines or a reason for any damaged file", () => {
    const whole = camt([entry("1.00", "CRDT", tag("NtryDtls", "", detail("1.00")))])
    fc.assert(
      fc.property(fc.nat(whole.length), junk(), (at, text) => {
        const damaged = whole.slice(0, at) + text + whole.slice(at + text.length)
        const exit = Effect.runSync(Effect.exit(Effect.orElseSucceed(parseCamt053(damaged), () => "refused")))
        assert.strictEqual(exit._tag, "Success")
      }),
      { numRuns: 60 }
    )
  })
})
