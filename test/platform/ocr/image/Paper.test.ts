import { describe, expect, it } from "vitest"
import type { GrayImage } from "../../../../src/platform/ocr/image/GrayImage.ts"
import { paperArea } from "../../../../src/platform/ocr/image/Paper.ts"

const [width, height] = [400, 600]
const [table, paper, shade, ink] = [90, 230, 100, 20]

const letter_lines = (top: number, bottom: number) =>
  Array.from({ length: Math.floor((bottom - top) / 24) }, (_, line) => top + line * 24)

/** A sheet whose lower part is in the shade and as dark as the table. */
const photo = (printedTo: number): GrayImage => {
  const pixels = new Uint8Array(width * height).fill(table)
  const box = (left: number, top: number, right: number, bottom: number, value: number) => {
    for (let y = top; y < bottom; y++) pixels.fill(value, y * width + left, y * width + right)
  }
  box(80, 60, 320, 300, paper)
  box(80, 300, 320, 540, shade)
  for (const y of letter_lines(80, printedTo)) {
    for (let x = 100; x < 300; x += 9) box(x, y, x + 6, y + 10, ink)
  }
  return { width, height, pixels }
}

describe("paperArea", () => {
  it("finds the sheet on the table", () => {
    const area = paperArea(photo(280), 1, { width, height, pixels: new Uint8Array() })
    expect(area).toEqual({ left: 74, top: 54, width: 252, height: 252 })
  })

  it("cuts nothing off when half of the text is in the shade", () => {
    expect(paperArea(photo(520), 1, { width, height, pixels: new Uint8Array() })).toBeUndefined()
  })
})
