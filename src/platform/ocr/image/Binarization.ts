import { withoutFrame } from "./Frame.ts"
import type { GrayImage } from "./GrayImage.ts"

const radius = 15
const darker_than_surroundings = 0.85

/** Makes a pixel black if it is clearly darker than the mean of the square around it (Bradley and Roth), else white. */
export const adaptiveThreshold = ({ height, pixels, width }: GrayImage): GrayImage => {
  const result = new Uint8Array(width * height)
  // Sums of the columns within the square. They take one row of memory instead of an integral image of the whole page.
  const columns = new Uint32Array(width)
  const addRow = (row: number, sign: 1 | -1) => {
    for (let x = 0, at = row * width; x < width; x++, at++) columns[x] = at32(columns, x) + sign * at8(pixels, at)
  }
  for (let row = 0; row < Math.min(radius, height); row++) addRow(row, 1)
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(y + radius, 1)
    if (y - radius - 1 >= 0) addRow(y - radius - 1, -1)
    const rows = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1
    thresholdRow(pixels, result, columns, y * width, rows)
  }
  return { width, height, pixels: result }
}

const thresholdRow = (
  pixels: Uint8Array,
  result: Uint8Array,
  columns: Uint32Array,
  offset: number,
  rows: number
): void => {
  const width = columns.length
  let sum = 0
  for (let x = 0; x < Math.min(radius, width); x++) sum += at32(columns, x)
  for (let x = 0; x < width; x++) {
    if (x + radius < width) sum += at32(columns, x + radius)
    if (x - radius - 1 >= 0) sum -= at32(columns, x - radius - 1)
    const count = rows * (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1)
    result[offset + x] = at8(pixels, offset + x) * count < sum * darker_than_surroundings ? 0 : 255
  }
}

/** Side of a block in pixels. A block is larger than a letter and smaller than a shadow. */
const block_side = 24
const white_quantile = 0.8
/** Share of the pixels that become black, if they are dark enough. */
const black_quantile = 0.005
/** Maximum brightness that becomes black, as a share of the paper's brightness. */
const black_share_max = 0.75
/** Minimum brightness that becomes white, as a share of the paper's brightness. */
const white_share = 0.95

/** Evens out the light of the page: each pixel is compared with the brightness of the paper around it. */
export const flatten = (image: GrayImage): GrayImage => {
  const { height, pixels, width } = image
  const paper = paperBrightness(image)
  const shares = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y++) {
    const row = interpolatedRow(paper, y)
    for (let x = 0; x < width; x++, at++) shares[at] = Math.min(255, (255 * at8(pixels, at)) / brightnessAt(row, x))
  }
  // The contrast is stretched twice: the frame is found only while the darkest pixels are black, and after its removal,
  // faded print is the darkest.
  return stretched(withoutFrame(stretched({ width, height, pixels: shares })))
}

/** Stretches the contrast, so that faded print becomes black again. */
export const stretched = ({ height, pixels, width }: GrayImage): GrayImage => {
  const histogram = new Uint32Array(256)
  for (const share of pixels) histogram[share] = at32(histogram, share) + 1
  const black = Math.min(quantile(histogram, black_quantile, pixels.length), black_share_max * 255)
  const stretch = 255 / (white_share * 255 - black)
  return { width, height, pixels: pixels.map((share) => Math.max(0, Math.min(255, (share - black) * stretch))) }
}

/** Share of the pixels that are assumed to be ink. */
const ink_quantile = 0.02
/** At least half of the pixels are paper, so the median brightness is that of the paper. */
const paper_quantile = 0.5
/** Minimum brightness that becomes white: 0 is the brightness of the ink, and 1 is that of the paper. */
const white_from = 0.8

/** Makes ink black and paper white. Pale print that shines through from the back becomes white, too. */
export const contrasted = ({ height, pixels, width }: GrayImage): GrayImage => {
  const histogram = new Uint32Array(256)
  for (const value of pixels) histogram[value] = at32(histogram, value) + 1
  const ink = quantile(histogram, ink_quantile, pixels.length)
  const reach = Math.max(1, white_from * (quantile(histogram, paper_quantile, pixels.length) - ink))
  const stretched = pixels.map((value) => Math.max(0, Math.min(255, ((value - ink) * 255) / reach)))
  return { width, height, pixels: stretched }
}

interface Brightness {
  readonly columns: number
  readonly rows: number
  readonly values: Float32Array
}

/** Estimates the brightness of the paper block by block, smoothed over the neighbours. */
const paperBrightness = ({ height, pixels, width }: GrayImage): Brightness => {
  const columns = Math.ceil(width / block_side)
  const rows = Math.ceil(height / block_side)
  const values = new Float32Array(columns * rows)
  const histogram = new Uint32Array(256)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      histogram.fill(0)
      let count = 0
      for (let y = row * block_side; y < Math.min(height, (row + 1) * block_side); y++) {
        for (let x = column * block_side; x < Math.min(width, (column + 1) * block_side); x++, count++) {
          const value = at8(pixels, y * width + x)
          histogram[value] = at32(histogram, value) + 1
        }
      }
      values[row * columns + column] = quantile(histogram, white_quantile, count)
    }
  }
  return smooth({ columns, rows, values })
}

/** Takes the brightest of nine blocks, so that a block full of ink counts as paper, and then the mean of nine. */
const smooth = (brightness: Brightness): Brightness =>
  overNeighbours(
    overNeighbours(brightness, (values) => Math.max(...values)),
    (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  )

const overNeighbours = (
  { columns, rows, values }: Brightness,
  combine: (values: ReadonlyArray<number>) => number
): Brightness => {
  const near = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => ({ down, right })))
  const result = values.map((_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    return combine(
      near.map(({ down, right }) => atFloat(values, clamp(row + down, rows) * columns + clamp(column + right, columns)))
    )
  })
  return { columns, rows, values: result }
}

const clamp = (value: number, size: number) => Math.min(size - 1, Math.max(0, value))

/** Interpolates the brightness at a pixel row between the two nearest rows of blocks. */
const interpolatedRow = ({ columns, rows, values }: Brightness, y: number): Float32Array => {
  const position = Math.max(0, Math.min(rows - 1, y / block_side - 0.5))
  const upper = Math.floor(position)
  const lower = Math.min(rows - 1, upper + 1)
  return Float32Array.from({ length: columns }, (_, column) => {
    const [above, below] = [atFloat(values, upper * columns + column), atFloat(values, lower * columns + column)]
    return above + (below - above) * (position - upper)
  })
}

const brightnessAt = (row: Float32Array, x: number): number => {
  const position = Math.max(0, Math.min(row.length - 1, x / block_side - 0.5))
  const left = position | 0
  const [before, after] = [atFloat(row, left), atFloat(row, Math.min(row.length - 1, left + 1))]
  return Math.max(1, before + (after - before) * (position - left))
}

const quantile = (histogram: Uint32Array, share: number, count: number): number => {
  let seen = 0
  return Math.max(
    0,
    histogram.findIndex((value) => (seen += value) > share * count)
  )
}

// The defaults are never used, because the loops keep the index inside the array.
const at8 = (values: Uint8Array, at: number): number => values[at] ?? 0
const at32 = (values: Uint32Array, at: number): number => values[at] ?? 0
const atFloat = (values: Float32Array, at: number): number => values[at] ?? 0
