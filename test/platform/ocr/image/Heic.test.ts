import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeImage, type GrayImage } from "../../../../src/platform/ocr/image/GrayImage.ts"
import { decodeHeic } from "../../../../src/platform/ocr/image/Heic.ts"
import { megapixelHeic } from "../../../support/files/HostileHeics.ts"
import { receiptHeic, receiptPhoto, short_lines } from "../../../support/files/PrintedReceipt.ts"

/** Maximum mean difference between two grey values (0 to 255): the compression is lossy. */
const difference_max = 3

const difference = (one: GrayImage, other: GrayImage): number =>
  one.pixels.reduce((sum, value, at) => sum + Math.abs(value - (other.pixels[at] ?? 0)), 0) / one.pixels.length

describe("decodeHeic", () => {
  it.live("decodes the original picture, upright", () =>
    Effect.gen(function* () {
      const photo = yield* receiptPhoto(3, short_lines)
      const [original, decoded] = yield* Effect.promise(() =>
        Promise.all([decodeImage(photo), decodeHeic(receiptHeic)])
      )
      assert.deepStrictEqual([decoded.width, decoded.height], [original.width, original.height])
      assert.isBelow(difference(decoded, original), difference_max)
    })
  )

  it.live("needs no more memory for four pictures of 45 megapixels than for one", () =>
    Effect.promise(async () => {
      await decodeHeic(megapixelHeic())
      const before = process.memoryUsage.rss()
      for (let times = 1; times < 4; times++) await decodeHeic(megapixelHeic())
      // The decoder needs 225 MB for each picture. The limit is lower than three times that, but leaves room for three
      // grey images of 45 MB, which may still wait to be garbage-collected.
      assert.isBelow(process.memoryUsage.rss() - before, 300_000_000)
    })
  )
})
