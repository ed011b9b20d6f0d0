import { assert, describe, it } from "vitest"
import { BigDecimal, Option } from "effect"
import { epcPayload, qrSvg, type EpcTransfer } from "../../../src/billing/printing/EpcQr.ts"

const transfer = (changes: Partial<EpcTransfer> = {}): EpcTransfer => ({
  beneficiary: "Atelier Nord BV",
  iban: "BE71 0961 2345 6769",
  bic: "GKCCBEBB",
  amount: BigDecimal.fromStringUnsafe("171.36"),
  currency: "EUR",
  reference: "RF73INV20260042",
  ...changes
})
const amount = (text: string) => transfer({ amount: BigDecimal.fromStringUnsafe(text) })
const linesOf = (changes: Partial<EpcTransfer>) => Option.getOrThrow(epcPayload(transfer(changes))).split("\n")

describe("epcPayload", () => {
  it("is the standard's lines in order, with an ISO 11649 reference in the structured field", () => {
    assert.deepStrictEqual(linesOf({}), [
      "BCD",
      "002",
      "1",
      "SCT",
      "GKCCBEBB",
      "Atelier Nord BV",
      "BE71096123456769",
      "EUR171.36",
      "",
      "RF73INV20260042"
    ])
  })

  it("puts any other reference in the free text and works without a BIC", () => {
    const lines = linesOf({ reference: "+++020/2600/04222+++", bic: null })
    assert.deepStrictEqual(lines.slice(4), [
      "",
      "Atelier Nord BV",
      "BE71096123456769",
      "EUR171.36",
      "",
      "",
      "+++020/2600/04222+++"
    ])
  })

  it("lets no text add a line, and cuts names at 70 characters without halving one", () => {
    const lines = linesOf({ beneficiary: `A\nB${"é".repeat(66)}🧾🧾`, reference: "1\r\n2" })
    assert.strictEqual(lines[5], `A B${"é".repeat(66)}🧾`)
    assert.strictEqual(lines[10], "1 2")
  })

  it("is none for another currency, for nothing to pay, and beyond the standard's limits", () => {
    const refused = [transfer({ currency: "USD" }), amount("0"), amount("-1"), amount("1000000000.00")]
    refused.push(transfer({ beneficiary: "東".repeat(70), reference: "京".repeat(140) }))
    for (const each of refused) assert.isTrue(Option.isNone(epcPayload(each)))
    assert.isTrue(Option.isSome(epcPayload(amount("999999999.99"))))
  })
})

describe("qrSvg", () => {
  it("fits the longest payload into version 13, 69 modules wide", () => {
    assert.include(qrSvg("x".repeat(331)), 'viewBox="0 0 69 69"')
  })
})
