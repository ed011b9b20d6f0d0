import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { paymentReference } from "../../../src/billing/numbering/PaymentReference.ts"
import { CountryCode } from "../../../src/kernel/Country.ts"
import { isCreditorReference, isStructuredCommunication } from "./CheckDigits.ts"

const belgium = CountryCode.make("BE")
const france = CountryCode.make("FR")

describe("paymentReference", () => {
  it("is a structured communication in Belgium", () => {
    assert.strictEqual(paymentReference(belgium, "INV-2026-0042", 2026, 42), "+++020/2600/04222+++")
  })

  it("is an ISO 11649 reference of the number elsewhere", () => {
    assert.strictEqual(paymentReference(france, "INV-2026-0042", 2026, 42), "RF73INV20260042")
    assert.strictEqual(paymentReference(france, "inv-2026-0042", 2026, 42), "RF73INV20260042")
  })

  it("falls back to year and sequence when the number does not fit", () => {
    const reference = paymentReference(france, "A-VERY-LONG-PREFIX-2026-00042", 2026, 42)
    assert.match(reference, /^RF\d\d202642$/)
    assert.isTrue(isCreditorReference(reference))
  })

  it("writes 97 when nothing remains", () => {
    const zeros = Array.from({ length: 97 }, (_, index) => paymentReference(belgium, "", 2026, index + 1))
    assert.isTrue(zeros.some((reference) => reference.endsWith("97+++")))
    assert.isTrue(zeros.every(isStructuredCommunication))
  })

  it("has valid check digits for any invoice, beyond 99,999 and beyond 999,999 a year too", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1900, max: 9999 }), (sequence, year) => {
        const number = `F${year}/${sequence}`
        const belgian = paymentReference(belgium, number, year, sequence)
        assert.isTrue(sequence <= 999_999 ? isStructuredCommunication(belgian) : isCreditorReference(belgian))
        assert.isTrue(isCreditorReference(paymentReference(france, number, year, sequence)))
      })
    )
  })

  it("never gives two invoices of an organization one Belgian reference", () => {
    const sequences = [1, 9, 10, 99_999, 100_000, 100_001, 999_999]
    const references = [2025, 2026].flatMap((year) =>
      sequences.map((sequence) => paymentReference(belgium, "", year, sequence))
    )
    assert.strictEqual(new Set(references).size, references.length)
  })
})
