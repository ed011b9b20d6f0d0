import { isSameName } from "./Score.ts"

/** Two names with a similarity (Dice) of 0.85 share at least 74 % of the words of each, so at most 26 % differ. */
const words_differing_max = 0.26
/** Highest number of names that one lookup compares; words that are more frequent do not identify anybody. */
const compared_max = 500

interface Named<A> {
  readonly name: ReadonlySet<string>
  readonly entry: A
}

/** Indexes entries by name, and finds those of the same kind with a close name. */
export const nameIndex = <A>() => {
  const byWord = new Map<string, Array<Named<A>>>()
  return {
    add: (kind: string, name: ReadonlySet<string>, entry: A): void => {
      for (const word of name) push(byWord, `${kind} ${word}`, { name, entry })
    },
    /** Close names share most of their words, so they share at least one of the rarer words. */
    like: (kind: string, name: ReadonlySet<string>): ReadonlySet<A> => {
      const lists = [...name].map((word) => byWord.get(`${kind} ${word}`) ?? [])
      const rarer = lists
        .toSorted((left, right) => left.length - right.length)
        .slice(0, Math.floor(name.size * words_differing_max) + 1)
      if (rarer.reduce((sum, { length }) => sum + length, 0) > compared_max) return new Set()
      const close = rarer.flat().filter((named) => isSameName(name, named.name))
      return new Set(close.map(({ entry }) => entry))
    }
  }
}

/** Adds an entry to the list of a key. */
export const push = <A>(index: Map<string, Array<A>>, key: string, entry: A): void => {
  const list = index.get(key)
  if (list === undefined) index.set(key, [entry])
  else list.push(entry)
}
