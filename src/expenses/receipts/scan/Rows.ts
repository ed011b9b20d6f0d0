import type { Box, Heads, Line, Reading, Word } from "../../../platform/ocr/engines/Reading.ts"
import { separated } from "./GluedWords.ts"
import { type Label, labelsOf } from "./Keywords.ts"

/** Maximum number of words that are read, because further ones would take too much time. */
const words_max = 4_000
const characters_max = 80
const words_per_row_max = 60
/** The following limits are multiples of a letter's height. */
const baseline_shift_max = 0.55
const overlap_max = 0.4

/** A line as a person would read it, with a label and its amount together even if recognition has split the line. */
export interface Row {
  readonly page: number
  readonly pass: number
  readonly words: ReadonlyArray<Word>
  readonly text: string
  readonly labels: ReadonlyArray<Label>
  /** Ranges from 0 at the top of the first page to 1 at the bottom of the last one. */
  readonly position: number
  readonly height: number
  readonly confidence: number
}

/** Lists the rows of every recognition pass from top to bottom. */
export const rowsOf = (reading: Reading): ReadonlyArray<Row> => {
  const label = labelsOf()
  let left = words_max
  return reading.pages.flatMap((page, pageIndex) =>
    page.passes.flatMap((pass, passIndex) => {
      const lines = pass.lines.flatMap((line) => {
        const words = wordsIn(line).slice(0, Math.max(0, left))
        left -= words.length
        return words.length === 0 ? [] : [words.toSorted((a, b) => a.x0 - b.x0)]
      })
      return joined(lines).map((words): Row => {
        const middle = mean(words.map(centre))
        return {
          page: pageIndex,
          pass: passIndex,
          words,
          text: words.map((word) => word.text).join(" "),
          labels: label(words.map((word) => word.text)),
          position: (pageIndex + clamp(middle / Math.max(1, page.height))) / reading.pages.length,
          height: median(words.map(heightOf)),
          confidence: mean(words.map((word) => word.confidence))
        }
      })
    })
  )
}

/** True if words at the end of the document are not read. */
export const exceedsWords = ({ pages }: Reading): boolean => {
  const lines = pages.flatMap(({ passes }) => passes.flatMap(({ lines }) => lines))
  return lines.flatMap(wordsIn).length > words_max
}

export const headRowsOf = (heads: Heads, { pages: [page], source }: Reading): ReadonlyArray<ReadonlyArray<Row>> =>
  page === undefined
    ? []
    : heads.map((lines) => rowsOf({ source, pages: [{ ...page, passes: [{ name: "neural", lines }] }] }))

/** Joins lines that continue to the right, even if the paper is tilted. */
const joined = (lines: ReadonlyArray<ReadonlyArray<Word>>): ReadonlyArray<ReadonlyArray<Word>> => {
  const band = Math.max(1, median(lines.flat().map(heightOf)))
  const rows: Array<Array<Word>> = []
  const open = new Map<number, Array<Array<Word>>>()
  const level = levelled(lines)
  const bandOf = (word: Word) => Math.floor(level(word) / band)
  for (const line of lines.toSorted((a, b) => first(a).x0 - first(b).x0)) {
    const start = first(line)
    const near = [-1, 0, 1].flatMap((step) => open.get(bandOf(start) + step) ?? [])
    const row = nearest(near, start, level)
    const grown = row ?? []
    if (row === undefined) rows.push(grown)
    else remove(open.get(bandOf(last(row))), row)
    grown.push(...line)
    const key = bandOf(last(grown))
    if (grown.length < words_per_row_max) open.set(key, [...(open.get(key) ?? []), grown])
  }
  return rows.toSorted((a, b) => mean(a.map(level)) - mean(b.map(level)))
}

/** Minimum length of a line whose slope is measured, as a multiple of its letters' height. */
const measured_length_min = 5

/**
 * Returns the vertical position that a word would have on level paper, from the slopes of the lines above and below.
 */
const levelled = (lines: ReadonlyArray<ReadonlyArray<Word>>): ((word: Word) => number) => {
  const measured = lines
    .map((line) => ({ start: first(line), end: last(line) }))
    .filter(({ end, start }) => middle(end) > middle(start))
    .filter(({ end, start }) => end.x1 - start.x0 > measured_length_min * heightOf(start))
    .map(({ end, start }) => ({
      at: (centre(start) + centre(end)) / 2,
      slope: (centre(end) - centre(start)) / (middle(end) - middle(start))
    }))
    .toSorted((a, b) => a.at - b.at)
  const known = measured.map(({ at }, index) => ({
    at,
    slope: median(measured.slice(Math.max(0, index - 1), index + 2).map(({ slope }) => slope))
  }))
  const axis = median(lines.flat().map(middle))
  const slopeAt = (place: number): number => {
    const index = known.findIndex(({ at }) => at >= place)
    const [above, below] = [known.at(index === -1 ? -1 : Math.max(0, index - 1)), known.at(index)]
    if (above === undefined || below === undefined) return 0
    const share = below.at === above.at ? 0 : clamp((place - above.at) / (below.at - above.at))
    return above.slope + share * (below.slope - above.slope)
  }
  const levels = new Map(
    lines.flat().map((word) => [word, centre(word) - slopeAt(centre(word)) * (middle(word) - axis)])
  )
  return (word) => levels.get(word) ?? centre(word)
}

const nearest = (
  rows: ReadonlyArray<Array<Word>>,
  start: Word,
  level: (word: Word) => number
): Array<Word> | undefined => {
  let best: Array<Word> | undefined
  let distance = baseline_shift_max
  for (const row of rows) {
    const end = last(row)
    const height = Math.max(1, Math.min(heightOf(end), heightOf(start)))
    const shift = Math.abs(level(end) - level(start)) / height
    if (shift < distance && end.x1 <= start.x0 + overlap_max * height) {
      best = row
      distance = shift
    }
  }
  return best
}

const remove = (rows: Array<Array<Word>> | undefined, row: Array<Word>) => {
  const index = rows?.indexOf(row) ?? -1
  if (index >= 0) rows?.splice(index, 1)
}

const wordsIn = ({ words }: Line) => words.filter(isLegible).flatMap(separated)
const isLegible = (word: Word) => word.text.length > 0 && word.text.length <= characters_max && /\S/.test(word.text)
const nowhere: Word = { text: "", x0: 0, y0: 0, x1: 0, y1: 0, confidence: 0 }
const first = (words: ReadonlyArray<Word>) => words[0] ?? nowhere
const last = (words: ReadonlyArray<Word>) => words.at(-1) ?? nowhere
const centre = (word: Word) => (word.y0 + word.y1) / 2
const middle = (word: Word) => (word.x0 + word.x1) / 2

export const boxOf = (words: ReadonlyArray<Word>): Box => ({
  x0: Math.min(...words.map((word) => word.x0)),
  y0: Math.min(...words.map((word) => word.y0)),
  x1: Math.max(...words.map((word) => word.x1)),
  y1: Math.max(...words.map((word) => word.y1))
})

export const heightOf = (word: Word) => word.y1 - word.y0

const clamp = (value: number) => Math.min(1, Math.max(0, value))

export const mean = (values: ReadonlyArray<number>) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
