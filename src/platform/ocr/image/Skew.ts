import type { GrayImage } from "./GrayImage.ts"

const skew_degrees_max = 6
const coarse_step_degrees = 0.5
const fine_step_degrees = 0.1
const points_max = 60_000
const points_min = 200

/** Returns the angle in degrees by which lines fall to the right. Along this angle, empty rows separate rows of ink. */
export const skewDegrees = (image: GrayImage): number => {
  const ink = inkOf(image)
  if (ink.length < points_min) return 0
  const coarse = sharpest(ink, image, 0, skew_degrees_max, coarse_step_degrees)
  return sharpest(ink, image, coarse, coarse_step_degrees, fine_step_degrees)
}

const sharpest = (ink: Uint32Array, image: GrayImage, center: number, reach: number, step: number): number => {
  const steps = Math.round(reach / step)
  let best = { degrees: center, score: -1 }
  for (let at = -steps; at <= steps; at++) {
    const degrees = center + at * step
    const score = sharpness(ink, image, Math.tan((degrees * Math.PI) / 180))
    if (score > best.score) best = { degrees, score }
  }
  return best.degrees
}

const sharpness = (ink: Uint32Array, { height, width }: GrayImage, slope: number): number => {
  const margin = Math.ceil(width * Math.abs(slope))
  const rows = new Float64Array(height + 2 * margin + 1)
  for (const point of ink) {
    const row = Math.round(Math.floor(point / width) - (point % width) * slope) + margin
    rows[row] = (rows[row] ?? 0) + 1
  }
  return rows.reduce((sum, count, row) => sum + (count - (rows[row - 1] ?? 0)) ** 2, 0)
}

/** Returns the positions of the black pixels, or an even sample if there are very many. */
const inkOf = ({ pixels }: GrayImage): Uint32Array => {
  let count = 0
  for (const value of pixels) if (value === 0) count++
  const stride = Math.max(1, Math.ceil(count / points_max))
  const ink = new Uint32Array(Math.ceil(count / stride))
  let seen = 0
  pixels.forEach((value, at) => {
    if (value === 0 && seen++ % stride === 0) ink[(seen - 1) / stride] = at
  })
  return ink
}
