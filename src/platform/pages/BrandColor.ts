/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const text_contrast_min = 4.5
const shades = 100

/** Colour of documents, mails and pages of an organization that has chosen none. */
export const brand_color_default = "#1a5fb4"

const white = "#ffffff"
const black = "#000000"

/** Returns the nearest shade of a colour that is readable as text on the background. */
export const readableOn = (color: string, background: string): string => {
  const end = inkOn(background)
  // A dark colour is first made brighter and only then paler. Made paler alone, it would look grey, like disabled text.
  const bright = end === white ? brightest(color) : color
  for (const [from, to] of [
    [color, bright],
    [bright, end]
  ] as const) {
    for (let step = 0; step < shades; step++) {
      const shade = mixed(from, to, step / shades)
      if (contrast(shade, background) >= text_contrast_min) return shade
    }
  }
  return end
}

/** Returns black or white, whichever is easier to read on the colour. The contrast is always more than 4.5. */
export const inkOn = (color: string): string => (contrast(color, white) >= contrast(color, black) ? white : black)

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mixed = (color: string, end: string, share: number): string => {
  const ends = channelsOf(end)
  return colorOf(channelsOf(color).map((from, index) => from + ((ends[index] ?? 0) - from) * share))
}

/** Returns the same hue with its strongest channel at full strength. */
const brightest = (color: string): string => {
  const channels = channelsOf(color)
  const most = Math.max(...channels)
  return most === 0 ? white : colorOf(channels.map((channel) => (channel * 255) / most))
}

const colorOf = (channels: ReadonlyArray<number>): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
