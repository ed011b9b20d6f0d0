import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import { LineItem, LineItemFromRequest } from "../../../src/billing/lines/LineItem.ts"
import { price } from "../../../src/billing/lines/Totals.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"

const decode = Schema.decodeSync(LineItemFromRequest)
const line = { description: "Consulting", unit_price: 19.99 }
const refusal = (changes: Readonly<Record<string, unknown>>) =>
  Effect.runSync(Effect.flip(Schema.decodeEffect(LineItemFromRequest)({ ...line, ...changes }))).message

describe("LineItemFromRequest", () => {
  it("fills in fields that a client omits", () => {
    const { discount, quantity, unit_price, ...rest } = decode(line)
    assert.deepStrictEqual([quantity, unit_price, discount].map(BigDecimal.format), ["1", "19.99", "0"])
    assert.deepStrictEqual(rest, {
      description: "Consulting",
      unit: "C62",
      discount_type: "percent",
      tax_exempt: false,
      tax_rate_ids: [],
      tax_exemption_reason: null
    })
  })

  it("turns the usual names of units into UN/ECE codes and keeps codes", () => {
    const units = ["hour", "Day", "piece", "PCS", "kg", "KGM", "H87", "m²", "KW"].map(
      (unit) => decode({ ...line, unit }).unit
    )
    assert.deepStrictEqual(units, ["HUR", "DAY", "C62", "C62", "KGM", "KGM", "H87", "MTK", "KW"])
    assert.include(
      refusal({ unit: "lightyear" }),
      "must be a UN/ECE Recommendation 20 unit code, or a name such as hour, pcs or kg."
    )
  })

  it("allows a negative unit price for a rebate line", () => {
    assert.isTrue(BigDecimal.isNegative(decode({ ...line, unit_price: "-5.00" }).unit_price))
  })

  it("refuses a quantity of zero and more than six decimals", () => {
    assert.include(refusal({ quantity: 0 }), "must be greater than 0.")
    assert.include(refusal({ unit_price: "0.0000001" }), "may not have more than 6 decimal places.")
  })

  it("refuses an empty or overlong description and one without a price", () => {
    assert.include(refusal({ description: "  " }), "may not be empty.")
    assert.include(refusal({ description: "x".repeat(2001) }), "may not be longer than 2000 characters.")
    assert.include(refusal({ unit_price: undefined }), "must be a number.")
  })

  it("refuses a discount below zero or over 100 percent, but not an amount over 100", () => {
    assert.include(refusal({ discount: 100.01 }), 'may not be greater than 100.\n  at ["discount"]')
    assert.include(refusal({ discount: -1 }), "must be at least 0.")
    assert.strictEqual(BigDecimal.format(decode({ ...line, discount: 150, discount_type: "amount" }).discount), "150")
  })

  it("refuses tax rates on an exempt line, but not an empty list", () => {
    assert.include(
      refusal({ tax_exempt: true, tax_rate_ids: [3] }),
      'must be empty when tax_exempt is true.\n  at ["tax_rate_ids"]'
    )
    assert.isTrue(decode({ ...line, tax_exempt: true, tax_rate_ids: [], tax_exemption_reason: "AE" }).tax_exempt)
  })

  it("refuses rates without their ids, unless the line has no tax", () => {
    const tax_rates = [{ id: 3, name: "Reduced", rate: 6 }]
    assert.include(refusal({ tax_rates }), 'because only ids choose rates.\n  at ["tax_rate_ids"]')
    assert.deepStrictEqual(decode({ ...line, tax_rates, tax_rate_ids: [3] }), decode({ ...line, tax_rate_ids: [3] }))
    assert.deepStrictEqual(decode({ ...line, tax_rates, tax_rate_ids: [] }), decode(line))
    assert.isTrue(decode({ ...line, tax_rates, tax_exempt: true }).tax_exempt)
  })

  it("refuses a reason for no exemption, an unknown reason, and a rate named twice", () => {
    assert.include(refusal({ tax_exemption_reason: "K" }), "may only be given when tax_exempt is true.")
    assert.include(refusal({ tax_exempt: true, tax_exemption_reason: "S" }), "must be one of E, AE, K, G, O.")
    assert.include(refusal({ tax_rate_ids: [3, 3] }), "may not name a rate twice.")
  })
})

describe("the JSON of lines in a row", () => {
  const StoredLineItems = Schema.toCodecJson(Schema.toType(Schema.Array(LineItem)))

  it("keeps every digit of a price that a JSON number would lose", () => {
    const { tax_rate_ids: _, ...item } = decode({ ...line, quantity: "0.000001", unit_price: "123456789012.345678" })
    const { items } = price([{ ...item, tax_rates: [] }], CurrencyCode.make("EUR"))
    const stored: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(StoredLineItems)(items)))
    assert.deepInclude(Object(stored)[0], { unit_price: "123456789012.345678", line_total: "123456.79" })
    const read = Schema.decodeUnknownSync(StoredLineItems)(stored)
    assert.deepStrictEqual(
      Schema.encodeSync(Schema.Array(LineItem))(read),
      Schema.encodeSync(Schema.Array(LineItem))(items)
    )
    assert.strictEqual(BigDecimal.format(read[0]?.unit_price ?? BigDecimal.make(0n, 0)), "123456789012.345678")
  })
})
