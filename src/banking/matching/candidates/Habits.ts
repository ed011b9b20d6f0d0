import { folded } from "../../texts/Words.ts"

export interface Confirmation {
  readonly party: string
  readonly name: string | null
  readonly text: string
}

/** A code identifies a party only if it occurs in at least this number of the party's confirmed lines. */
const code_lines_min = 2
/** E.g. a customer number or a contract number: five to twenty characters, at least three of them digits. */
const code = /(?<![\p{L}\d])(?=[a-z]*(?:\d[a-z]*){3})[a-z\d]{5,20}(?![\p{L}\d])/gu

const codesIn = (text: string): ReadonlySet<string> => new Set([...folded(text).matchAll(code)].map(([found]) => found))

/** For each name or code, the parties in whose confirmed lines it occurs, each with the number of these lines. */
type Seen = Map<string, Map<string, number>>

/** Learns from confirmed lines which names and codes the payers of each party use. */
export const habitsOf = (confirmations: ReadonlyArray<Confirmation>) => {
  const names: Seen = new Map()
  const codes: Seen = new Map()
  for (const { name, party, text } of confirmations) {
    if (name !== null) count(names, folded(name), party)
    for (const each of codesIn(text)) count(codes, each, party)
  }
  return {
    /** Returns the party whose documents were paid by lines with this name; undefined if there are several parties. */
    partyOfName: (name: string | null): string | undefined =>
      name === null || names.size === 0 ? undefined : only(names, folded(name), 1),
    /**
     * Returns the parties that codes in the text identify, with one code for each party. A code that occurred in lines
     * of several parties identifies none of them.
     */
    codesOf: (text: string): ReadonlyMap<string, string> => {
      if (codes.size === 0) return new Map()
      const found = [...codesIn(text)].flatMap((each) => {
        const party = only(codes, each, code_lines_min)
        return party === undefined ? [] : [[party, each] as const]
      })
      return new Map(found)
    }
  }
}
export type Habits = ReturnType<typeof habitsOf>

const count = (seen: Seen, key: string, party: string) => {
  const parties = seen.get(key) ?? new Map<string, number>()
  seen.set(key, parties.set(party, (parties.get(party) ?? 0) + 1))
}

const only = (seen: Seen, key: string, lines_min: number): string | undefined => {
  const [first, ...others] = seen.get(key) ?? []
  return first !== undefined && others.length === 0 && first[1] >= lines_min ? first[0] : undefined
}
