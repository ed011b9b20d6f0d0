import { asIban } from "../../records/Statement.ts"
import { folded } from "../../texts/Words.ts"

export interface Token {
  readonly text: string
  readonly is_number: boolean
  /** The text between the previous token and this one. */
  readonly gap: string
  /** True if the token is part of a date or an IBAN, which could be mistaken for the number of a document. */
  readonly is_other: boolean
}

const tokens_max = 200
const date = /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:(?:19|20)\d{2}|\d{2})|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?!\d)/g
const compact_date =
  /^(?:20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])20\d\d)$/
const iban = /(?<![a-z\d])[a-z]{2}\d{2}(?: ?[a-z\d]{4}){2,7}(?: ?[a-z\d]{1,3})?(?![a-z\d])/g

/**
 * Splits a text into words and numbers, also between a letter and a digit, because payers and banks add and drop
 * separators there.
 */
export const tokensOf = (text: string): ReadonlyArray<Token> => {
  const plain = folded(text)
  const others = [
    ...plain.matchAll(date),
    ...[...plain.matchAll(iban)].filter(([found]) => asIban(found) !== undefined)
  ]
  const tokens: Array<Token> = []
  let end = 0
  for (const { 0: found, index } of plain.matchAll(/\d+|[\p{L}\p{M}]+/gu)) {
    if (tokens.length === tokens_max) break
    const is_other =
      compact_date.test(found) || others.some((other) => index >= other.index && index < other.index + other[0].length)
    tokens.push({ text: found, is_number: /^\d/.test(found), gap: plain.slice(end, index), is_other })
    end = index + found.length
  }
  return tokens
}

/** Joins two numbers into one if only a blank separates them: banks break long texts anywhere, even within a number. */
export const unwrapped = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const joined: Array<Token> = []
  for (const token of tokens) {
    const last = joined.at(-1)
    if (last?.is_number === true && token.is_number && token.gap === " ") {
      joined.splice(-1, 1, { ...last, text: last.text + token.text, is_other: last.is_other || token.is_other })
    } else joined.push(token)
  }
  return joined
}

/** Joins tokens to one text without separators, except for a blank between two adjacent numbers. */
export const keyOf = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map(({ is_number, text }, index) => (is_number && tokens[index - 1]?.is_number === true ? ` ${text}` : text))
    .join("")

export const digitsOf = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { is_number, text }) => sum + (is_number ? text.length : 0), 0)
