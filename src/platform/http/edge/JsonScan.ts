const json_depth_max = 64
/** Maximum number of names in an object. Parsing an object costs a hundred times as much as parsing an array. */
const json_names_max = 1_000

type Excess = "depth" | "size"

/**
 * Checks a JSON text while it arrives, because parsing blocks the process and recurses into every level. Works on UTF-8
 * bytes: no byte of a multi-byte character equals a JSON delimiter.
 */
export const jsonScan = (values_max: number): ((part: Uint8Array) => Excess | undefined) => {
  let depth = 0
  let values = 1
  /** Number of names of the object at each depth; negative for an array, which has none. */
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
        if (++values > values_max) return "size"
        names[depth] = character === 0x7b ? 1 : -values_max
      } else if (character === 0x5d || character === 0x7d) depth--
      else if (character === 0x2c) {
        const more = (names[depth] ?? 0) + 1
        if (++values > values_max || more > json_names_max) return "size"
        names[depth] = more
      }
    }
    return undefined
  }
}
