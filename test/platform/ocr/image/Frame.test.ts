import { describe, expect, it } from "vitest"
import { withoutFrame } from "../../../../src/platform/ocr/image/Frame.ts"
import type { GrayImage } from "../../../../src/platform/ocr/image/GrayImage.ts"

const width = 200
const height = 300

type Box = readonly [left: number, top: number, right: number, bottom: number]

const page = (...boxes: ReadonlyArray<Box>): GrayImage => {
  const pixels = new Uint8Array(width * height).fill(255)
  for (const [left, top, right, bottom] of boxes) {
    for (let y = top; y < bottom; y++) pixels.fill(0, y * width + left, y * width + right)
  }
  return { width, height, pixels }
}

const dark = ({ pixels }: GrayImage): number => pixels.filter((value) => value < 128).length

const letters: ReadonlyArray<Box> = [
  [60, 80, 68, 100],
  [72, 80, 80, 100],
  [84, 80, 92, 100]
]
const frame: ReadonlyArray<Box> = [
  [10, 10, 190, 16],
  [10, 284, 190, 290],
  [10, 10, 16, 290],
  [184, 10, 190, 290]
]

describe("withoutFrame", () => {
  it("leaves the letters inside a frame, and nothing of the frame", () => {
    expect(withoutFrame(page(...frame, ...letters))).toEqual(page(...letters))
  })

  it("removes the line that the edge of a table leaves along one side", () => {
    expect(withoutFrame(page([0, 0, 6, 300], ...letters))).toEqual(page(...letters))
  })

  it("keeps a dark box with light letters, however wide", () => {
    const box = page([10, 60, 190, 90], ...letters.map((letter): Box => [letter[0], 120, letter[2], 140]))
    expect(withoutFrame(box)).toEqual(box)
  })

  it("keeps a page that has no frame as it is", () => {
    const plain = page(...letters, [20, 200, 60, 204])
    expect(withoutFrame(plain)).toEqual(plain)
    expect(dark(withoutFrame(plain))).toBe(3 * 8 * 20 + 40 * 4)
  })

  it("can process a page that is all ink", () => {
    expect(dark(withoutFrame(page([0, 0, width, height])))).toBe(width * height)
  })
})
