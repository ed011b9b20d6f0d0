import { type Name, other_digits_max, similarity } from "../../texts/Words.ts"

/** Minimum similarity of two names that may mean the same party. */
export const name_near_min = 0.6
/**
 * Maximum number of names that one search compares. A word that occurs in more names is too common to identify a party.
 */
const compared_max = 500

interface Named<A> {
  readonly name: Name
  readonly entry: A
}

/** Maximum number of names whose search result is kept, because a statement repeats the names of its payers. */
const remembered_max = 10_000

/** True if the names are similar. Names with different digits never are, so they are not compared. */
const isNear = (left: Name, right: Name): boolean =>
  (left.digits === right.digits || other_digits_max >= name_near_min) && similarity(left, right) >= name_near_min

/** Indexes entries by their names, and finds entries of the same kind with a similar name. */
export const nameIndex = <A>() => {
  const byWord = new Map<string, Array<Named<A>>>()
  const remembered = new Map<string, ReadonlySet<A>>()
  const search = (kind: string, name: Name): ReadonlySet<A> => {
    const lists = [...name.words]
      .map((word) => byWord.get(`${kind} ${word}`) ?? [])
      .toSorted((left, right) => left.length - right.length)
    const found = new Set<A>()
    let compared = 0
    for (const list of lists) {
      compared += list.length
      if (compared > compared_max) break
      for (const named of list) if (isNear(name, named.name)) found.add(named.entry)
    }
    return found
  }
  return {
    add: (kind: string, name: Name, entry: A): void => {
      remembered.clear()
      for (const word of name.words) push(byWord, `${kind} ${word}`, { name, entry })
    },
    /** Returns the entries whose name is similar to `name` and shares a rare word with it. */
    like: (kind: string, name: Name): ReadonlySet<A> => {
      const key = `${kind} ${[...name.words].join(" ")}`
      const known = remembered.get(key)
      if (known !== undefined) return known
      const found = search(kind, name)
      if (remembered.size >= remembered_max) remembered.clear()
      remembered.set(key, found)
      return found
    }
  }
}

export const push = <K, A>(index: Map<K, Array<A>>, key: K, entry: A): void => {
  const list = index.get(key)
  if (list === undefined) index.set(key, [entry])
  else list.push(entry)
}
