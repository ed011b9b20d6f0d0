import type { Hints } from "../../../../src/expenses/receipts/extraction/Hints.ts"
import type { ScannedPage, Pass, Reading, Word } from "../../../../src/platform/ocr/engines/Reading.ts"

const letter_width = 10
const letter_height = 18
const line_height = 24
const margin = 40

/**
 * Places words as in a monospaced font. Words on both sides of four or more spaces are two lines at the same height, as
 * a recognizer reports two columns.
 */
const passOf = (name: Pass["name"], text: string, confidence: number): Pass => ({
  name,
  lines: text.split("\n").flatMap((line, index) =>
    line.split(/ {4,}/).flatMap((part, order, parts) => {
      const before = parts.slice(0, order).join(" ").length
      const start = line.indexOf(part, before)
      const words = [...part.matchAll(/\S+/g)].map((match): Word => {
        const x0 = margin + (start + match.index) * letter_width
        const y0 = margin + index * line_height
        return { text: match[0], x0, y0, x1: x0 + match[0].length * letter_width, y1: y0 + letter_height, confidence }
      })
      return words.length === 0 ? [] : [{ words }]
    })
  )
})

const pageOf = (passes: ReadonlyArray<Pass>): ScannedPage => {
  const words = passes.flatMap((pass) => pass.lines.flatMap((line) => line.words))
  return {
    width: margin + Math.max(0, ...words.map((word) => word.x1)),
    height: margin + Math.max(0, ...words.map((word) => word.y1)),
    passes
  }
}

/** A photo as read by both passes: the same text twice, unless the second pass gives another text. */
export const photo = (text: string, second = text, confidence = 0.95): Reading => ({
  source: "ocr",
  pages: [pageOf([passOf("flattened", text, confidence), passOf("threshold", second, confidence)])]
})

/** The photo of a tilted receipt, whose lines fall towards the right by this share of their length. */
export const tilted = (text: string, slope: number): Reading => {
  const { source, pages } = photo(text)
  const turned = (word: Word): Word => {
    const fall = (slope * (word.x0 + word.x1)) / 2
    return { ...word, y0: word.y0 + fall, y1: word.y1 + fall }
  }
  const turnedPass = (pass: Pass): Pass => ({
    ...pass,
    lines: pass.lines.map(({ words }) => ({ words: words.map(turned) }))
  })
  return { source, pages: pages.map((page) => ({ ...page, passes: page.passes.map(turnedPass) })) }
}

export const textPdf = (...pages: ReadonlyArray<string>): Reading => ({
  source: "text_layer",
  pages: pages.map((text) => pageOf([passOf("text_layer", text, 1)]))
})

export const hintsOf = (country: string, currency: string, more: Partial<Hints> = {}): Hints => ({
  country,
  currency,
  language: "en",
  today: "2026-03-20",
  own_names: ["Atelier Lumière SRL"],
  ...more
})
