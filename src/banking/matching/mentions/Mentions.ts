import { referenceOf } from "../../texts/References.ts"
import type { Form, Mark } from "./Spellings.ts"
import { digitsOf, keyOf, type Token, tokensOf, unwrapped } from "./Tokens.ts"

/** Ways in which a line mentions a document, from the most to the least certain, with their points. */
export const mention_points = { reference: 12, number: 9, keyword: 7, bare: 5, short: 2 } as const
export type Mention = keyof typeof mention_points

/** If a mention has at least this number of points, the line certainly means the mentioned document. */
export const mention_clear_min = mention_points.number

export interface Spelled<A> {
  readonly entry: A
  readonly form: Form
  readonly mark: Mark
}

/**
 * A spelling is one way to write a document's number. The map has the beginning of each spelling, up to the end of its
 * first group of digits, and the length of the longest spelling that begins like this.
 */
type Beginnings = ReadonlyMap<string, number>

/** Open documents by their structured references, and by the spellings of their numbers. */
interface MentionIndex<A> {
  readonly references: ReadonlyMap<string, ReadonlyArray<A>>
  readonly spelled: (key: string) => ReadonlyArray<Spelled<A>>
  /** The beginnings of the spellings of all document numbers. Tokens with another beginning are not looked up. */
  readonly beginnings: Beginnings
}

const run_tokens_max = 6
/** Maximum words without digits at the start of a document number: "Factuur INV 2026" has two. */
const run_words_max = 3

const keyword =
  /^(?:inv(?:oice)?s?|fact?(?:uur|ure|ura)?|facturen|fattura|rechnung(?:en|s)?|rg|faktura|bill|nota)(?:nr|no|num|number|nummer|numero)?$/
const number_word = /^(?:n|nr|no|num|numero|number|nummer|ref|reference|referentie)$/
/** Words that show that the number after them is not the number of an invoice. */
const foreign_word =
  /^(?:cn|creditnota|avoir|gutschrift|po|order|bestel\p{L}*|commande|auftrag|quo|quote|offerte|devis|angebot|klant\p{L}*|client|kunden?\p{L}*|kd|customer|lid|dossier|contract|vertrag|polis\p{L}*|tel|gsm|btw|vat|tva|ust)$/u

interface Run {
  readonly start: number
  readonly end: number
  /** The tokens of the run as one text (see `keyOf`). */
  readonly key: string
}

/** Returns each document that the text mentions, with the most certain way in which it does so. */
export const mentionsIn = <A>(text: string, index: MentionIndex<A>): ReadonlyMap<A, Mention> => {
  const tokens = tokensOf(text)
  const found = new Map<A, Mention>()
  const add = (entry: A, mention: Mention | undefined) => {
    const known = found.get(entry)
    if (mention === undefined || (known !== undefined && mention_points[known] >= mention_points[mention])) return
    found.set(entry, mention)
  }
  for (const reference of structuredIn(tokens)) {
    for (const entry of index.references.get(reference) ?? []) add(entry, "reference")
  }
  const search = (tokens: ReadonlyArray<Token>) => {
    for (const run of runsOf(tokens, index.beginnings)) {
      for (const { entry, form, mark } of index.spelled(run.key)) {
        const mention = mentionOf(tokens, run, form, mark)
        add(entry, mention)
        if (mention !== "number") continue
        for (const key of continuations(tokens, run)) {
          for (const next of index.spelled(key)) if (next.form === form) add(next.entry, "keyword")
        }
      }
    }
  }
  search(tokens)
  // Two numbers with a blank between them are joined only if the text mentions no complete number.
  const joined = unwrapped(tokens)
  const is_clear = [...found.values()].some((mention) => mention_points[mention] >= mention_clear_min)
  if (!is_clear && joined.length < tokens.length) search(joined)
  return found
}

/**
 * Lists the parts of a text that may be numbers of documents that are not open, for a search in the database. Each part
 * has only letters and digits, in upper case.
 */
export const mentionedKeys = (text: string) => {
  const tokens = tokensOf(text)
  const exact = new Set(structuredIn(tokens))
  /** Digits that may be the end of a document number whose letters the text omits. */
  const endings = new Set<string>()
  const joined = unwrapped(tokens)
  for (const each of joined.length < tokens.length ? [tokens, joined] : [tokens]) {
    for (const found of runsOf(each)) {
      const { end, start } = found
      if (each[end]?.is_number !== true || isContinued(each, end)) continue
      const run = tokensIn(each, found)
      if (digitsOf(run) < 3) continue
      const key = found.key.replaceAll(" ", "")
      const has_letters = run.some(({ is_number }) => !is_number)
      if (has_letters || key.length >= 8) exact.add(key.toUpperCase())
      if (!has_letters && run.length > 1 && key.length >= 6 && !run.some(({ is_other }) => is_other)) {
        if (!isPartOfOther(each, start, "")) endings.add(key)
      }
    }
  }
  return { exact: [...exact], endings: [...endings] }
}

/**
 * Lists the runs of tokens that contain a number. With `beginnings`, it lists only runs that may spell the number of an
 * open document.
 */
function* runsOf(tokens: ReadonlyArray<Token>, beginnings?: Beginnings): Generator<Run> {
  for (const start of tokens.keys()) {
    let key = ""
    let previous: Token | undefined
    let has_number = false
    let length_max = Infinity
    for (let end = start; end < start + run_tokens_max; end++) {
      const token = tokens[end]
      if (token === undefined) break
      key += token.is_number && previous?.is_number === true ? ` ${token.text}` : token.text
      if (token.is_number && !has_number && beginnings !== undefined) length_max = beginnings.get(key) ?? 0
      if (key.length > length_max) break
      previous = token
      has_number ||= token.is_number
      if (has_number) yield { start, end, key }
      else if (end - start + 1 >= run_words_max) break
    }
  }
}

const tokensIn = (tokens: ReadonlyArray<Token>, { end, start }: Run) => tokens.slice(start, end + 1)

/**
 * Returns how certainly the tokens of `run`, which spell a number in the way `form`, mention its document; undefined if
 * they mean something else.
 */
const mentionOf = (tokens: ReadonlyArray<Token>, run: Run, form: Form, mark: Mark): Mention | undefined => {
  const own = tokensIn(tokens, run)
  const has_letters = own.some(({ is_number }) => !is_number)
  if (isContinued(tokens, run.end)) return undefined
  if (form === "full" && has_letters) return "number"
  if (isPartOfOther(tokens, run.start, mark.prefix)) return undefined
  const is_named = isNamed(tokens, run.start, mark.prefix)
  if (own.some(({ is_other }) => is_other) && !is_named) return undefined
  if (form === "full" || form === "unprefixed") return "number"
  if (!isAlone(tokens, run, mark)) return undefined
  const digits = digitsOf(own)
  if (is_named) return digits < 3 ? "short" : "keyword"
  if (form === "stripped" || digits < 4) return undefined
  return digits === 4 ? "short" : "bare"
}

/** True if the mentioned number goes on after token `end`: INV-2026-0042-7 is not INV-2026-0042. */
const isContinued = (tokens: ReadonlyArray<Token>, end: number): boolean => {
  const next = tokens[end + 1]
  return next?.is_number === true && /^[-._:]$/.test(next.gap)
}

/**
 * True if the number from token `start` is only the end of another number: PO-2026-0042 and 05/2026-0042 do not mention
 * 2026-0042.
 */
const isPartOfOther = (tokens: ReadonlyArray<Token>, start: number, prefix: string): boolean => {
  const [first, previous] = [tokens[start], tokens[start - 1]]
  if (first === undefined || previous === undefined) return false
  if (previous.is_number) return /^[-/._:]$/.test(first.gap)
  if (previous.text === prefix || keyword.test(previous.text) || number_word.test(previous.text)) {
    return foreign_word.test(tokens[start - 2]?.text ?? "")
  }
  return /^[-/._#]?$/.test(first.gap) || foreign_word.test(previous.text)
}

/** True if the run follows a word for "invoice", or the letters with which the document's number begins. */
const isNamed = (tokens: ReadonlyArray<Token>, start: number, prefix: string): boolean => {
  const [previous, before] = [tokens[start - 1]?.text ?? "", tokens[start - 2]?.text ?? ""]
  return (
    keyword.test(previous) ||
    (prefix !== "" && previous === prefix) ||
    (number_word.test(previous) && keyword.test(before))
  )
}

/**
 * False if the run is a part of a longer number. A list of numbers of one length, such as 0042,0043, does not
 * count as a longer number.
 */
const isAlone = (tokens: ReadonlyArray<Token>, { end, start }: Run, mark: Mark): boolean => {
  const [first, next, previous] = [tokens[start], tokens[end + 1], tokens[start - 1]]
  const isListed = (gap: string, other: string) => /^[,;+&/]$/.test(gap) && other.length === first?.text.length
  if (next !== undefined && !/\s/.test(next.gap) && !isListed(next.gap, next.text)) {
    if (next.is_number || next.gap === "") return false
  }
  if (previous?.is_number !== true || first === undefined) return true
  // In "2025 0042", 0042 is a number of the year 2025, so it does not mention the document 2026-0042.
  if (/\s/.test(first.gap)) return !/^(?:19|20)\d\d$/.test(previous.text) || previous.text === mark.first_group
  return isListed(first.gap, previous.text)
}

/** Returns the keys of the numbers that continue a list: "INV-2026-0042, 0043 en 47" mentions three numbers. */
const continuations = (tokens: ReadonlyArray<Token>, found: Run): ReadonlyArray<string> => {
  const keys: Array<string> = []
  const run = tokensIn(tokens, found)
  const last = run.at(-1)
  if (last?.is_number !== true) return keys
  for (const token of tokens.slice(found.end + 1)) {
    if (!token.is_number && /^(?:en|et|und|and|e|y|plus|u)$/.test(token.text)) continue
    if (!token.is_number || token.text.length > last.text.length || token.text.length < 2 || token.is_other) break
    // A later number of a list may be shortened to its last digits: after 0042, "47" means 0047.
    const text = last.text.slice(0, last.text.length - token.text.length) + token.text
    keys.push(keyOf([...run.slice(0, -1), { ...token, text }]))
  }
  return keys
}

const belgian_digits = 12
const swiss_digits = 27
const creditor_characters_max = 25

/** Finds all structured references with valid check digits, with any usual separators between their digits. */
const structuredIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [start, first] of tokens.entries()) {
    const is_creditor = first.text === "rf"
    if (!is_creditor && !first.is_number) continue
    let text = ""
    for (const token of tokens.slice(start)) {
      const is_apart = text !== "" && !/^[\s/.+*-]{0,3}$/.test(token.gap)
      if (is_apart || (!is_creditor && !token.is_number) || (is_creditor && text !== "" && token.text === "rf")) break
      text += token.text.toUpperCase()
      if (text.length > (is_creditor ? creditor_characters_max : swiss_digits)) break
      if (is_creditor || text.length === belgian_digits) {
        const reference = referenceOf(text)
        if (reference !== undefined) found.push(reference)
      }
      if (!is_creditor && text.length === swiss_digits && isSwiss(text)) found.push(text)
    }
  }
  return found
}

/** Table for the Swiss check digit ("modulo 10, recursive"): the carry after each digit. */
const swiss_carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
const isSwiss = (digits: string): boolean => {
  const carry = Array.from(digits.slice(0, -1)).reduce(
    (rest, digit) => swiss_carries[(rest + Number(digit)) % 10] ?? 0,
    0
  )
  return (10 - carry) % 10 === Number(digits.at(-1))
}

/** Returns the structured reference in a text, without punctuation; undefined if the text contains none. */
export const structuredOf = (reference: string): string | undefined => structuredIn(tokensOf(reference))[0]
