import { searchText } from "../../kernel/SearchText.ts"

/** Normalizes a text for comparison: NFKC, lower case, no accents, single spaces. */
export const folded = (text: string): string => searchText([text])

/**
 * Keeps only letters and digits, of any script, in capitals and without accents. Numbers and references are written
 * with or without dots, slashes and spaces, so they are compared in this form.
 */
export const lettersAndDigits = (text: string): string =>
  folded(text)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, "")

const tokensOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Legal forms, which show the kind of a company but do not identify it. */
const legal_forms = new Set(
  (
    "ab ag aps as asbl bv bvba co comm commv company corp cv cvba doo eg eirl ek eurl gbr gie gmbh inc kft kg limited llc " +
    "llp ltd ltda mbh nv ohg oy oyj plc pty sa sagl sarl sas sasu sc scop scrl sci sl slu snc sp spa spol spzoo srl srls " +
    "sro stichting ug vof vzw"
  ).split(" ")
)

export interface Name {
  /** The words that distinguish the name from others: "Müller & Söhne GmbH" has muller and sohne. */
  readonly words: ReadonlySet<string>
  /** All runs of three characters of the words, each word with two blanks before it and one after it. */
  readonly trigrams: ReadonlySet<string>
  /** The words that contain a digit, in order. */
  readonly digits: string
}

export const nameOf = (text: string | null): Name => {
  // B.V. and S.A. are written with and without dots.
  const tokens = tokensOf(folded(text ?? "").replaceAll(/\b(\p{L})\.(?=\p{L}\b)/gu, "$1"))
  const telling = tokens.filter((token) => !legal_forms.has(token))
  const words = new Set(telling.length > 0 ? telling : tokens)
  const trigrams = new Set<string>()
  for (const word of words) {
    const padded = `  ${word} `
    for (let start = 0; start + 3 <= padded.length; start++) trigrams.add(padded.slice(start, start + 3))
  }
  const digits = [...words].filter((word) => /\d/.test(word)).toSorted()
  return { words, trigrams, digits: digits.join(" ") }
}

/** Maximum similarity of two names of which one lacks words of the other, because a bank truncated it. */
const contained_factor = 0.95
const contained_words_min = 2
/** Minimum length of a truncated word; shorter beginnings, such as initials, occur in too many names. */
const beginning_characters_min = 2
/** Maximum similarity of names like "Customer 12" and "Customer 13", which look alike but differ in digits. */
export const other_digits_max = 0.5

/** Minimum similarity of two names that belong to one party. */
export const name_same_min = 0.9

/** Returns how similar two names are, from 0 to 1, by the trigrams that they have in common. */
export const similarity = (left: Name, right: Name): number => {
  const [small, large] = left.trigrams.size <= right.trigrams.size ? [left, right] : [right, left]
  if (small.trigrams.size === 0) return 0
  let common = 0
  for (const trigram of small.trigrams) if (large.trigrams.has(trigram)) common++
  const share = common / (small.trigrams.size + large.trigrams.size - common)
  const alike = isContained(small, large) ? Math.max(share, (contained_factor * common) / small.trigrams.size) : share
  return left.digits === right.digits ? alike : Math.min(alike, other_digits_max)
}

/**
 * True if the smaller name has at least two words, and each of them occurs in the other name, as a whole or truncated.
 */
const isContained = (small: Name, large: Name): boolean => {
  const left = new Set(large.words)
  const isFound = (word: string) => {
    const found = left.has(word)
      ? word
      : [...left].find((other) => isBeginning(word, other) || isBeginning(other, word))
    return found !== undefined && left.delete(found)
  }
  return small.words.size >= contained_words_min && [...small.words].every(isFound)
}

const isBeginning = (beginning: string, word: string): boolean =>
  beginning.length >= beginning_characters_min && word.startsWith(beginning)
