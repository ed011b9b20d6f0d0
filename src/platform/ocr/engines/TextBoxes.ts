/** A line of text in an image: a rectangle that may be tilted. Lengths are in pixels. */
export interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Tangent of the angle by which the line slopes downwards to the right. */
  readonly slope: number
}

/** A pixel with a higher probability belongs to text. */
const pixel_min = 0.3
/** Minimum mean probability of the pixels of a box. */
const box_min = 0.5
/**
 * The neural network marks only the core of a line of text. The line extends beyond its core by this factor times the
 * core's area divided by its perimeter.
 */
const growth = 1.6
const side_min = 3
/** Maximum number of boxes; no receipt has more lines, so the others are noise. */
const boxes_max = 1_000

/** Finds the lines of text in a map of probabilities, row by row: groups of pixels that touch each other. */
export const textBoxes = (map: Float32Array, width: number, height: number): ReadonlyArray<TextBox> => {
  const seen = new Uint8Array(map.length)
  const boxes: Array<TextBox> = []
  for (let start = 0; start < map.length && boxes.length < boxes_max; start++) {
    if (seen[start] === 1 || at(map, start) <= pixel_min) continue
    const box = boxOf(filled(map, seen, start, width, height), map, width)
    if (box !== undefined) boxes.push(box)
  }
  return boxes
}

const filled = (map: Float32Array, seen: Uint8Array, start: number, width: number, height: number) => {
  const group = [start]
  seen[start] = 1
  const visit = (pixel: number) => {
    if (seen[pixel] === 1 || at(map, pixel) <= pixel_min) return
    seen[pixel] = 1
    group.push(pixel)
  }
  for (let next = 0; next < group.length; next++) {
    const pixel = group[next] ?? 0
    const x = pixel % width
    if (x > 0) visit(pixel - 1)
    if (x + 1 < width) visit(pixel + 1)
    if (pixel >= width) visit(pixel - width)
    if (pixel < width * (height - 1)) visit(pixel + width)
  }
  return group
}

const boxOf = (group: ReadonlyArray<number>, map: Float32Array, width: number): TextBox | undefined => {
  let [sum, x, y] = [0, 0, 0]
  for (const pixel of group) {
    sum += at(map, pixel)
    x += pixel % width
    y += Math.floor(pixel / width)
  }
  if (sum < box_min * group.length) return undefined
  x /= group.length
  y /= group.length
  const slope = slopeOf(group, width, x, y)
  const length = Math.hypot(1, slope)
  const [along, across] = [new Span(), new Span()]
  for (const pixel of group) {
    const [right, down] = [(pixel % width) - x, Math.floor(pixel / width) - y]
    along.add((right + down * slope) / length)
    across.add((down - right * slope) / length)
  }
  const [core_width, core_height] = [along.size + 1, across.size + 1]
  if (Math.min(core_width, core_height) < side_min) return undefined
  const edge = (core_width * core_height * growth) / (2 * (core_width + core_height))
  return {
    x: x + 0.5 + (along.middle - across.middle * slope) / length,
    y: y + 0.5 + (across.middle + along.middle * slope) / length,
    width: core_width + 2 * edge,
    height: core_height + 2 * edge,
    slope
  }
}

/** Slope of the straight line nearest to the pixels; a box that is hardly wider than tall counts as level. */
const slopeOf = (group: ReadonlyArray<number>, width: number, x: number, y: number): number => {
  let [xx, xy, yy] = [0, 0, 0]
  for (const pixel of group) {
    const [right, down] = [(pixel % width) - x, Math.floor(pixel / width) - y]
    xx += right * right
    xy += right * down
    yy += down * down
  }
  return xx > 4 * yy ? xy / xx : 0
}

class Span {
  private lowest = Infinity
  private highest = -Infinity

  add(value: number): void {
    if (value < this.lowest) this.lowest = value
    if (value > this.highest) this.highest = value
  }

  get size(): number {
    return this.highest - this.lowest
  }

  get middle(): number {
    return (this.lowest + this.highest) / 2
  }
}

// The default is never used, because the loops keep the index inside the map.
const at = (map: Float32Array, index: number): number => map[index] ?? 0
