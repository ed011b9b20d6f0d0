import { isSameName } from "./Score.ts"

/** Two names that are 0.85 alike (Dice) have at least 74 % of the words of each in common. */
const words_differing_max = 0.26
/** A word that more have tells nobody from others. */
const compared_max = 500

interface Named<A> {
  readonly name: ReadonlySet<string>
  readonly entry: A
}

/** Finds what is under names that are close to one, among those of the same kind. */
export const nameIndex = <A>() => {
  const byWord = new Map<string, Array<Named<A>>>()
  return {
    add: (kind: string, name: ReadonlySet<string>, entry: A): void => {
      for (const word of name) push(byWord, `${kind} ${word}`, { name, entry })
    },
    /** Names that are close have most of their words in common, so one of the rarer ones is. */
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

/** Adds to what is under a key. */
export const push = <A>(index: Map<string, Array<A>>, key: string, entry: A): void => {
  const list = index.get(key)
  if (list === undefined) index.set(key, [entry])
  else list.push(entry)
}
