import { describe, expect, it } from "vitest"
import { verdictsOf } from "../../../scripts/bench/ocr/RealReadings.ts"

const verdictOf = (field: "amount" | "vendor", found: string, label: string) => {
  const truth = { amount: "1.00", expense_date: "2026-02-27", currency: "EUR", vendor: "Dupont", tax_rates: [] }
  const hints = { country: "BE", currency: "EUR", language: "en", today: "2026-03-20", own_names: [] }
  const receipt = { name: "", path: "", country: "BE", hints, truth: { ...truth, [field]: label } }
  return verdictsOf(
    { ...receipt, truth: { reference: "1", payment_method: "cash", ...receipt.truth } },
    {
      status: "done",
      fields: { [field]: found }
    }
  )[field]
}

describe("the judge of real receipts", () => {
  it.each([
    ["one row of the label", "Panda Express", "Store#0208\nPandaExpress", "right"],
    ["a row that greets", "Safeway", "WELCOMETOSAFEWAY!\nStore12", "right"],
    ["the company of a brand", "Toom Baumarkt GmbH", "toom", "right"],
    ["another company that begins like the brand", "Rossmann GmbH", "ross", "wrong"],
    ["a part of the name in another row", "GREEK", "THEREAL\nGREEK\nTheRealGreekHoxton", "wrong"],
    ["a kind of shop", "Restaurant", "Restaurant\nWindmillFamily", "wrong"]
  ])("judges %s as a vendor", (_, found, label, verdict) => {
    expect(verdictOf("vendor", found, label)).toBe(verdict)
  })

  it.each([
    ["the amount paid where the label states the total before cash rounding", "17.20", "17.22", "right"],
    ["the total where the label states the amount paid", "17.22", "17.20", "wrong"],
    ["an amount further away", "17.20", "17.23", "wrong"]
  ])("judges %s", (_, found, label, verdict) => {
    expect(verdictOf("amount", found, label)).toBe(verdict)
  })
})
