import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import sharp from "sharp"
import { adaptiveThreshold, contrasted, flatten } from "../../../../src/platform/ocr/image/Binarization.ts"
import { components } from "../../../../src/platform/ocr/image/Components.ts"
import { decodeImage, rotate, thumbnail, type GrayImage } from "../../../../src/platform/ocr/image/GrayImage.ts"
import { paperArea } from "../../../../src/platform/ocr/image/Paper.ts"
import { prepare } from "../../../../src/platform/ocr/image/Preparation.ts"
import { skewDegrees } from "../../../../src/platform/ocr/image/Skew.ts"
import { textHeight } from "../../../../src/platform/ocr/image/TextHeight.ts"
import { receiptPhoto, receiptScan } from "../../../support/files/PrintedReceipt.ts"

const pixels_max = 6_000_000

const decoded = (picture: Effect.Effect<Buffer>) =>
  Effect.flatMap(picture, (bytes) => Effect.promise(() => decodeImage(bytes)))

const scan = decoded(receiptScan())

/** Darkens the image gradually from left to right, down to a third of its brightness. */
const shaded = ({ height, pixels, width }: GrayImage): GrayImage => ({
  width,
  height,
  pixels: pixels.map((value, at) => value * (1 - (0.67 * (at % width)) / width))
})

const shareOf = ({ pixels }: GrayImage, holds: (value: number) => boolean) =>
  pixels.reduce((count, value) => count + Number(holds(value)), 0) / pixels.length

const isBlack = (value: number) => value === 0
const isWhite = (value: number) => value > 220

/** Computes the threshold of each pixel directly from its definition. */
const slowThreshold = ({ height, pixels, width }: GrayImage): Uint8Array =>
  pixels.map((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    let [sum, count] = [0, 0]
    for (let row = Math.max(0, y - 15); row <= Math.min(height - 1, y + 15); row++) {
      for (let column = Math.max(0, x - 15); column <= Math.min(width - 1, x + 15); column++, count++) {
        sum += pixels[row * width + column] ?? 0
      }
    }
    return value * count < sum * 0.85 ? 0 : 255
  })

const images = fc
  .tuple(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 45 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((pixels): GrayImage => ({ width, height, pixels }))
  )

describe("adaptiveThreshold", () => {
  it("is black where a pixel is darker than the mean around it, at every size", () => {
    fc.assert(
      fc.property(images, (image) => {
        assert.deepStrictEqual([...adaptiveThreshold(image).pixels], [...slowThreshold(image)])
      }),
      { numRuns: 30 }
    )
  })

  it.effect("finds the same letters in light and in shadow", () =>
    Effect.gen(function* () {
      const page = yield* scan
      const light = shareOf(adaptiveThreshold(page), isBlack)
      assert.closeTo(shareOf(adaptiveThreshold(shaded(page)), isBlack), light, light * 0.1)
    })
  )
})

describe("contrasted", () => {
  it("makes ink black, and paper white with the pale print that shines through", () => {
    const [paper, pale, ink] = [Array(80).fill(250), Array(12).fill(215), Array(8).fill(40)]
    const { pixels } = contrasted({ width: 10, height: 10, pixels: Uint8Array.from([...paper, ...pale, ...ink]) })
    assert.deepStrictEqual([...pixels], [...Array(92).fill(255), ...Array(8).fill(0)])
  })
})

describe("flatten", () => {
  it.effect("makes the paper white and the print black whatever the light", () =>
    Effect.gen(function* () {
      const flat = flatten(shaded(yield* scan))
      assert.isAbove(shareOf(flat, isWhite), 0.85)
      assert.isAbove(shareOf(flat, isBlack), 0.005)
    })
  )

  it("keeps every picture's size and range", () => {
    fc.assert(
      fc.property(images, (image) => {
        assert.strictEqual(flatten(image).pixels.length, image.pixels.length)
      }),
      { numRuns: 50 }
    )
  })
})

describe("components", () => {
  it("joins pixels that touch, also at corners", () => {
    const picture = ["##..#", "...#.", "#....", "###.#", "....#"].join("")
    const found = components(
      Uint8Array.from(picture, (mark) => Number(mark === "#")),
      5,
      5,
      1
    )
    assert.deepStrictEqual(
      found.map(({ pixel_count }) => pixel_count).toSorted((a, b) => a - b),
      [2, 2, 2, 4]
    )
    assert.deepInclude(found, { left: 3, top: 0, right: 5, bottom: 2, pixel_count: 2 })
  })

  it("finds every pixel in one of them", () => {
    fc.assert(
      fc.property(images, ({ height, pixels, width }) => {
        const marks = pixels.map((value) => value & 1)
        const found = components(marks, width, height, 1)
        assert.strictEqual(
          found.reduce((sum, { pixel_count }) => sum + pixel_count, 0),
          marks.reduce((sum, value) => sum + value, 0)
        )
      })
    )
  })
})

describe("skewDegrees", () => {
  for (const degrees of [-5, -2.3, 0, 0.7, 4]) {
    it.effect(`measures ${degrees} degrees`, () =>
      Effect.gen(function* () {
        const page = yield* scan
        const turned = yield* Effect.promise(async () => thumbnail(await rotate(page, degrees), 1000))
        assert.closeTo(skewDegrees(adaptiveThreshold(turned)), degrees, 0.3)
      })
    )
  }

  it("treats an empty page as upright", () => {
    assert.strictEqual(skewDegrees({ width: 50, height: 50, pixels: new Uint8Array(2500).fill(255) }), 0)
  })
})

describe("paperArea", () => {
  it.effect("finds the sheet on the table", () =>
    Effect.gen(function* () {
      const photo = yield* decoded(receiptPhoto(2))
      const small = yield* Effect.promise(() => thumbnail(photo, 800))
      const area = paperArea(small, photo.width / small.width, photo)
      assert.isDefined(area)
      assert.closeTo(area?.left ?? 0, 300, 60)
      assert.closeTo(area?.top ?? 0, 220, 60)
      assert.closeTo((area?.left ?? 0) + (area?.width ?? 0), photo.width - 240, 60)
      assert.closeTo((area?.top ?? 0) + (area?.height ?? 0), photo.height - 260, 60)
    })
  )

  it.effect("does not crop a scan, which is all paper", () =>
    Effect.gen(function* () {
      const page = yield* scan
      const small = yield* Effect.promise(() => thumbnail(page, 800))
      assert.isUndefined(paperArea(small, page.width / small.width, page))
    })
  )
})

describe("prepare", () => {
  for (const width of [450, 900, 2400]) {
    it.effect(`makes letters of a picture ${width} pixels wide the size that is read best`, () =>
      Effect.gen(function* () {
        const picture = Effect.flatMap(receiptPhoto(2), (photo) =>
          Effect.promise(() => sharp(photo).resize(width).toBuffer())
        )
        const prepared = yield* Effect.flatMap(decoded(picture), (image) =>
          Effect.promise(() => prepare(image, pixels_max))
        )
        assert.closeTo(textHeight(adaptiveThreshold(prepared)) ?? 0, 26, 5)
      })
    )
  }

  it.effect("never makes more pixels than it may", () =>
    Effect.gen(function* () {
      const image = yield* scan
      const { height, width } = yield* Effect.promise(() => prepare(image, 200_000))
      assert.isAtMost(width * height, 202_000)
    })
  )
})
