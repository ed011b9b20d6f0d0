import sharp, { type Sharp } from "sharp"
import { Unreadable } from "./Unreadable.ts"

/** An image with one byte per pixel, row by row; 0 is black. */
export interface GrayImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export const upload_pixels_max = 50_000_000

// Without this, the library would also try SVG, GIF, HEIF (which it cannot decode) and others.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadTiffBuffer"
  ]
})
sharp.cache(false)
sharp.concurrency(1)

/** An image with more pixels is reduced while it is decoded. A page of A4 with 350 dpi has about this number. */
const decoded_pixels_max = 12_000_000

/** Returns the number of pages of a TIFF; an image of any other format is one page, even if it is animated. */
export const pageCountOf = async (bytes: Uint8Array): Promise<number> => {
  const { format, pages = 1 } = await sharp(bytes, { limitInputPixels: upload_pixels_max })
    .metadata()
    .catch((cause: unknown) => {
      throw unreadable(cause)
    })
  return format === "tiff" ? pages : 1
}

/** Returns a page, upright as its metadata says and reduced if large; transparent parts become white. */
export const decodeImage = async (bytes: Uint8Array, page = 0): Promise<GrayImage> => {
  try {
    const image = sharp(bytes, {
      limitInputPixels: upload_pixels_max,
      failOn: "error",
      ...(page === 0 ? {} : { page }),
      pages: 1,
      sequentialRead: true
    })
    const { autoOrient } = await image.metadata()
    const scale = Math.sqrt(decoded_pixels_max / (autoOrient.width * autoOrient.height))
    const upright = image.autoOrient().flatten({ background: "white" })
    return await toGray(scale < 1 ? upright.resize(Math.round(autoOrient.width * scale)) : upright)
  } catch (cause) {
    throw unreadable(cause)
  }
}

const unreadable = (cause: unknown) => {
  const isTooLarge = /pixel limit|exceeds.*(dimension|limit)/i.test(String(cause))
  return new Unreadable(isTooLarge ? "too_many_pixels" : "corrupt_file", cause)
}

/** Converts rows of red, green, blue and opacity, a byte each. Rows may be longer than the image is wide. */
export const grayOf = (picture: {
  readonly width: number
  readonly height: number
  readonly stride: number
  readonly data: Uint8Array
}): Promise<GrayImage> => {
  const { data, height, stride, width } = picture
  const rows = sharp(data, { raw: { width: stride / 4, height, channels: 4 }, limitInputPixels: false })
  return toGray(rows.extract({ left: 0, top: 0, width, height }).flatten({ background: "white" }))
}

export const crop = (image: GrayImage, area: Area): Promise<GrayImage> => toGray(pipeline(image).extract(area))

export const resize = (image: GrayImage, width: number, height: number): Promise<GrayImage> =>
  toGray(pipeline(image).resize(width, height, { fit: "fill" }))

/** Returns a smaller copy whose longer side is at most `side_max`, or the image itself if it is small enough. */
export const thumbnail = (image: GrayImage, side_max: number): Promise<GrayImage> => {
  const scale = side_max / Math.max(image.width, image.height)
  if (scale >= 1) return Promise.resolve(image)
  return resize(image, Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)))
}

/** Rotates clockwise; the new corners are white. */
export const rotate = (image: GrayImage, degrees: number): Promise<GrayImage> =>
  toGray(pipeline(image).rotate(degrees, { background: "white" }))

export const webpOf = (image: GrayImage): Promise<Uint8Array> => pipeline(image).webp({ quality: 60 }).toBuffer()

const pipeline = ({ height, pixels, width }: GrayImage): Sharp =>
  sharp(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: upload_pixels_max })

const toGray = async (pipeline: Sharp): Promise<GrayImage> => {
  // Without the colour space, the library returns three channels even for a grey image.
  const gray = pipeline.greyscale().toColourspace("b-w").raw()
  const { data, info } = await gray.toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}
