import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvOf } from "../../../src/platform/documents/Csv.ts"
import { csvRecords } from "../../support/files/CsvRecords.ts"

const file = csvOf([
  { name: "note", isWords: true },
  { name: "code, of the service", isWords: false }
])

/** Reads the records after the byte order mark. */
const read = (cells: Parameters<typeof file.line>[0]) => {
  const [record] = csvRecords((file.header + file.line(cells)).slice(1))
  return [record?.["note"], record?.["code, of the service"]]
}

const signs = ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20", "\t", "\r", "\n"]

describe("a CSV file", () => {
  it("begins with a byte order mark and the names of its columns", () => {
    expect(file.header).toBe('\uFEFFnote,"code, of the service"\r\n')
  })

  it("keeps every text, and puts an apostrophe before one that a spreadsheet would compute", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(...signs, '"', ",", ";", " ", "'", "a") })
    )
    fc.assert(
      fc.property(texts, texts, (words, code) => {
        const [note = "", own] = read([words, code])
        expect([words, `'${words}`]).toContain(note)
        expect(signs).not.toContain(note.charAt(0))
        expect(signs).not.toContain(note.trim().charAt(0))
        expect(own).toBe(code)
      })
    )
  })

  it("writes numbers (also negative ones) and flags unchanged, and null as an empty cell", () => {
    expect(file.line([-1.5, "-1.50"])).toBe("-1.5,-1.50\r\n")
    expect(file.line([true, null])).toBe("true,\r\n")
  })
})
