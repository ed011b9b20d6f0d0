import { adaptiveThreshold, flatten } from "./Binarization.ts"
import { crop, resize, rotate, thumbnail, type GrayImage } from "./GrayImage.ts"
import { paperArea } from "./Paper.ts"
import { skewDegrees } from "./Skew.ts"
import { textHeight } from "./TextHeight.ts"

/** What the engine reads best, in pixels of a letter's height; 20 to 34 make no difference. */
const text_height_wanted = 26
const scale_max = 3
const scale_min = 0.2
const skew_degrees_min = 0.25
export const page_pixels_max = 6_000_000
const paper_side_max = 800
const skew_side_max = 1000

/** Only the paper, upright lines, letters of the size that the engine was trained on. */
export const prepare = async (image: GrayImage, pixels_max = page_pixels_max): Promise<GrayImage> => {
  const small = await thumbnail(image, paper_side_max)
  const area = paperArea(small, image.width / small.width, image)
  const paper = area === undefined ? image : await crop(image, area)
  const scaled = await scaleText(paper, pixels_max)
  const degrees = skewDegrees(adaptiveThreshold(await thumbnail(scaled, skew_side_max)))
  return Math.abs(degrees) < skew_degrees_min ? scaled : rotate(scaled, -degrees)
}

/** Looked at twice: letters that are too small to be measured are found once the image is larger. */
const scaleText = async (image: GrayImage, pixels_max: number): Promise<GrayImage> => {
  const limited = await scale(image, Math.min(1, Math.sqrt(pixels_max / (image.width * image.height))))
  const height = textHeight(adaptiveThreshold(limited))
  if (height === undefined) return limited
  const wanted = Math.min(scale_max, Math.max(scale_min, text_height_wanted / height))
  const factor = Math.min(wanted, Math.sqrt(pixels_max / (limited.width * limited.height)))
  return scale(limited, Math.abs(factor - 1) < 0.1 ? 1 : factor)
}

const scale = async (image: GrayImage, factor: number): Promise<GrayImage> => {
  if (factor === 1) return image
  return resize(image, Math.max(1, Math.round(image.width * factor)), Math.max(1, Math.round(image.height * factor)))
}

export { adaptiveThreshold, flatten }
