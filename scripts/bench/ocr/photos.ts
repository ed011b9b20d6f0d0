/**
 * `node scripts/bench/ocr/photos.ts <folder> <hex digits> <perspective|blur|shadow>` simulates photos of the real
 * receipts in the folder, and writes them with their labels to a subfolder, for `real.ts`. A receipt's name seeds its
 * photo, so each run makes the same.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import { decodeImage, resize } from "../../../src/platform/ocr/image/GrayImage.ts"
import { Random } from "../../support/Random.ts"
import { realReceipts } from "./RealReadings.ts"
import { capture, type Shot } from "./receipts/look/Camera.ts"

const [folder = "", digits = "", kind = "shadow"] = process.argv.slice(2)
/** Maximum number of pixels of the image from which a photo is made; larger images are reduced. */
const paper_pixels_max = 2_500_000
const blur_deviations = { from: 1, to: 2.2 }

const shotOf = (random: Random): Shot => ({
  photo: true,
  skew_degrees: random.between(-3, 3),
  perspective: kind === "perspective",
  crumple: false,
  shadow: kind === "shadow",
  low_contrast: false,
  blur: kind === "blur" ? random.between(blur_deviations.from, blur_deviations.to) : 0,
  noise: 3
})

const to = join(folder, kind)
mkdirSync(to, { recursive: true })
for (const { name, path } of realReceipts(folder, digits)) {
  const picture = join(to, name)
  if (existsSync(picture)) continue
  const random = new Random(Number.parseInt(name.slice(0, 8), 16))
  const image = await decodeImage(readFileSync(path))
  const scale = Math.min(1, Math.sqrt(paper_pixels_max / (image.width * image.height)))
  const paper = await resize(image, Math.round(image.width * scale), Math.round(image.height * scale))
  const { height, pixels, width } = await capture(random, paper, shotOf(random))
  writeFileSync(
    picture,
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer()
  )
  const label = name.replace(/\.[^.]+$/, ".json")
  copyFileSync(join(folder, label), join(to, label))
}
