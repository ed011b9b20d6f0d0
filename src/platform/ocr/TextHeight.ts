import { components, type Component } from "./Components.ts"
import type { GrayImage } from "./GrayImage.ts"

const letter_height_min = 5
const letter_share_of_page_max = 0.1
const letter_width_to_height_max = 2
const letters_min = 20

/** How tall most letters of a black and white page are, in pixels; undefined when there are too few to say. */
export const textHeight = ({ height, pixels, width }: GrayImage): number | undefined => {
  const heights = components(pixels, width, height, 0)
    .filter(looksLikeLetter(Math.max(width, height) * letter_share_of_page_max))
    .map(({ bottom, top }) => bottom - top)
    .toSorted((a, b) => a - b)
  if (heights.length < letters_min) return undefined
  // Weighed by themselves, because specks and dots are many and letters are what is asked for.
  const half = heights.reduce((sum, height) => sum + height, 0) / 2
  let seen = 0
  return heights.find((height) => (seen += height) >= half)
}

const looksLikeLetter =
  (height_max: number) =>
  ({ bottom, left, right, top }: Component): boolean => {
    const height = bottom - top
    return height >= letter_height_min && height <= height_max && right - left <= height * letter_width_to_height_max
  }
