import type { GrayImage } from "../image/GrayImage.ts"
import type { Word } from "./Reading.ts"
import type { TextBox } from "./TextBoxes.ts"

/** Height and maximum width in pixels of a line that the neural network reads. */
export const line_height = 48
const line_width_max = 2_400
const line_width_min = 24
/** Number of pixels of a line's width per step of the neural network's output. */
const step_pixels = 8
/** Height of the letters as a share of the height of the line's box. */
const letters_share = 0.72

export const lineWidth = ({ height, width }: TextBox): number =>
  Math.min(line_width_max, Math.max(line_width_min, Math.ceil((width * line_height) / height)))

/**
 * Copies a line out of the image, straightened, at the height that the neural network reads, with values from -1 to 1.
 */
export const drawLine = ({ height, pixels, width }: GrayImage, box: TextBox, into: Float32Array, stride: number) => {
  const columns = lineWidth(box)
  const length = Math.hypot(1, box.slope)
  const [step_x, step_y] = [box.width / columns / length, box.height / line_height / length]
  for (let row = 0; row < line_height; row++) {
    for (let column = 0; column < columns; column++) {
      const [along, across] = [(column + 0.5 - columns / 2) * step_x, (row + 0.5 - line_height / 2) * step_y]
      const x = clamp(box.x + along - across * box.slope - 0.5, width - 1)
      const y = clamp(box.y + across + along * box.slope - 0.5, height - 1)
      const [left, top] = [x | 0, y | 0]
      const [right, below] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1) * width]
      const [dx, dy] = [x - left, y - top]
      const upper = at(pixels, top * width + left) * (1 - dx) + at(pixels, top * width + right) * dx
      const lower = at(pixels, below + left) * (1 - dx) + at(pixels, below + right) * dx
      into[row * stride + column] = (upper * (1 - dy) + lower * dy) / 127.5 - 1
    }
  }
}

interface Letter {
  readonly text: string
  readonly step: number
  readonly probability: number
}

/** Reads the words of a line: takes the likeliest letter of each step, and merges repetitions into one letter. */
export const wordsOf = (answer: Float32Array, letters: ReadonlyArray<string>, box: TextBox): ReadonlyArray<Word> => {
  const steps = Math.ceil(lineWidth(box) / step_pixels)
  const read: Array<Array<Letter>> = [[]]
  let before = 0
  for (let step = 0; step < steps; step++) {
    const start = step * letters.length
    let best = 0
    for (let letter = 1; letter < letters.length; letter++) {
      if (at(answer, start + letter) > at(answer, start + best)) best = letter
    }
    // Index 0 is no letter: the neural network returns it between two letters.
    if (best !== 0 && best !== before) {
      const text = letters[best] ?? ""
      if (text === " ") read.push([])
      else read.at(-1)?.push({ text, step, probability: at(answer, start + best) })
    }
    before = best
  }
  return read.filter((word) => word.length > 0).map((word) => wordOf(word, box))
}

const wordOf = (letters: ReadonlyArray<Letter>, box: TextBox): Word => {
  const pixels_per_step = (box.width * step_pixels) / lineWidth(box)
  const half = (box.height * letters_share) / 2
  const [first, last] = [letters[0]?.step ?? 0, letters.at(-1)?.step ?? 0]
  const [start, end] = [first * pixels_per_step - box.width / 2, (last + 1) * pixels_per_step - box.width / 2]
  const middle = box.y + ((start + end) / 2) * box.slope
  return {
    // The neural network writes some signs as full-width characters, which NFKC converts to normal ones.
    text: letters
      .map(({ text }) => text)
      .join("")
      .normalize("NFKC"),
    x0: Math.max(0, box.x + start),
    y0: Math.max(0, middle - half),
    x1: Math.max(0, box.x + end),
    y1: middle + half,
    confidence: letters.reduce((sum, { probability }) => sum + probability, 0) / letters.length
  }
}

const clamp = (value: number, largest: number) => Math.min(largest, Math.max(0, value))

// The default is never used, because the loops keep the index inside the array.
const at = (values: Uint8Array | Float32Array, index: number): number => values[index] ?? 0
