import type { Reading, Word } from "../../../../../src/platform/ocr/engines/Reading.ts"
import { diceOf } from "./RandomReceipt.ts"
import { photo } from "../Readings.ts"

const confusions: Readonly<Record<string, string>> = {
  "0": "OD8",
  "1": "l7I",
  "2": "7Z",
  "3": "8",
  "4": "1",
  "5": "S6",
  "6": "58",
  "7": "1",
  "8": "3B",
  "9": "3g",
  O: "0",
  o: "0",
  l: "1I",
  I: "l1",
  S: "5",
  B: "8",
  E: "F",
  T: "I",
  A: "4",
  "€": "E£",
  ",": ".",
  ".": ",",
  "-": "~",
  "/": "7",
  ":": "."
}

/**
 * Returns the text as two recognition passes misread it: they confuse or miss characters, and miss words. The picture
 * causes some errors in both passes. `severity` is the probability of an error per character.
 */
export const misread = (text: string, seed: number, severity: number): Reading => {
  const common = diceOf(seed * 3 + 1)
  const shared = text.split("\n").map((line) => spoiled(line, common, severity * 0.35))
  const [first, second] = [1, 2].map((pass) => {
    const own = diceOf(seed * 3 + 1 + pass)
    return shared.map((line) => spoiled(line, own, severity * 0.65)).join("\n")
  })
  const clean = photo(first ?? text, second)
  const original = new Set(text.split(/\s+/))
  const doubt = diceOf(seed * 7 + 5)
  return {
    ...clean,
    pages: clean.pages.map((page) => ({
      ...page,
      passes: page.passes.map((pass) => ({
        ...pass,
        lines: pass.lines.map(({ words }) => ({
          words: words.map((word): Word => ({ ...word, confidence: sureness(original.has(word.text), doubt) }))
        }))
      }))
    }))
  }
}

/** Most misread words get a lower confidence, but not all of them. */
const sureness = (isRight: boolean, dice: () => number) => (isRight ? 0.97 - 0.25 * dice() ** 3 : 0.95 - 0.5 * dice())

const spoiled = (line: string, dice: () => number, severity: number): string => {
  if (line !== "" && dice() < severity) return ""
  return line.replace(/\S+/g, (word) => {
    if (dice() < severity * 0.5) return " ".repeat(word.length)
    if (/^\d+[.,]\d\d$/.test(word) && word.length > 4 && dice() < severity) return ` ${word.slice(1)}`
    return Array.from(word, (letter) => {
      if (dice() >= severity) return letter
      const options = confusions[letter]
      return options === undefined
        ? dice() < 0.2
          ? ""
          : letter
        : (options[Math.floor(dice() * options.length)] ?? letter)
    }).join("")
  })
}
