import type { Random } from "../../../../support/Random.ts"

/** Distance in pixels between the grid points at which a `Field` is computed; the values between are interpolated. */
const cell = 8

/** A value, such as the brightness, for each point of the picture. */
type Field = (x: number, y: number) => number

/**
 * Computes `value` only on a grid, and interpolates between its points. A lookup is then fast however costly `value`
 * is.
 */
const coarse = (width: number, height: number, value: Field): Field => {
  const across = Math.ceil(width / cell) + 2
  const down = Math.ceil(height / cell) + 2
  const values = new Float32Array(across * down)
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) values[row * across + column] = value(column * cell, row * cell)
  }
  return (x, y) => {
    const column = Math.min(Math.max(x / cell, 0), across - 1.001)
    const row = Math.min(Math.max(y / cell, 0), down - 1.001)
    const at = Math.floor(row) * across + Math.floor(column)
    const right = column % 1
    const below = row % 1
    const top = (values[at] ?? 0) * (1 - right) + (values[at + 1] ?? 0) * right
    const bottom = (values[at + across] ?? 0) * (1 - right) + (values[at + across + 1] ?? 0) * right
    return top * (1 - below) + bottom * below
  }
}

const eased = (part: number) => part * part * (3 - 2 * part)

/** Returns a field with random values at points that are `knot` pixels apart, and smooth transitions between them. */
const unevenness = (random: Random, width: number, height: number, knot: number): Field => {
  const across = Math.ceil(width / knot) + 2
  const heights = Array.from({ length: across * (Math.ceil(height / knot) + 2) }, () => random.between(-1, 1))
  return (x, y) => {
    const column = Math.max(0, x / knot)
    const row = Math.max(0, y / knot)
    const at = Math.floor(row) * across + Math.floor(column)
    const right = eased(column % 1)
    const below = eased(row % 1)
    const top = (heights[at] ?? 0) * (1 - right) + (heights[at + 1] ?? 0) * right
    const bottom = (heights[at + across] ?? 0) * (1 - right) + (heights[at + across + 1] ?? 0) * right
    return top * (1 - below) + bottom * below
  }
}

interface Folds {
  /** Brightness relative to flat paper. */
  readonly light: Field
  /** Distance in pixels by which the paper is shifted. */
  readonly shift: Field
}

export const flat: Folds = { light: () => 1, shift: () => 0 }

/** Width in pixels of the change from bright to dark at a crease. */
const crease_pixels = 7

/** Crumples the paper: each crease is bright on one side, dark on the other, and shifts the letters a little. */
export const crumpled = (random: Random, width: number, height: number): Folds => {
  const creases = Array.from({ length: random.whole(4, 9) }, () => {
    const angle = random.between(0, Math.PI)
    return {
      x: random.between(0, width),
      y: random.between(0, height),
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      light: random.between(0.06, 0.2),
      reach: random.between(12, 70)
    }
  })
  const bumps = unevenness(random, width, height, 150)
  const total =
    (of: (distance: number, crease: (typeof creases)[number]) => number): Field =>
    (x, y) =>
      creases.reduce((all, crease) => all + of((x - crease.x) * crease.sin - (y - crease.y) * crease.cos, crease), 0)
  const shade = total(
    (distance, { light, reach }) => Math.tanh(distance / crease_pixels) * light * Math.exp(-Math.abs(distance) / reach)
  )
  const pull = total((distance, { light, reach }) => 8 * light * Math.exp(-Math.abs(distance) / (3 * reach)))
  return {
    light: coarse(width, height, (x, y) => Math.max(0.45, 1 + shade(x, y) + 0.05 * bumps(x, y))),
    shift: coarse(width, height, (x, y) => pull(x, y))
  }
}

/** Light that falls from one side, sometimes with the shadow of the hand or the phone. */
export const lighting = (random: Random, width: number, height: number, shadow: boolean): Field => {
  const angle = random.between(0, 2 * Math.PI)
  const slope = random.between(0.05, 0.3)
  const dark = shadow ? random.between(0.28, 0.48) : 0
  const edge = random.between(0.25, 0.75)
  const soft = random.between(0.02, 0.09)
  const turn = random.between(0, 2 * Math.PI)
  const across = (x: number, y: number, direction: number) =>
    (x / width - 0.5) * Math.cos(direction) + (y / height - 0.5) * Math.sin(direction)
  return coarse(width, height, (x, y) => {
    const shaded = 1 / (1 + Math.exp(-(across(x, y, turn) + 0.5 - edge) / soft))
    return (1 - slope / 2 + slope * across(x, y, angle)) * (1 - dark * shaded)
  })
}

export type Colour = readonly [red: number, green: number, blue: number]

const tables: ReadonlyArray<Colour> = [
  [112, 78, 52],
  [150, 120, 88],
  [70, 70, 74],
  [52, 58, 82],
  [128, 132, 128],
  [40, 36, 34],
  [168, 148, 122]
]

/** A table top: wood with grain, or a plain surface. */
export const table = (random: Random, width: number, height: number): ((x: number, y: number) => Colour) => {
  const [red, green, blue] = random.pick(tables)
  const cloud = coarse(width, height, unevenness(random, width, height, 120))
  const wood = random.chance(0.6)
  const grain = random.between(0.03, 0.09)
  return (x, y) => {
    const wave = wood ? 0.1 * Math.sin(y * grain * 4 + 3 * cloud(x, y) + Math.sin(x * 0.004) * 2) : 0
    const light = 1 + 0.16 * cloud(x, y) + wave
    return [red * light, green * light, blue * light]
  }
}
