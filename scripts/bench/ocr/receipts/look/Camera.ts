import sharp from "sharp"
import type { Random } from "../../../../support/Random.ts"
import { crumpled, flat, lighting, table, type Colour } from "./Scene.ts"
import type { Grey } from "../print/Typeset.ts"

export interface Shot {
  /** True for a colour photo of paper on a table; false for a grey scan of the whole sheet without a margin. */
  readonly photo: boolean
  readonly skew_degrees: number
  readonly perspective: boolean
  readonly crumple: boolean
  readonly shadow: boolean
  readonly low_contrast: boolean
  /** Standard deviation of the blur in pixels; 0 is sharp. */
  readonly blur: number
  /** Standard deviation of the noise; a pixel has values from 0 to 255. */
  readonly noise: number
}

export interface Picture {
  readonly width: number
  readonly height: number
  /** Three bytes (red, green and blue) for each pixel. */
  readonly pixels: Uint8Array
}

const pixels_max = 5_000_000

export const capture = async (random: Random, paper: Grey, shot: Shot): Promise<Picture> => {
  const seen = project(random, paper, shot)
  const { height, pixels, width } = shot.blur > 0 ? await blurred(seen, shot.blur) : seen
  return { width, height, pixels: noisy(random, pixels, shot.noise, !shot.photo) }
}

const blurred = async ({ height, pixels, width }: Picture, sigma: number): Promise<Picture> => ({
  width,
  height,
  pixels: Uint8Array.from(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .blur(sigma)
      .raw()
      .toBuffer()
  )
})

/** Computes every pixel of the picture from its place on the paper. */
const project = (random: Random, paper: Grey, shot: Shot): Picture => {
  const zoom = Math.min(shot.photo ? random.between(1.4, 2.1) : random.between(1.2, 1.7), zoomMax(paper))
  const [wide, high] = [paper.width * zoom, paper.height * zoom]
  const tilt = (shot.skew_degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)]
  const margin = shot.photo ? random.between(0.04, 0.14) * (wide + high) * 0.5 : 6
  const width = Math.round(wide * Math.abs(cos) + high * Math.abs(sin) + 2 * margin)
  const height = Math.round(high * Math.abs(cos) + wide * Math.abs(sin) + 2 * margin)
  const [keystoneX, keystoneY] = shot.perspective ? [random.between(-0.08, 0.08), random.between(-0.08, 0.08)] : [0, 0]
  const folds = shot.crumple ? crumpled(random, paper.width, paper.height) : flat
  const light = shot.photo ? lighting(random, width, height, shot.shadow) : () => 1
  const behind = shot.photo ? table(random, width, height) : (): Colour => [248, 248, 248]
  const tint = colourOf(random, shot)
  const out = new Uint8ClampedArray(width * height * 3)
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const [a, b] = [u - width / 2, v - height / 2]
      const depth = 1 + (keystoneX * a) / width + (keystoneY * b) / height
      const x = ((a * cos + b * sin) / depth + wide / 2) / zoom
      const y = ((-a * sin + b * cos) / depth + high / 2) / zoom
      const at = (v * width + u) * 3
      const inside = x >= 0 && y >= 0 && x < paper.width - 1 && y < paper.height - 1
      const shine = light(u, v) * (inside ? folds.light(x, y) : 1)
      const [red, green, blue] = inside ? tint(sample(paper, x, y + folds.shift(x, y))) : behind(u, v)
      out[at] = red * shine
      out[at + 1] = green * shine
      out[at + 2] = blue * shine
    }
  }
  return { width, height, pixels: new Uint8Array(out.buffer) }
}

const zoomMax = ({ height, width }: Grey): number => Math.sqrt(pixels_max / (width * height))

/** Chooses the brightness of the ink and of the paper, and the tint of the light. */
const colourOf = (random: Random, { low_contrast, photo }: Shot): ((grey: number) => Colour) => {
  const white = low_contrast ? random.between(165, 200) : photo ? random.between(196, 222) : random.between(238, 252)
  const black = low_contrast ? white - random.between(55, 85) : random.between(18, 60)
  const warmth = photo ? random.between(-0.03, 0.08) : 0
  const shades = Array.from({ length: 256 }, (_, grey): Colour => {
    const level = black + ((white - black) * grey) / 255
    return [level * (1 + warmth / 2), level, level * (1 - warmth)]
  })
  return (grey) => shades[Math.round(grey)] ?? [0, 0, 0]
}

const sample = ({ height, pixels, width }: Grey, x: number, y: number): number => {
  const row = Math.min(Math.max(Math.floor(y), 0), height - 2)
  const column = Math.min(Math.max(Math.floor(x), 0), width - 2)
  const at = row * width + column
  const right = x - column
  const below = Math.min(Math.max(y - row, 0), 1)
  const top = (pixels[at] ?? 255) * (1 - right) + (pixels[at + 1] ?? 255) * right
  const bottom = (pixels[at + width] ?? 255) * (1 - right) + (pixels[at + width + 1] ?? 255) * right
  return top * (1 - below) + bottom * below
}

const normals_count = 8192

const noisy = (random: Random, pixels: Uint8Array, deviation: number, grey: boolean): Uint8Array => {
  const normals = Float32Array.from({ length: normals_count }, () => random.normal() * deviation)
  const out = new Uint8Array(pixels.length)
  for (let at = 0; at < pixels.length; at += 3) {
    const bits = random.bits()
    for (let channel = 0; channel < 3; channel++) {
      const drawn = normals[(bits >>> (grey ? 0 : channel * 9)) % normals_count] ?? 0
      out[at + channel] = Math.min(255, Math.max(0, (pixels[at + channel] ?? 0) + drawn))
    }
  }
  return out
}
