import type { StatementFile } from "./StatementFile.ts"

export interface Field {
  readonly tag: string
  readonly text: string
  readonly line: number
}

/** Tags of MT940 and of the interim report MT942. */
const tags = new Set("13 13C 13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D".split(" "))
/** DOS programs end a file with this character. If files are joined into one, it remains between them. */
const end_of_file = "\u001a"

interface Fields {
  readonly fields: ReadonlyArray<Field>
  /** Number of messages with an end mark, i.e. a line that begins with "-". */
  readonly ends: number
  /** True if the last message has an end mark. */
  readonly isEnded: boolean
  /** True if the messages are in SWIFT blocks, each of which has an end. */
  readonly hasBlocks: boolean
}

/** Splits the text into its fields; a line without a tag continues the field above, and "-" ends a message. */
export const fieldsOf = (text: string): Fields => {
  const fields: Array<{ tag: string; text: string; line: number }> = []
  let [ends, isEnded, hasBlocks] = [0, false, false]
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const content = written.replaceAll(end_of_file, "")
    if (/^\s*\{[124]:/.test(content)) [isEnded, hasBlocks] = [false, true]
    const [, tag, rest = ""] = /^(?:\{4:)?:(\d{2}[A-Z]?):(.*)$/.exec(content) ?? []
    // A time of day such as 10:26:37 may be wrapped inside the information of tag 86, so that ":26:" starts a line.
    const isField = tag !== undefined && (tags.has(tag) || fields.at(-1)?.tag !== "86")
    if (isField) {
      fields.push({ tag, text: rest, line: index + 1 })
      isEnded = false
    } else if (/^\s*-(\}.*|XXX\s*|\s*)$/.test(content)) {
      if (!isEnded) ends++
      isEnded = true
    } else if (!isEnded && !/^\s*\{[1-5]:/.test(content) && fields.length > 0) {
      const last = fields[fields.length - 1]
      if (last !== undefined) last.text += `\n${content}`
    }
  }
  return { fields, ends, isEnded, hasBlocks }
}

/**
 * Returns what the file may lack at its end: `page` if its last balance is interim (62M), so that another page should
 * follow, or `message` if only its last message has no end mark. If the bank marks no ends or only some, a missing mark
 * proves nothing.
 */
export const missingEnd = ({ ends, fields, isEnded }: Fields): StatementFile["ends_early"] => {
  if (fields.findLast(({ tag }) => tag.startsWith("62"))?.tag === "62M") return "page"
  const messages = fields.filter(({ tag }) => tag === "20").length
  return !isEnded && ends > 0 && ends === messages - 1 ? "message" : undefined
}
