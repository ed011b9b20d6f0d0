import { expect, it } from "vitest"
import { jsonScan } from "../../../../src/platform/http/edge/JsonScan.ts"

const scanned = (...parts: ReadonlyArray<string>) => {
  const scan = jsonScan(500_000)
  return parts.map((part) => scan(Buffer.from(part, "latin1"))).find((excess) => excess !== undefined)
}

it("a text gets the same result wherever its chunks begin", () => {
  const texts = [
    ["depth", `{"a\\\\":"\\"",${'"b":['.padEnd(80, "[")}`],
    ["depth", `["]\\"]]",${"[".repeat(64)}`],
    [undefined, `["${"[".repeat(100)}\\"${"{".repeat(100)}"]`],
    [undefined, `["\\\\",[${"[]".repeat(100)}]]`]
  ] as const
  for (const [excess, text] of texts) {
    for (let cut = 0; cut <= text.length; cut++) {
      expect([text, cut, scanned(text.slice(0, cut), text.slice(cut))]).toEqual([text, cut, excess])
    }
  }
})

it("names and values are counted over all chunks", () => {
  expect(scanned("{", ...Array<string>(999).fill('"k":1,'))).toBeUndefined()
  expect(scanned("{", ...Array<string>(1_000).fill('"k":1,'))).toBe("size")
  const thousand = "1,".repeat(1_000)
  expect(scanned("[", ...Array<string>(499).fill(thousand))).toBeUndefined()
  expect(scanned("[", ...Array<string>(500).fill(thousand))).toBe("size")
})
