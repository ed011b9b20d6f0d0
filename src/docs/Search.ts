/** A place in the documentation that the search can find. */
export interface Entry {
  readonly path: string
  readonly title: string
  /** Title of the page that contains the place. */
  readonly page: string
  readonly text: string
  /** Further names of the place, which count like its title. */
  readonly names?: string
}

interface Found {
  readonly entry: Entry
  readonly excerpt: string
}

const words_max = 8
export const found_max = 40
const excerpt_characters = 160
const title_points = 10

const folded = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** Finds the entries that contain all words; a word in a title counts more than one in the text. */
export const search = (entries: ReadonlyArray<Entry>) => {
  const known = entries.map((entry) => ({
    entry,
    title: folded(`${entry.title} ${entry.page} ${entry.names ?? ""}`),
    text: folded(entry.text)
  }))
  return (query: string): ReadonlyArray<Found> => {
    const words = folded(query).split(/\s+/).filter(Boolean).slice(0, words_max)
    if (words.length === 0) return []
    return known
      .flatMap(({ entry, text, title }) => {
        const points = words.map((word): number => (title.includes(word) ? title_points : text.includes(word) ? 1 : 0))
        const score = points.every((point) => point > 0) ? points.reduce((sum, point) => sum + point, 0) : 0
        return score === 0 ? [] : [{ score, found: { entry, excerpt: excerpt(entry.text, text, words) } }]
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, found_max)
      .map(({ found }) => found)
  }
}

const excerpt = (original: string, text: string, words: ReadonlyArray<string>): string => {
  const places = words.map((word) => text.indexOf(word)).filter((index) => index >= 0)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - excerpt_characters / 4)
  const end = start + excerpt_characters
  const first = start === 0 ? 0 : original.indexOf(" ", start) + 1
  const last = end >= original.length ? original.length : original.lastIndexOf(" ", end)
  // An excerpt begins and ends at a space. If a word is longer than the excerpt, the excerpt is cut inside the word.
  const part = first < last ? original.slice(first, last) : original.slice(start, end)
  return `${start > 0 ? "… " : ""}${part.replaceAll("`", "").trim()}${end < original.length ? " …" : ""}`
}
