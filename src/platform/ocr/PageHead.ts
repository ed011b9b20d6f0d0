import type { Paddle } from "./engines/Paddle.ts"
import type { Heads, Line } from "./engines/Reading.ts"
import { contrasted } from "./image/Binarization.ts"
import { crop, resize, type GrayImage } from "./image/GrayImage.ts"
import type { ReadPage } from "./PageImage.ts"

/** Sizes and contrasts for reading a page's head again, because PaddleOCR misses large, dotted or spaced letters. */
const looks: ReadonlyArray<{ readonly scale: number; readonly adjusted: (image: GrayImage) => GrayImage }> = [
  { scale: 0.55, adjusted: (image) => image },
  { scale: 0.5, adjusted: contrasted }
]
/** Number of rows of text in the head of a page, counted in the first reading of the page. */
const rows_in_head = 7
/** Share of the page's height that counts as its head if the first reading found fewer rows than a head has. */
const share_of_page = 0.3
const row_height_min = 15
const margin = 12
const letters_min = 3
const confidence_min = 0.7

/** Reads the head of a page again, once for each entry of `looks`, and returns boxes in coordinates of the page. */
export const readHead = async (paddle: Paddle, { image, page }: ReadPage): Promise<Heads> => {
  const { height, width } = image
  const bottom = headBottom(page.passes[0]?.lines ?? []) ?? height * share_of_page
  const head = await crop(image, { left: 0, top: 0, width, height: Math.min(height, Math.ceil(bottom + margin)) })
  const read: Array<ReadonlyArray<Line>> = []
  for (const { adjusted, scale } of looks) {
    const small = await resize(
      head,
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(head.height * scale))
    )
    read.push((await paddle.recognize(adjusted(small))).map((line) => enlarged(line, 1 / scale)))
  }
  return read
}

/** Lower end of the last row of the head; undefined if the page has fewer rows. */
const headBottom = (lines: ReadonlyArray<Line>): number | undefined => {
  const ends = lines
    .filter(({ words }) =>
      words.some(({ confidence, text }) => confidence > confidence_min && text.length >= letters_min)
    )
    .map(({ words }) => Math.max(...words.map(({ y1 }) => y1)))
    .toSorted((a, b) => a - b)
  const rows: Array<number> = []
  for (const end of ends) {
    if (end - (rows.at(-1) ?? -Infinity) > row_height_min) rows.push(end)
  }
  return rows[rows_in_head - 1]
}

const enlarged = ({ words }: Line, factor: number): Line => ({
  words: words.map(({ confidence, text, x0, x1, y0, y1 }) => {
    return { text, confidence, x0: x0 * factor, y0: y0 * factor, x1: x1 * factor, y1: y1 * factor }
  })
})
