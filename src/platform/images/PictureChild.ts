import sharp from "sharp"
import { serveJobs } from "../children/ChildEntry.ts"

export interface PictureJob {
  readonly bytes: Uint8Array
  readonly width_max: number
  readonly height_max: number
}

export type PictureAnswer = { readonly png: Uint8Array } | { readonly problem: "format" | "pixels" | "corrupt" }

/** Maximum number of pixels of a decoded picture. A small file can decompress to any size. */
const pixels_max = 16_000_000
/** Size in bytes from which a PNG is reduced to 256 colours. */
const true_color_bytes_max = 200_000
const css_pixels_per_inch = 72
const density_max = 2_400

// Only JPEG, PNG and SVG can be loaded. librsvg runs no scripts, and loads no external files without a base URL.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadSvgBuffer"]
})
sharp.cache(false)
sharp.concurrency(1)

const limits = { limitInputPixels: pixels_max, failOn: "error", pages: 1 } as const

/** Returns the resolution at which an SVG fills the requested size, because enlarging its pixels would blur it. */
const densityOf = async ({ bytes, height_max, width_max }: PictureJob): Promise<number | undefined> => {
  const { format, height, width } = await sharp(bytes, limits).metadata()
  if (format !== "svg") return undefined
  const scale = Math.min(width_max / width, height_max / height)
  return Math.min(density_max, Math.max(1, Math.ceil(css_pixels_per_inch * scale)))
}

const draw = async (job: PictureJob): Promise<Uint8Array> => {
  const density = await densityOf(job)
  const picture = sharp(job.bytes, density === undefined ? limits : { ...limits, density })
    .autoOrient()
    .resize(job.width_max, job.height_max, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
  const png = await picture.clone().png({ compressionLevel: 9 }).toBuffer()
  return png.length <= true_color_bytes_max ? png : picture.png({ palette: true, compressionLevel: 9 }).toBuffer()
}

const problemOf = (cause: unknown): PictureAnswer => {
  const text = String(cause)
  if (/unsupported image format/i.test(text)) return { problem: "format" }
  return { problem: /pixel limit|exceeds.*(dimension|limit)/i.test(text) ? "pixels" : "corrupt" }
}

serveJobs(() =>
  Promise.resolve((job: unknown) =>
    // Boundary: only `Pictures` sends jobs to this process, and all of them have this type.
    draw(job as PictureJob).then((png): PictureAnswer => ({ png }), problemOf)
  )
)
