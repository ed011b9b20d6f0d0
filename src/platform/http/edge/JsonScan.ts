const json_depth_max = 64
/** An object with more names than any record has costs a hundred times what a list of the same length does. */
const json_names_max = 1_000

type Excess = "depth" | "values"

/**
 * Whether a JSON text nests deeper or holds more than allowed, asked for each of its parts as it comes: seen before
 * parsing, which recurses and waits, and before the rest of it is there. Bytes of UTF-8 will do: those of other
 * characters are none of these.
 */
export const jsonScan = (values_max: number): ((part: Uint8Array) => Excess | undefined) => {
  let depth = 0
  let values = 1
  /** Of the object at each depth; a list has none. */
  const names: Array<number> = []
  let quoted = false
  let escaped = false
  return (part) => {
    for (let index = 0; index < part.length; index++) {
      const character = part[index]
      if (quoted) {
        if (escaped) escaped = false
        else if (character === 0x5c) escaped = true
        else if (character === 0x22) quoted = false
      } else if (character === 0x22) quoted = true
      else if (character === 0x5b || character === 0x7b) {
        if (++depth > json_depth_max) return "depth"
        if (++values > values_max) return "values"
        names[depth] = character === 0x7b ? 1 : -values_max
      } else if (character === 0x5d || character === 0x7d) depth--
      else if (character === 0x2c) {
        const more = (names[depth] ?? 0) + 1
        if (++values > values_max || more > json_names_max) return "values"
        names[depth] = more
      }
    }
    return undefined
  }
}
