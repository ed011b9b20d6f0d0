import { Result } from "effect"
import { RE2JS } from "re2js"
import { folded } from "../texts/Words.ts"

/** Maximum number of instructions in a compiled regular expression; each repetition of a quantifier counts. */
const program_instructions_max = 1_000

export interface Regex {
  readonly test: (folded_text: string) => boolean
}

/**
 * Compiles an RE2 expression for texts that `folded` has normalized. A failure is the rest of an error message that
 * begins with a field's name.
 */
export const compileRegex = (pattern: string): Result.Result<RE2JS, string> =>
  Result.try({
    try: () => {
      const source = foldedPattern(pattern)
      // Normalized texts are in lower case, so a pattern in lower case suffices. Ignoring case would take RE2JS three
      // to ten times as long.
      return case_matters.test(source)
        ? RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
        : RE2JS.compile(source.replaceAll(/\\.|[A-Z]/gs, (part) => (part.length > 1 ? part : part.toLowerCase())))
    },
    catch: (cause) => `must be a regular expression that RE2 accepts: ${reasonOf(cause)}.`
  })

export const problemOf = (pattern: string): string | null =>
  Result.match(compileRegex(pattern), {
    onFailure: (problem) => problem,
    onSuccess: (regex) => {
      const instructions = regex.programSize()
      if (instructions <= program_instructions_max) return null
      return `compiles to ${instructions} instructions; at most ${program_instructions_max} are allowed.`
    }
  })

/** Returns RE2JS's message without the expression at its end, which has a flag that the client did not write. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^error parsing regexp: /, "").replace(/: `.*$/s, "")

/** Parts that would change their meaning in lower case: escapes, flags, names, classes and ranges. */
const case_matters = /\\[^dDwWsSbBAzfnrtv\W_]|\(\?(?!:)|\[:|\[\^?\]?[^\]]*[A-Z]/

/** Matches the parts of a pattern that folding changes: a bracket expression, an escape, or one non-ASCII character. */
const foldable = /\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\\.|[^\0-\x7f]/gsu

/** Normalizes the literal characters of a pattern in the same way as `folded` normalizes the texts of lines. */
const foldedPattern = (pattern: string): string =>
  pattern.replaceAll(foldable, (part) => {
    if (part.startsWith("[")) return part.replaceAll(/\\?[^\0-\x7f]/gu, (character) => literal(character))
    if (/^\\[\0-\x7f]/.test(part)) return part
    const text = literal(part)
    // A quantifier after a character such as ß must apply to all letters that the character folds to.
    return /^(?:\\?.)?$/su.test(text) ? text : `(?:${text})`
  })

const literal = (escaped: string): string => {
  const character = escaped.replace(/^\\/, "")
  return /\s/u.test(character) ? " " : RE2JS.quote(folded(character))
}
