import { Result } from "effect"
import { type Assertion, parseRegex, type Syntax } from "./RegexSyntax.ts"

/** States of a compiled expression: repetitions are written out, so nested ones multiply. */
const states_max = 2_000

type State =
  | { readonly _tag: "Character"; readonly matches: (code: number) => boolean; readonly next: number }
  | { readonly _tag: "Split"; readonly left: number; readonly right: number }
  | { readonly _tag: "Assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly _tag: "Match" }

/** Whether the expression matches anywhere in a text. */
type Matcher = (text: string) => boolean

/**
 * A regular expression in the syntax of RE2, which has no backreferences and no lookaround. All states that a text can
 * be in are followed at once (Thompson), so the time is bounded by the text's length times the number of states: no
 * expression of a client can stop the process.
 */
export const linearRegex = (source: string): Result.Result<Matcher, string> =>
  Result.gen(function* () {
    const states: Array<State> = [{ _tag: "Match" }]
    const start = yield* compile(states, yield* parseRegex(source), 0)
    return (text) =>
      run(
        states,
        start,
        Array.from(text, (character) => character.codePointAt(0) ?? 0)
      )
  })

/** Adds the states that lead through the syntax to `next`; answers the first of them. */
const compile = (states: Array<State>, syntax: Syntax, next: number): Result.Result<number, string> =>
  Result.gen(function* () {
    const add = (state: State) => states.push(state) - 1
    if (states.length > states_max) return yield* Result.fail("is too complex.")
    switch (syntax._tag) {
      case "Class":
        return add({ _tag: "Character", matches: syntax.matches, next })
      case "Assertion":
        return add({ _tag: "Assert", assertion: syntax.assertion, next })
      case "Sequence": {
        let first = next
        for (const part of syntax.parts.toReversed()) first = yield* compile(states, part, first)
        return first
      }
      case "Choice": {
        let first: number | undefined
        for (const part of syntax.parts) {
          const entry = yield* compile(states, part, next)
          first = first === undefined ? entry : add({ _tag: "Split", left: first, right: entry })
        }
        return first ?? next
      }
      case "Repeat": {
        let first = next
        if (syntax.max === undefined) {
          // A loop goes through itself: its split is known before what it repeats.
          const loop = states.push({ _tag: "Match" }) - 1
          states[loop] = { _tag: "Split", left: yield* compile(states, syntax.part, loop), right: next }
          first = loop
        } else {
          for (let optional = syntax.min; optional < syntax.max; optional++) {
            const entry = yield* compile(states, syntax.part, first)
            first = add({ _tag: "Split", left: entry, right: next })
          }
        }
        for (let required = 0; required < syntax.min; required++) first = yield* compile(states, syntax.part, first)
        return first
      }
    }
  })

const run = (states: ReadonlyArray<State>, start: number, codes: ReadonlyArray<number>): boolean => {
  let current = new Set<number>()
  for (let position = 0; position <= codes.length; position++) {
    // Anywhere: an attempt begins at each character.
    if (enter(states, start, codes, position, current)) return true
    const code = codes[position]
    const next = new Set<number>()
    if (code !== undefined) {
      for (const index of current) {
        const state = states[index]
        if (state?._tag !== "Character" || !state.matches(code)) continue
        if (enter(states, state.next, codes, position + 1, next)) return true
      }
    }
    current = next
  }
  return false
}

/** Goes on from a state without taking a character; true when that reaches the end of the expression. */
const enter = (
  states: ReadonlyArray<State>,
  from: number,
  codes: ReadonlyArray<number>,
  position: number,
  reached: Set<number>
): boolean => {
  const open = [from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue
    reached.add(index)
    const state = states[index]
    if (state?._tag === "Match") return true
    if (state?._tag === "Split") open.push(state.left, state.right)
    else if (state?._tag === "Assert" && holds(state.assertion, codes, position)) open.push(state.next)
  }
  return false
}

const isWord = (code: number | undefined): boolean =>
  code !== undefined && /^[0-9A-Za-z_]$/.test(String.fromCodePoint(code))

const holds = (assertion: Assertion, codes: ReadonlyArray<number>, position: number): boolean => {
  switch (assertion) {
    case "start":
      return position === 0
    case "end":
      return position === codes.length
    case "boundary":
      return isWord(codes[position - 1]) !== isWord(codes[position])
    case "no boundary":
      return isWord(codes[position - 1]) === isWord(codes[position])
  }
}
