import { assert, constantFrom, integer, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { contrast, inkOn, readableOn } from "../../../src/platform/pages/BrandColor.ts"

const color = integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)
const papers = constantFrom("#ffffff", "#f3f5f8", "#1a222c")

describe("the colour of a brand", () => {
  it("is readable as text on every background of ours, and under the ink of a button", () => {
    assert(
      property(color, papers, (brand, paper) => {
        expect(contrast(readableOn(brand, paper), paper)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(inkOn(brand), brand)).toBeGreaterThanOrEqual(4.5)
      })
    )
  })

  it("is not changed if it is already readable", () => {
    expect(readableOn("#0b5c63", "#ffffff")).toBe("#0b5c63")
    expect(readableOn("#ffd400", "#ffffff")).not.toBe("#ffd400")
    expect(contrast("#000000", "#ffffff")).toBe(21)
  })

  it("keeps its hue when a dark colour becomes readable on a dark background", () => {
    const [red, , blue] = [1, 3, 5].map((at) => Number.parseInt(readableOn("#0b1b3f", "#1a222c").slice(at, at + 2), 16))
    expect((blue ?? 0) - (red ?? 0)).toBeGreaterThan(100)
  })
})
