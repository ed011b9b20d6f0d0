import { readFile } from "node:fs/promises"
import { formatOf } from "./Format.ts"
import { decodeImage, type GrayImage, rotate, thumbnail, webpOf } from "./image/GrayImage.ts"
import { decodeHeic } from "./image/Heic.ts"
import { prepare } from "./image/Preparation.ts"
import { Unreadable } from "./image/Unreadable.ts"
import { full_effort } from "./PageImage.ts"
import { pdfPageImages } from "./PdfRaster.ts"

interface PictureRequest {
  readonly path: string
  /** Number of clockwise quarter turns before the page was read; undefined if the page was not read as an image. */
  readonly quarters: number | undefined
}

const side_max = 1400

/** Draws the first page of a document in the orientation in which it was read, so that the boxes of the words fit. */
export const pagePicture = async ({ path, quarters }: PictureRequest): Promise<Uint8Array> => {
  const image = await firstPage(await readFile(path))
  if (quarters === undefined) return webpOf(await thumbnail(image, side_max))
  const upright = quarters === 0 ? image : await rotate(image, quarters * 90)
  return webpOf(await thumbnail(await prepare(upright, full_effort.pixels_max), side_max))
}

const firstPage = async (bytes: Uint8Array): Promise<GrayImage> => {
  const format = formatOf(bytes)
  if (format === undefined || format === "xml" || format === "p7m") throw new Unreadable("unsupported_format")
  if (format === "heif") return decodeHeic(bytes)
  if (format !== "pdf") return decodeImage(bytes)
  for await (const { image } of pdfPageImages(bytes, 1)) return image
  throw new Unreadable("no_pages")
}
