import { digitsOf, keyOf, type Token, tokensOf } from "./Tokens.ts"

/**
 * Ways to write the number INV-2026-0042: in full, 2026-0042 without the prefix, 20260042 with digits joined (if no
 * letters are between them), 0042 as its last group of digits, and 42 without leading zeros.
 */
export type Form = "full" | "unprefixed" | "joined" | "sequence" | "stripped"

interface Spelling {
  readonly key: string
  readonly form: Form
}

const full_digits_min = 3
const unprefixed_digits_min = 6
const joined_digits_min = 4
const sequence_digits_min = 3
const stripped_digits_min = 2
/** A number without letters is as distinctive as one with letters if it has at least this number of digits. */
const telling_digits_min = 8
/** Maximum number of words and groups of digits in a document number. */
const tokens_max = 6

export interface Mark {
  /** The letters before the first digit. */
  readonly prefix: string
  readonly first_group: string
}

interface Spellings {
  readonly spellings: ReadonlyArray<Spelling>
  readonly mark: Mark
}

export const spellingsOf = (number: string): Spellings | undefined => {
  const tokens = tokensOf(number)
  const first = tokens.findIndex(({ is_number }) => is_number)
  const last = tokens.at(-1)
  if (first < 0 || last === undefined || tokens.length > tokens_max) return undefined
  const numbers = tokens.slice(first)
  const groups = numbers.filter(({ is_number }) => is_number)
  const digits = digitsOf(tokens)
  const is_telling = groups.length < numbers.length || first > 0 || digits >= telling_digits_min
  const spellings: Array<Spelling> = []
  const add = (form: Form, keys: ReadonlyArray<string>) => {
    for (const key of keys) if (spellings.every((known) => known.key !== key)) spellings.push({ key, form })
  }
  if (is_telling && digits >= full_digits_min) add("full", keysOf(tokens))
  if (groups.length > 1 && digits >= unprefixed_digits_min) add("unprefixed", [keyOf(numbers)])
  if (groups.length === numbers.length && digits >= joined_digits_min) {
    add("joined", [groups.map(({ text }) => text).join("")])
  }
  if (last.is_number && (groups.length > 1 || first > 0)) {
    const stripped = last.text.replace(/^0+/, "")
    if (last.text.length >= sequence_digits_min) add("sequence", [last.text])
    if (stripped.length >= stripped_digits_min) add("stripped", [stripped])
  }
  const prefix = tokens.slice(0, first).map(({ text }) => text)
  return { spellings, mark: { prefix: prefix.join(""), first_group: groups[0]?.text ?? "" } }
}

/** Returns the beginning of a spelling, up to the end of its first number. */
export const beginningOf = (key: string): string => /^\D*\d+/.exec(key)?.[0] ?? ""

const keysOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => {
  const key = keyOf(tokens)
  return key.includes(" ") ? [key, key.replaceAll(" ", "")] : [key]
}
