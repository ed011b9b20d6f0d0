import { adaptiveThreshold, flatten, stretched } from "./image/Binarization.ts"
import { withoutFrame } from "./image/Frame.ts"
import { crop, resize, rotate, thumbnail, type GrayImage } from "./image/GrayImage.ts"
import { prepare } from "./image/Preparation.ts"
import type { Box, Line, ScannedPage } from "./engines/Reading.ts"
import type { Paddle } from "./engines/Paddle.ts"
import { segmentation, type Tesseract } from "./engines/Tesseract.ts"

/** Limits of the work spent on the pages of one document. */
export interface Effort {
  /** Maximum number of pages whose text layer is read. */
  readonly text_pages_max: number
  /** Maximum number of pages that are read as images. */
  readonly images_max: number
  readonly passes: 1 | 2
  readonly pixels_max: number
}

export const full_effort: Effort = { text_pages_max: 20, images_max: 3, passes: 2, pixels_max: 6_000_000 }
/** Limits of a second try, after the first one took too long or too much memory. */
export const small_effort: Effort = { text_pages_max: 1, images_max: 1, passes: 1, pixels_max: 4_000_000 }

export interface ReadPage {
  readonly page: ScannedPage
  /** The image to which the boxes of the words refer. */
  readonly image: GrayImage
}

export interface Engines {
  /** PaddleOCR; undefined if its packages are not installed. */
  readonly paddle: Paddle | undefined
  /** Reads single fields again after PaddleOCR; without PaddleOCR, reads whole pages. */
  readonly tesseract: Tesseract
}

/** Reads a page, and rotates it first if it lies on its side. */
export const readPageImage = async (engines: Engines, image: GrayImage, effort: Effort): Promise<ReadPage> => {
  const { paddle, tesseract } = engines
  const read = (page: GrayImage): Promise<ReadonlyArray<Line>> =>
    paddle === undefined ? tesseract.recognize(flatten(page), segmentation.column) : paddle.recognize(page)
  let prepared = await prepare(image, effort.pixels_max)
  if (isNoise(prepared))
    return { page: { width: prepared.width, height: prepared.height, passes: [] }, image: prepared }
  let lines = await read(prepared)
  const upright = goodWords(lines)
  let quarters = 0
  if (upright < good_words_upright) {
    quarters = await quarterTurns(engines, image, upright)
    if (quarters > 0) {
      prepared = await prepare(await rotate(image, quarters * 90), effort.pixels_max)
      lines = await read(prepared)
    }
  }
  const passes: Array<ScannedPage["passes"][number]> = [{ name: paddle === undefined ? "flattened" : "neural", lines }]
  // A second image is read, because Tesseract misses different words in an image that is prepared differently.
  if (paddle === undefined && effort.passes === 2) {
    const black = withoutFrame(adaptiveThreshold(stretched(prepared)))
    passes.push({ name: "threshold", lines: await tesseract.recognize(black, segmentation.sparse) })
  }
  const turned = quarters === 0 ? {} : { quarters }
  return { page: { width: prepared.width, height: prepared.height, passes, ...turned }, image: prepared }
}

const ink_share_max = 0.25

/** True if the image has more ink than any page: the engine would search it for letters for minutes. */
const isNoise = (image: GrayImage): boolean => {
  const { pixels } = adaptiveThreshold(image)
  return pixels.reduce((ink, value) => ink + Number(value === 0), 0) > ink_share_max * pixels.length
}

const good_words_upright = 15
const good_confidence = 0.7
const good_letters_min = 2
const turning_side_max = 1100

const goodWords = (lines: ReadonlyArray<Line>): number => lines.flatMap(({ words }) => words).filter(isGood).length

const isGood = ({ confidence, text }: Line["words"][number]) =>
  confidence > good_confidence && text.length >= good_letters_min

/**
 * Returns the number of quarter turns after which the page has more good words than `upright`, or 0. Photos often lie
 * on a side, seldom upside down.
 */
const quarterTurns = async ({ paddle, tesseract }: Engines, image: GrayImage, upright: number): Promise<number> => {
  const small = await thumbnail(image, turning_side_max)
  let best = { quarters: 0, words: upright }
  for (const quarters of [1, 3, 2]) {
    const turned = await rotate(small, quarters * 90)
    const lines =
      paddle === undefined ? tesseract.recognize(flatten(turned), segmentation.block) : paddle.recognize(turned)
    const words = goodWords(await lines)
    if (words > best.words) best = { quarters, words }
    if (words >= good_words_upright) break
  }
  return best.quarters
}

/** Crops of a field: their margins as a share of the field's height, and their height in pixels. */
const crops = [
  { margin_share: 0.3, height: 48 },
  { margin_share: 0.6, height: 80 }
]

export const rereadField = async (tesseract: Tesseract, image: GrayImage, box: Box): Promise<ReadonlyArray<string>> => {
  const texts: Array<string> = []
  for (const { height, margin_share } of crops) {
    const margin = (box.y1 - box.y0) * margin_share
    const left = Math.max(0, Math.floor(box.x0 - margin))
    const top = Math.max(0, Math.floor(box.y0 - margin))
    const width = Math.min(image.width, Math.ceil(box.x1 + margin)) - left
    const area = { left, top, width, height: Math.min(image.height, Math.ceil(box.y1 + margin)) - top }
    if (area.width <= 0 || area.height <= 0) return []
    const field = await crop(image, area)
    const enlarged = await resize(field, Math.max(1, Math.round((field.width * height) / field.height)), height)
    const lines = await tesseract.recognize(flatten(enlarged), segmentation.line)
    texts.push(lines.map(({ words }) => words.map(({ text }) => text).join(" ")).join(" "))
  }
  return texts
}
