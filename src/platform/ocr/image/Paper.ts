import { adaptiveThreshold } from "./Binarization.ts"
import { components, type Component } from "./Components.ts"
import type { Area, GrayImage } from "./GrayImage.ts"
import { textLetters } from "./TextHeight.ts"

const share_of_picture_min = 0.08
/** Maximum share of the picture that the paper takes: a scan is all paper, so cutting it out would gain nothing. */
const share_of_picture_max = 0.92
/** Minimum share of bright pixels in the box around the paper, which is nearly upright and has little ink on it. */
const filled_share_min = 0.6
/** Minimum contrast (of 255) between paper and table. */
const contrast_min = 40
const margin_share = 0.01

/** Returns the paper's area in `original`; undefined if none stands out. `small` is a copy, `factor` times smaller. */
export const paperArea = (small: GrayImage, factor: number, original: GrayImage): Area | undefined => {
  const { dark, limit, light } = otsu(small.pixels)
  if (light - dark < contrast_min) return undefined
  const bright = small.pixels.map((value) => (value > limit ? 1 : 0))
  const sheets = components(bright, small.width, small.height, 1)
  const sheet = sheets.reduce<(typeof sheets)[number] | undefined>(
    (largest, next) => (largest !== undefined && largest.pixel_count >= next.pixel_count ? largest : next),
    undefined
  )
  if (sheet === undefined) return undefined
  const size = (sheet.right - sheet.left) * (sheet.bottom - sheet.top)
  const share = size / (small.width * small.height)
  if (share < share_of_picture_min || share > share_of_picture_max) return undefined
  if (sheet.pixel_count / size < filled_share_min) return undefined
  if (cutsText(small, sheet)) return undefined
  const margin = Math.max(small.width, small.height) * margin_share
  const left = Math.max(0, Math.floor((sheet.left - margin) * factor))
  const top = Math.max(0, Math.floor((sheet.top - margin) * factor))
  return {
    left,
    top,
    width: Math.min(original.width, Math.ceil((sheet.right + margin) * factor)) - left,
    height: Math.min(original.height, Math.ceil((sheet.bottom + margin) * factor)) - top
  }
}

/**
 * Maximum share of the letters that lie outside the bright area. If more do, that area is only a part of the receipt,
 * and the other part is in shadow.
 */
const letters_outside_share_max = 0.1

const cutsText = (small: GrayImage, sheet: Component): boolean => {
  const letters = textLetters(adaptiveThreshold(small))
  const inside = letters.filter(({ bottom, left, right, top }) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    return x >= sheet.left && x < sheet.right && y >= sheet.top && y < sheet.bottom
  })
  return letters.length - inside.length > letters_outside_share_max * inside.length
}

/** Finds the brightness that divides the pixels into the two most different groups (Otsu), and the groups' means. */
const otsu = (pixels: Uint8Array) => {
  const histogram = new Uint32Array(256)
  for (const value of pixels) histogram[value] = (histogram[value] ?? 0) + 1
  const total = histogram.reduce((sum, count, value) => sum + count * value, 0)
  let best = { limit: 255, dark: 0, light: 0, variance: -1 }
  let [count, sum] = [0, 0]
  histogram.forEach((size, value) => {
    count += size
    sum += size * value
    const others = pixels.length - count
    if (count === 0 || others === 0) return
    const [dark, light] = [sum / count, (total - sum) / others]
    const variance = count * others * (light - dark) ** 2
    if (variance > best.variance) best = { limit: value, dark, light, variance }
  })
  return best
}
