import { components, type Component } from "./Components.ts"
import type { GrayImage } from "./GrayImage.ts"

const letter_height_min = 5
const letter_share_of_page_max = 0.1
const letter_width_to_height_max = 2
const letters_min = 20

/** Returns the height of the letters in pixels; undefined if there are too few letters. */
export const textHeight = ({ height, pixels, width }: GrayImage): number | undefined => {
  const heights = components(pixels, width, height, 0)
    .filter(looksLikeLetter(Math.max(width, height) * letter_share_of_page_max))
    .map(({ bottom, top }) => bottom - top)
    .toSorted((a, b) => a - b)
  if (heights.length < letters_min) return undefined
  // The median is weighted by height, because specks and dots are numerous.
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

/** Maximum gap between two letters of a word, as a multiple of their height. */
const letter_gap_max = 1
const similar_height = 0.6

/** Returns the letters that have a neighbour, because grain and stains have none. */
export const textLetters = ({ height, pixels, width }: GrayImage): ReadonlyArray<Component> => {
  const letters = components(pixels, width, height, 0)
    .filter(looksLikeLetter(Math.max(width, height) * letter_share_of_page_max))
    .toSorted((a, b) => a.left - b.left)
  const paired = new Set<Component>()
  letters.forEach((letter, index) => {
    for (const other of letters.slice(index + 1, index + 1 + neighbours_max)) {
      if (!isBeside(letter)(other)) continue
      paired.add(letter)
      paired.add(other)
    }
  })
  return [...paired]
}

const isBeside = (letter: Component) => (other: Component) => {
  const [own, others] = [letter.bottom - letter.top, other.bottom - other.top]
  const overlap = Math.min(letter.bottom, other.bottom) - Math.max(letter.top, other.top)
  const gap = other.left - letter.right
  return overlap > similar_height * Math.max(own, others) && gap >= -1 && gap <= letter_gap_max * own
}

/** Letters are sorted from left to right, so the next letter of a word is among the following ones. */
const neighbours_max = 200
