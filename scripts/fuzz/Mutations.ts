import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { literals, numbers, strings, structures } from "./hostile/Hostile.ts"
import { isRecord, Literal, Pairs } from "./Values.ts"

const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...strings),
  fc.constantFrom(...numbers),
  fc.constantFrom(...literals).map((text) => new Literal(text)),
  fc.constantFrom(...structures),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.double(),
  fc.integer()
)

const kinds = ["replace", "replace", "replace", "remove", "wrap", "repeat", "add"] as const

interface Mutation {
  readonly kind: (typeof kinds)[number]
  /** Position of the changed value among all values in the body, including nested ones, modulo their number. */
  readonly place: number
  readonly value: unknown
}

const mutation: Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...kinds),
  place: fc.nat(10_000),
  value: hostile
})

/** Usually at most one mutation, because every further one makes it likelier that the request is refused early. */
export const mutations: Arbitrary<ReadonlyArray<Mutation>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant([]) },
  { weight: 8, arbitrary: fc.tuple(mutation) },
  { weight: 2, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 5 }) }
)

const placesOf = (value: unknown): number => {
  const children = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return children.reduce<number>((sum, child) => sum + placesOf(child), 1)
}

/** Returns the entries that replace an object's field or a list's element: none, one or two. */
const changed = <Key>(key: Key, value: unknown, { kind, value: given }: Mutation): ReadonlyArray<[Key, unknown]> => {
  switch (kind) {
    case "replace":
      return [[key, given]]
    case "remove":
      return []
    case "wrap":
      return [[key, [value]]]
    case "repeat":
      return [
        [key, given],
        [key, value]
      ]
    case "add":
      return [
        [key, value],
        [key, value]
      ]
  }
}

const rebuilt = (entries: ReadonlyArray<readonly [string, unknown]>, added: boolean) =>
  added ? new Pairs(entries) : Object.fromEntries(entries)

/** Changes a value at any depth: place 0 is the body, and the others are its fields and elements. */
const mutated = (value: unknown, place: number, mutation: Mutation): unknown => {
  if (place === 0) return mutation.kind === "wrap" ? [value] : mutation.value
  const entries = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  let first = 1
  for (const [index, [key, child]] of entries.entries()) {
    const places = placesOf(child)
    if (place >= first + places) {
      first += places
      continue
    }
    const inner = place - first
    const now = inner === 0 ? changed(key, child, mutation) : [[key, mutated(child, inner, mutation)] as const]
    const all = [...entries.slice(0, index), ...now, ...entries.slice(index + 1)]
    if (Array.isArray(value)) return all.map(([, element]) => element)
    return rebuilt(
      all.map(([name, field]) => [String(name), field]),
      now.length > 1
    )
  }
  return value
}

/** On average, one mutation in this many replaces the whole body. */
const whole_body_rate = 20

/** Applies each mutation to one value inside the body or, rarely, to the whole body. */
export const withMutations = (body: unknown, all: ReadonlyArray<Mutation>): unknown =>
  all.reduce<unknown>((value, mutation) => {
    const below = placesOf(value) - 1
    const isWhole = below === 0 || mutation.place % whole_body_rate === 0
    return mutated(value, isWhole ? 0 : 1 + (mutation.place % below), mutation)
  }, body)
