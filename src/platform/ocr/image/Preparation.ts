import { adaptiveThreshold } from "./Binarization.ts"
import { crop, resize, rotate, thumbnail, type GrayImage } from "./GrayImage.ts"
import { paperArea } from "./Paper.ts"
import { skewDegrees } from "./Skew.ts"
import { textHeight } from "./TextHeight.ts"

/** Letter height in pixels that the engine reads best; heights from 20 to 34 are equally good. */
const text_height_wanted = 26
const scale_max = 3
const scale_min = 0.2
/** Minimum change of the scale; a smaller one blurs more than it helps. */
const scale_change_min = 0.1
const skew_degrees_min = 0.25
const paper_side_max = 800
const skew_side_max = 1000

/** Prepares a page: only the paper, with horizontal lines and letters of the size that the engine was trained on. */
export const prepare = async (image: GrayImage, pixels_max: number): Promise<GrayImage> => {
  const scaled = await scaleText(await cutToPaper(image), pixels_max)
  const degrees = skewDegrees(adaptiveThreshold(await thumbnail(scaled, skew_side_max)))
  if (Math.abs(degrees) < skew_degrees_min) return scaled
  // After the rotation, the paper fits its box better, so a second cut removes the table at the corners.
  return cutToPaper(await rotate(scaled, -degrees))
}

const cutToPaper = async (image: GrayImage): Promise<GrayImage> => {
  const small = await thumbnail(image, paper_side_max)
  const area = paperArea(small, image.width / small.width, image)
  return area === undefined ? image : crop(image, area)
}

const scaleText = async (image: GrayImage, pixels_max: number): Promise<GrayImage> => {
  const limited = await scale(image, Math.min(1, scaleTo(image, pixels_max)))
  const height = textHeight(adaptiveThreshold(limited))
  if (height === undefined) return limited
  const wanted = Math.min(scale_max, Math.max(scale_min, text_height_wanted / height))
  const factor = Math.min(wanted, scaleTo(limited, pixels_max))
  return Math.abs(factor - 1) < scale_change_min ? limited : scale(limited, factor)
}

const scaleTo = ({ height, width }: GrayImage, pixels: number) => Math.sqrt(pixels / (width * height))

const scale = async (image: GrayImage, factor: number): Promise<GrayImage> => {
  if (factor === 1) return image
  return resize(image, Math.max(1, Math.round(image.width * factor)), Math.max(1, Math.round(image.height * factor)))
}
