import { BigDecimal, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ExpenseFacts } from "../../../../src/expenses/Expense.ts"
import { type EarlierExpense, remembered } from "../../../../src/expenses/receipts/memory/VendorMemory.ts"
import type { ExtractedFields } from "../../../../src/expenses/receipts/records/Extraction.ts"
import type { ReadingTrace } from "../../../../src/expenses/receipts/records/ReadingTrace.ts"
import { lunch } from "../FakeReader.ts"

const traceOf = (vendor_keys: ReadonlyArray<string>, figures: ReadingTrace["figures"] = []): ReadingTrace => ({
  vendor_keys,
  figures,
  pages: [],
  places: []
})

const decodeId = Schema.decodeUnknownSync(ExpenseFacts.fields.id)
const decodeCurrency = Schema.decodeUnknownSync(ExpenseFacts.fields.currency)
const amountOf = BigDecimal.fromStringUnsafe

const rowOf = (rate: string) => ({ rate: amountOf(rate), taxable_amount: amountOf("1"), tax_amount: amountOf("1") })

interface Told {
  readonly id?: number
  readonly vendor?: string | null
  readonly category?: string
  readonly amount?: string
  readonly rates?: ReadonlyArray<string>
  readonly is_part?: boolean
  readonly keys?: ReadonlyArray<string>
  readonly proposed?: ExtractedFields
  readonly figures?: ReadingTrace["figures"]
}

const earlier = ({ amount = "50.00", figures, rates = [], ...told }: Told = {}): EarlierExpense => ({
  id: decodeId(told.id ?? 12),
  vendor: told.vendor === undefined ? "Café Zürich" : told.vendor,
  category: told.category ?? "meals",
  amount: amountOf(amount),
  currency: decodeCurrency("EUR"),
  tax_rates: rates.map(rowOf),
  is_part: told.is_part ?? false,
  proposed: told.proposed ?? { vendor: "Café Zürich", category: "meals", amount: "50.00" },
  trace: traceOf(told.keys ?? ["tax:123456789"], figures)
})

const reading = (fields: ExtractedFields, figures: ReadingTrace["figures"] = [], keys = ["tax:123456789"]) =>
  lunch({ fields, warnings: [], trace: traceOf(keys, figures) })

const figuresOf = (total: string, sum: string) => [
  { label: "summe", amount: total },
  { label: "zu zahlen", amount: sum }
]

const receipt = { vendor: "Cafe Zurich", category: "travel", amount: "118.40", currency: "EUR" }

describe("remembered", () => {
  it("changes nothing for a vendor without earlier expenses, or with the same values", () => {
    expect(remembered(reading(receipt), [])).toEqual(reading(receipt))
    const same = { ...receipt, vendor: "Café Zürich", category: "meals" }
    expect(remembered(reading(same), [earlier()])).toEqual(reading(same))
  })

  it("uses name and category of the vendor's last expense, and says so", () => {
    const older = earlier({ id: 11, vendor: "Zürich AG", proposed: { vendor: "Zürich AG", category: "meals" } })
    const { fields, warnings } = remembered(reading(receipt), [earlier(), older])
    expect(fields).toMatchObject({ vendor: "Café Zürich", category: "meals" })
    expect(warnings).toEqual([
      "vendor is that of expense 12, whose receipt has the same tax number",
      "category is that of expense 12, whose receipt has the same tax number"
    ])
  })

  it("prefers an expense that corrected its proposal to a later one that accepted it", () => {
    const accepted = earlier({ id: 13, category: "travel", proposed: { vendor: "Café Zürich", category: "travel" } })
    const corrected = earlier({ id: 12, category: "meals", proposed: { vendor: "Café Zürich", category: "travel" } })
    expect(remembered(reading(receipt), [accepted, corrected]).fields.category).toBe("meals")
  })

  it("learns nothing from an accepted default, but learns from a chosen one", () => {
    const accepted = earlier({ category: "other", proposed: { vendor: "Café Zürich" } })
    expect(remembered(reading(receipt), [accepted]).fields.category).toBe("travel")
    const chosen = earlier({ category: "other", proposed: { vendor: "Café Zürich", category: "travel" } })
    expect(remembered(reading(receipt), [chosen]).fields.category).toBe("other")
  })

  it("ignores a number that three vendors share, and a name that does not resemble the recorded one", () => {
    const shared = ["Alpha", "Beta", "Gamma"].map((vendor, index) => earlier({ id: 20 - index, vendor }))
    expect(remembered(reading(receipt), shared).fields).toEqual(receipt)
    const misnamed = earlier({ vendor: "Lidl", keys: ["name:kassenbon"] })
    expect(remembered(reading(receipt, [], ["name:kassenbon"]), [misnamed]).fields).toEqual(receipt)
    const nameless = earlier({ vendor: null, keys: ["name:kassenbon"] })
    expect(remembered(reading(receipt, [], ["name:kassenbon"]), [nameless]).fields).toEqual(receipt)
    const misspelled = earlier({ keys: ["name:cafezurlch"] })
    expect(remembered(reading(receipt, [], ["name:cafezurlch"]), [misspelled]).fields.vendor).toBe("Café Zürich")
  })

  it("ignores a name that three vendors share, and one that is only a small part of the recorded one", () => {
    const keys = ["name:cafezurich"]
    const shared = ["Café Zürich", "Cafe Zurich AG", "Café Zürich Nord"].map((vendor, index) =>
      earlier({ id: 20 - index, vendor, keys })
    )
    expect(remembered(reading(receipt, [], keys), shared).fields).toEqual(receipt)
    const street = earlier({ vendor: "Hauptstrasse Apotheke Dr. Meier", keys: ["name:hauptstrasse"] })
    expect(remembered(reading(receipt, [], ["name:hauptstrasse"]), [street]).fields).toEqual(receipt)
    const brand = earlier({ vendor: "Lidl", keys: ["name:lidlbelgiumgmbhcokg"] })
    expect(remembered(reading(receipt, [], ["name:lidlbelgiumgmbhcokg"]), [brand]).fields.vendor).toBe("Lidl")
  })

  it("prefers the vendor with the same tax number to later ones with only the same account, telephone or name", () => {
    const keys = ["tax:123456789", "iban:BE68539007547034", "phone:12345678", "name:alphabank"]
    const weaker = ["name:alphabank", "phone:12345678", "iban:BE68539007547034"].map((key, at) =>
      earlier({ id: 30 - at, vendor: "Alpha Bank", category: "fees", keys: [key] })
    )
    const read = reading({ ...receipt, vendor: "Cafe Zurch" }, [], keys)
    const { fields, warnings } = remembered(read, [...weaker, earlier()])
    expect(fields).toMatchObject({ vendor: "Café Zürich", category: "meals" })
    expect(warnings[0]).toBe("vendor is that of expense 12, whose receipt has the same tax number")
  })

  it("takes a number that two vendors share only for the one whose name is printed", () => {
    const keys = ["phone:12345678"]
    const alpha = earlier({ id: 13, vendor: "Alpha", proposed: { vendor: "Alpha" }, category: "fees", keys })
    const zurich = earlier({ id: 12, keys })
    expect(remembered(reading(receipt, [], keys), [alpha, zurich]).fields).toMatchObject({
      vendor: "Café Zürich",
      category: "meals"
    })
    const other = { ...receipt, vendor: "Beta" }
    expect(remembered(reading(other, [], keys), [alpha, zurich]).fields).toEqual(other)
    const renamed = earlier({ id: 11, vendor: "Beta Holding", proposed: { vendor: "Beta GmbH" }, keys })
    const printed = { ...receipt, vendor: "Beta GmbH" }
    expect(remembered(reading(printed, [], keys), [alpha, renamed]).fields.vendor).toBe("Beta Holding")
  })

  it.each([null, " ", "Lidl Belgium GmbH"])("does not count the vendor %j as another one than Lidl", (vendor) => {
    const [misread, lidl] = [{ ...receipt, vendor: "Kassenbon" }, earlier({ id: 13, vendor: "Lidl" })]
    const { fields } = remembered(reading(misread), [lidl, earlier({ vendor })])
    expect(fields).toMatchObject({ vendor: "Lidl", category: "meals" })
    const other = earlier({ vendor: "Aldi" })
    expect(remembered(reading(misread), [lidl, earlier({ vendor }), other]).fields).toEqual(misread)
  })

  it("copies the category of a known number's expense without vendor", () => {
    const [misread, nameless] = [{ ...receipt, vendor: "Kassenbon" }, earlier({ vendor: null })]
    expect(remembered(reading(misread), [nameless]).fields).toEqual({ ...misread, category: "meals" })
  })

  it("leaves the exact name of an electronic invoice, and adds the category", () => {
    const exact = { ...reading(receipt), source: "embedded" as const }
    expect(remembered(exact, [earlier()]).fields).toEqual({ ...receipt, category: "meals" })
  })

  describe("the rate", () => {
    const figures = [{ label: "mwst", amount: "20.55" }]

    it("is that of the earlier expense if the receipt prints the tax that follows from it", () => {
      const { fields, warnings } = remembered(reading(receipt, figures), [earlier({ rates: ["21"] })])
      expect(fields).toMatchObject({
        tax_amount: "20.55",
        tax_rates: [{ rate: "21", taxable_amount: "97.85", tax_amount: "20.55" }]
      })
      expect(warnings).toContain("tax rate is that of expense 12, whose receipt has the same tax number")
    })

    it.each([
      ["the receipt prints another tax", { ...receipt }, [{ label: "mwst", amount: "20.00" }], ["21"], false],
      ["the earlier expense has two rates", { ...receipt }, figures, ["21", "6"], false],
      ["the earlier expense is a part of its receipt", { ...receipt }, figures, ["21"], true],
      ["the reading has found the taxes", { ...receipt, tax_amount: "0.00" }, figures, ["21"], false]
    ])("is left out if %s", (_, fields, figures, rates, is_part) => {
      expect(remembered(reading(fields, figures), [earlier({ rates, is_part })]).fields.tax_rates).toBeUndefined()
    })
  })

  describe("the label of the total", () => {
    const corrected = earlier({ amount: "45.00", figures: figuresOf("50.00", "45.00") })
    const done = { status: "done", confidence: { overall: 0.95, amount: 0.95 } } as const

    it("marks the amount when the mistake of the corrected reading recurs, which a person reviews", () => {
      const read = { ...reading({ ...receipt, tax_amount: "20.55" }, figuresOf("118.40", "108.40")), ...done }
      const { candidates, confidence, fields, status, warnings } = remembered(read, [corrected])
      expect([status, fields.amount, fields.tax_amount]).toEqual(["needs_review", "108.40", undefined])
      expect(confidence).toMatchObject({ overall: 0.5, amount: 0.5 })
      expect(candidates.amount?.map(({ value }) => value)).toEqual(["108.40", "118.40", "97.85"])
      expect(warnings).toContain("the label of the amount is that of expense 12, whose receipt has the same tax number")
    })

    it.each([
      ["the reading chose that label", figuresOf("128.40", "118.40")],
      ["the label stands at two amounts", [...figuresOf("118.40", "108.40"), { label: "zu zahlen", amount: "10.00" }]],
      ["the label is not on the receipt", [{ label: "summe", amount: "118.40" }]]
    ])("changes nothing if %s", (_, figures) => {
      const read = { ...reading(receipt, figures), ...done }
      expect(remembered(read, [corrected])).toMatchObject({ status: "done", fields: { amount: "118.40" } })
    })
  })
})
