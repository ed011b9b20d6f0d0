import { Result } from "effect"

export type Assertion = "start" | "end" | "boundary" | "no boundary"

export type Syntax =
  | { readonly _tag: "Class"; readonly matches: (code: number) => boolean }
  | { readonly _tag: "Assertion"; readonly assertion: Assertion }
  | { readonly _tag: "Sequence"; readonly parts: ReadonlyArray<Syntax> }
  | { readonly _tag: "Choice"; readonly parts: ReadonlyArray<Syntax> }
  | { readonly _tag: "Repeat"; readonly part: Syntax; readonly min: number; readonly max: number | undefined }

const depth_max = 20
/** As RE2 allows at most 1,000; texts are short. */
const repetitions_max = 100

type Range = readonly [first: number, last: number]

const code = (character: string): number => character.codePointAt(0) ?? 0
const ranges = (text: string): ReadonlyArray<Range> =>
  text.split(" ").map((pair) => [code(pair.slice(0, 1)), code(pair.slice(-1))] as const)

const digits = ranges("09")
const words = ranges("09 AZ az __")
const spaces: ReadonlyArray<Range> = [
  [9, 13],
  [32, 32],
  [160, 160]
]
const shorthands: Readonly<Record<string, ReadonlyArray<Range>>> = { d: digits, w: words, s: spaces }
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" }
const assertions: Readonly<Record<string, Assertion>> = { b: "boundary", B: "no boundary", A: "start", z: "end" }

const within = (set: ReadonlyArray<Range>) => (point: number) =>
  set.some(([first, last]) => point >= first && point <= last)
const outside = (set: ReadonlyArray<Range>) => (point: number) => !within(set)(point)
const everything: ReadonlyArray<Range> = [[0, 0x10ffff]]

/** Everything but the shorthand's characters, as ranges, so that it can stand in a class. */
const complement = (set: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const sorted = set.toSorted(([left], [right]) => left - right)
  const gaps: Array<Range> = []
  let next = 0
  for (const [first, last] of sorted) {
    if (first > next) gaps.push([next, first - 1])
    next = last + 1
  }
  return [...gaps, [next, 0x10ffff]]
}

type Parsed<A> = Result.Result<A, string>
const refuse = (problem: string): Result.Result<never, string> => Result.fail(problem)

/** The part of RE2's syntax that texts of banks call for; what it refuses is said as a predicate. */
export const parseRegex = (source: string): Parsed<Syntax> => {
  const characters = Array.from(source)
  let position = 0
  const peek = () => characters[position]
  const take = () => characters[position++]
  const takes = (character: string): boolean => {
    if (peek() !== character) return false
    position++
    return true
  }

  const choice = (depth: number): Parsed<Syntax> =>
    Result.gen(function* () {
      if (depth > depth_max) return yield* refuse("has too many groups within groups.")
      const parts = [yield* sequence(depth)]
      while (takes("|")) parts.push(yield* sequence(depth))
      return { _tag: "Choice", parts }
    })

  const sequence = (depth: number): Parsed<Syntax> =>
    Result.gen(function* () {
      const parts: Array<Syntax> = []
      while (peek() !== undefined && peek() !== "|" && peek() !== ")") {
        let part = yield* atom(depth)
        let quantifier = yield* repetition()
        if (quantifier !== undefined) {
          part = { _tag: "Repeat", part, ...quantifier }
          quantifier = yield* repetition()
          if (quantifier !== undefined) return yield* refuse("repeats a repetition.")
        }
        parts.push(part)
      }
      return { _tag: "Sequence", parts }
    })

  const repetition = (): Parsed<{ readonly min: number; readonly max: number | undefined } | undefined> =>
    Result.gen(function* () {
      const counted = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(characters.slice(position, position + 12).join(""))
      let found: { readonly min: number; readonly max: number | undefined }
      if (takes("*")) found = { min: 0, max: undefined }
      else if (takes("+")) found = { min: 1, max: undefined }
      else if (takes("?")) found = { min: 0, max: 1 }
      else if (counted === null) return undefined
      else {
        position += counted[0].length
        const min = Number(counted[1])
        const max = counted[2] === undefined ? min : counted[3] === "" ? undefined : Number(counted[3])
        if (Math.max(min, max ?? 0) > repetitions_max)
          return yield* refuse(`repeats more than ${repetitions_max} times.`)
        if (max !== undefined && max < min) return yield* refuse("has a repetition whose end is before its start.")
        found = { min, max }
      }
      // Reluctant or not makes no difference to whether there is a match.
      takes("?")
      return found
    })

  const atom = (depth: number): Parsed<Syntax> =>
    Result.gen(function* () {
      const character = take() ?? ""
      switch (character) {
        case "(": {
          if (takes("?") && !takes(":")) return yield* refuse("may not look around or set flags.")
          const inner = yield* choice(depth + 1)
          if (!takes(")")) return yield* refuse("has a group that is not closed.")
          return inner
        }
        case "[":
          return { _tag: "Class", matches: yield* bracket() }
        case ".":
          return { _tag: "Class", matches: outside([[10, 10]]) }
        case "^":
          return { _tag: "Assertion", assertion: "start" }
        case "$":
          return { _tag: "Assertion", assertion: "end" }
        case "\\": {
          const assertion = assertions[peek() ?? ""]
          if (assertion === undefined) return { _tag: "Class", matches: within(yield* escaped()) }
          position++
          return { _tag: "Assertion", assertion }
        }
        case "*":
        case "+":
        case "?":
          return yield* refuse("repeats nothing.")
        default:
          return { _tag: "Class", matches: within([[code(character), code(character)]]) }
      }
    })

  /** What a backslash makes of the character behind it. */
  const escaped = (): Parsed<ReadonlyArray<Range>> => {
    const character = take()
    if (character === undefined) return refuse("ends with a backslash.")
    const shorthand = shorthands[character.toLowerCase()]
    if (shorthand !== undefined) return Result.succeed(/[A-Z]/.test(character) ? complement(shorthand) : shorthand)
    const control = controls[character]
    if (control === undefined && /[0-9A-Za-z]/.test(character)) return refuse(`has the unknown escape \\${character}.`)
    const point = code(control ?? character)
    return Result.succeed([[point, point]])
  }

  const bracket = (): Parsed<(point: number) => boolean> =>
    Result.gen(function* () {
      const negated = takes("^")
      const set: Array<Range> = []
      for (let first = true; first || peek() !== "]"; first = false) {
        const character = take()
        if (character === undefined) return yield* refuse("has a class that is not closed.")
        const members = character === "\\" ? yield* escaped() : ([[code(character), code(character)]] as const)
        const [start, ...more] = members
        const isRange = peek() === "-" && characters[position + 1] !== "]" && characters[position + 1] !== undefined
        if (!isRange || start === undefined || more.length > 0) {
          set.push(...members)
          continue
        }
        position++
        const end = take() ?? ""
        const last = end === "\\" ? ((yield* escaped())[0]?.[1] ?? 0) : code(end)
        if (last < start[0]) return yield* refuse("has a range whose end is before its start.")
        set.push([start[0], last])
      }
      position++
      return negated ? outside(set) : within(set.length > 0 ? set : everything)
    })

  return Result.gen(function* () {
    const syntax = yield* choice(0)
    return position < characters.length ? yield* refuse("closes a group that is not open.") : syntax
  })
}
