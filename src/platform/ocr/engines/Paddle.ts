import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { resize, type GrayImage } from "../image/GrayImage.ts"
import { paddle_runtime, paddle_weights } from "../../packages/Installed.ts"
import type { Line } from "./Reading.ts"
import { drawLine, line_height, lineWidth, wordsOf } from "./LineReading.ts"
import { textBoxes, type TextBox } from "./TextBoxes.ts"

const require = createRequire(import.meta.url)

/** The neural networks of PP-OCRv4: one detects the lines of text, the other recognizes them. */
export interface Paddle {
  readonly recognize: (image: GrayImage) => Promise<ReadonlyArray<Line>>
}

/** Scale at which the page is searched for lines, and the maximum number of pixels at that scale. */
const search_scale = 0.5
const search_pixels_max = 1_800_000
/** Larger pages are searched in strips, because the neural network needs 200 bytes of memory per pixel. */
const strip_pixels_max = 700_000
/** Number of rows that neighbouring strips share on either side, so that each line is complete in one strip. */
const strip_margin = 96
/** The sides of a searched image must be multiples of this number. */
const side_unit = 32
/** Mean and deviation of the brightness for which the neural networks were trained, by channel. */
const channels = [
  { mean: 0.485, deviation: 0.229 },
  { mean: 0.456, deviation: 0.224 },
  { mean: 0.406, deviation: 0.225 }
]
const lines_per_batch = 6
/** Maximum number of columns in a batch, because the neural network returns 6,625 numbers for every 8. */
const columns_per_batch = 3_600

/** Runs a neural network on numbers with these dimensions. */
type Network = (data: Float32Array, dims: ReadonlyArray<number>) => Promise<Float32Array>

/** Rejects if the packages are not installed. */
export const startPaddle = async (): Promise<Paddle> => {
  // Boundary: the package is optional, so only the part of its types that is used is written down here.
  const { InferenceSession, Tensor } = require(paddle_runtime) as Runtime
  const folder = join(dirname(require.resolve(paddle_weights)), "assets")
  const open = async (name: string): Promise<Network> => {
    const session = await InferenceSession.create(join(folder, name), session_options)
    const [input = "", output = ""] = [session.inputNames[0], session.outputNames[0]]
    return async (data, dims) => {
      const answers = await session.run({ [input]: new Tensor("float32", data, dims) })
      return answers[output]?.data ?? new Float32Array()
    }
  }
  const [finder, reader, keys] = await Promise.all([
    open("ch_PP-OCRv4_det_infer.onnx"),
    open("ch_PP-OCRv4_rec_infer.onnx"),
    readFile(join(folder, "ppocr_keys_v1.txt"), "utf8")
  ])
  const letters = ["", ...keys.split(/\r?\n/).filter((line) => line !== ""), " "]
  return {
    recognize: async (image) => {
      // Lines of similar width share a batch, because all of them are padded to the widest.
      const boxes = (await findLines(finder, image)).toSorted((a, b) => lineWidth(a) - lineWidth(b))
      const lines: Array<Line> = []
      for (let start = 0, end = 0; start < boxes.length; start = end) {
        end = batchEnd(boxes, start)
        lines.push(...(await readLines(reader, letters, image, boxes.slice(start, end))))
      }
      return lines.filter(({ words }) => words.length > 0)
    }
  }
}

const findLines = async (finder: Network, image: GrayImage): Promise<ReadonlyArray<TextBox>> => {
  const share = Math.min(search_scale, Math.sqrt(search_pixels_max / (image.width * image.height)))
  const side = (length: number) => Math.max(side_unit, Math.round((length * share) / side_unit) * side_unit)
  const [width, height] = [side(image.width), side(image.height)]
  const { pixels } = await resize(image, width, height)
  const map = new Float32Array(pixels.length)
  for (const { from, rows, to, top } of stripsOf(width, height)) {
    const strip = pixels.subarray(top * width, (top + rows) * width)
    const found = await finder(normalized(strip), [1, channels.length, rows, width])
    map.set(found.subarray((from - top) * width, (to - top) * width), from * width)
  }
  const [by_x, by_y] = [image.width / width, image.height / height]
  return textBoxes(map, width, height).map((box) => ({
    x: box.x * by_x,
    y: box.y * by_y,
    width: box.width * by_x,
    height: box.height * by_y,
    slope: (box.slope * by_y) / by_x
  }))
}

/** The brightness of each pixel as the neural network expects it, once per channel. */
const normalized = (pixels: GrayImage["pixels"]): Float32Array => {
  const data = new Float32Array(channels.length * pixels.length)
  channels.forEach(({ deviation, mean }, channel) => {
    const start = channel * pixels.length
    pixels.forEach((value, at) => (data[start + at] = (value / 255 - mean) / deviation))
  })
  return data
}

const readLines = async (
  reader: Network,
  letters: ReadonlyArray<string>,
  image: GrayImage,
  boxes: ReadonlyArray<TextBox>
): Promise<ReadonlyArray<Line>> => {
  const width = Math.max(...boxes.map(lineWidth))
  const size = channels.length * line_height * width
  const data = new Float32Array(boxes.length * size)
  boxes.forEach((box, index) => {
    const plane = data.subarray(index * size, index * size + line_height * width)
    drawLine(image, box, plane, width)
    for (let channel = 1; channel < channels.length; channel++) {
      data.set(plane, index * size + channel * line_height * width)
    }
  })
  const answer = await reader(data, [boxes.length, channels.length, line_height, width])
  const length = answer.length / boxes.length
  return boxes.map((box, index) => ({
    words: wordsOf(answer.subarray(index * length, (index + 1) * length), letters, box)
  }))
}

interface Strip {
  readonly top: number
  readonly rows: number
  /** The first row to use from this strip; `to` is the first row of the next strip. */
  readonly from: number
  readonly to: number
}

/** Divides a page into strips of equal height, which overlap. */
export const stripsOf = (width: number, height: number): ReadonlyArray<Strip> => {
  const shared = 2 * strip_margin
  const rows_max = Math.max(shared + side_unit, Math.floor(strip_pixels_max / width / side_unit) * side_unit)
  if (height <= rows_max) return [{ top: 0, rows: height, from: 0, to: height }]
  const count = Math.ceil((height - shared) / (rows_max - shared))
  const rows = Math.ceil(((height - shared) / count + shared) / side_unit) * side_unit
  const tops = Array.from({ length: count }, (_, index) => Math.round((index * (height - rows)) / (count - 1)))
  const border = (index: number) => Math.round(((tops[index - 1] ?? 0) + rows + (tops[index] ?? 0)) / 2)
  return tops.map((top, index) => {
    return { top, rows, from: index === 0 ? 0 : border(index), to: index === count - 1 ? height : border(index + 1) }
  })
}

/** Index after the last line of a batch. Lines are sorted by width, and the last one decides the width of the batch. */
const batchEnd = (boxes: ReadonlyArray<TextBox>, start: number): number => {
  let end = start + 1
  for (let box = boxes[end]; box !== undefined; box = boxes[end]) {
    if (end - start >= lines_per_batch || (end - start + 1) * lineWidth(box) > columns_per_batch) break
    end++
  }
  return end
}

/** One thread keeps only one core busy. Without a memory arena, memory is returned after each image. */
const session_options = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false
}

interface Session {
  readonly inputNames: ReadonlyArray<string>
  readonly outputNames: ReadonlyArray<string>
  readonly run: (inputs: Record<string, object>) => Promise<Record<string, { readonly data: Float32Array }>>
}

interface Runtime {
  readonly InferenceSession: {
    readonly create: (path: string, options: typeof session_options) => Promise<Session>
  }
  readonly Tensor: new (type: "float32", data: Float32Array, dims: ReadonlyArray<number>) => object
}
