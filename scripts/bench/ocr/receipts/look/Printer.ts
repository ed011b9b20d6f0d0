import type { Random } from "../../../../support/Random.ts"
import type { Grey } from "../print/Typeset.ts"

/** Dots per inch of nearly every thermal till printer (8 per millimetre). */
export const thermal_dpi = 203

interface Wear {
  /** True if the dots do not touch, as in prints of a needle printer or of a cold thermal head. */
  readonly dotted: boolean
  /**
   * True if the print has pale bands across the paper, where the print head was cold, and pale lines along it, where a
   * dot of the head is defective.
   */
  readonly faded: boolean
}

/** Prints a drawing like a thermal printer: every dot is black or white. `Wear` describes the faults of the print. */
export const thermalPrint = (random: Random, { height, pixels, width }: Grey, { dotted, faded }: Wear): Grey => {
  const threshold = random.whole(130, 190)
  const period = random.between(140, 420)
  const phase = random.between(0, 6.28)
  const depth = faded ? random.between(0.35, 0.62) : random.between(0, 0.12)
  const dead = new Set(faded ? Array.from({ length: random.whole(1, 4) }, () => random.whole(20, width - 20)) : [])
  const out = new Uint8Array(pixels.length).fill(255)
  for (let y = 0; y < height; y++) {
    const heat = 1 - depth * (0.5 + 0.5 * Math.sin((y * 2 * Math.PI) / period + phase))
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if ((pixels[at] ?? 255) >= threshold || dead.has(x)) continue
      const alone = dotted && (x & 1) === 1 && (y & 1) === 1
      out[at] = alone ? 215 : 255 - 235 * heat * (0.94 + 0.06 * random.fraction())
    }
  }
  return { width, height, pixels: out }
}
