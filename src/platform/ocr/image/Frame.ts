import type { GrayImage } from "./GrayImage.ts"

/** Maximum brightness (of 255) of a frame. A higher one would include creases, which connect letters to a frame. */
const ink_max = 110
/** Minimum shares of the page's height or width that a frame takes; no letter is as tall or as wide. */
const tall_share_min = 0.4
const wide_share_min = 0.6
/** Maximum share of dark pixels in a frame, which is mostly empty; a dark box with light letters has more. */
const filled_share_max = 0.35
const near_edge_share = 0.04
/** Number of pixels around the frame where it fades out. */
const fade_pixels = 3

/** Removes the edge of a paper on a table, and printed grids: the engine takes text in a frame for a picture. */
export const withoutFrame = (image: GrayImage): GrayImage => {
  const { height, pixels, width } = image
  const result = Uint8Array.from(pixels)
  const seen = new Uint8Array(pixels.length)
  const shape: Array<number> = []
  for (let start = 0; start < pixels.length; start++) {
    if (seen[start] === 1 || at8(pixels, start) > ink_max) continue
    if (isFrame(fill(image, start, seen, shape), image)) {
      for (const pixel of shape) whiten(result, width, height, pixel)
    }
  }
  return { width, height, pixels: result }
}

interface Shape {
  left: number
  right: number
  top: number
  bottom: number
  pixel_count: number
}

const fill = ({ height, pixels, width }: GrayImage, start: number, seen: Uint8Array, shape: Array<number>): Shape => {
  shape.length = 0
  shape.push(start)
  seen[start] = 1
  const box: Shape = { left: width, right: 0, top: height, bottom: 0, pixel_count: 0 }
  const visit = (pixel: number) => {
    if (seen[pixel] === 1 || at8(pixels, pixel) > ink_max) return
    seen[pixel] = 1
    shape.push(pixel)
  }
  for (let next = 0; next < shape.length; next++) {
    const pixel = shape[next] ?? 0
    const x = pixel % width
    const y = (pixel - x) / width
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x + 1)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y + 1)
    if (x > 0) visit(pixel - 1)
    if (x + 1 < width) visit(pixel + 1)
    if (y > 0) visit(pixel - width)
    if (y + 1 < height) visit(pixel + width)
  }
  box.pixel_count = shape.length
  return box
}

const isFrame = ({ bottom, left, pixel_count, right, top }: Shape, { height, width }: GrayImage): boolean => {
  const isTall = bottom - top > height * tall_share_min
  const isWide = right - left > width * wide_share_min
  if (!isTall && !isWide) return false
  if (pixel_count < filled_share_max * (right - left) * (bottom - top)) return true
  const beside = right < width * near_edge_share || left > width * (1 - near_edge_share)
  const beyond = bottom < height * near_edge_share || top > height * (1 - near_edge_share)
  return (isTall && beside) || (isWide && beyond)
}

const whiten = (pixels: Uint8Array, width: number, height: number, pixel: number): void => {
  const x = pixel % width
  const y = (pixel - x) / width
  for (let row = Math.max(0, y - fade_pixels); row <= Math.min(height - 1, y + fade_pixels); row++) {
    pixels.fill(255, row * width + Math.max(0, x - fade_pixels), row * width + Math.min(width, x + fade_pixels + 1))
  }
}

// The default is never used, because the loops keep the index inside the array.
const at8 = (values: Uint8Array, at: number): number => values[at] ?? 0
