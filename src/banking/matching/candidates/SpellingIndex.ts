import { Array as Arr } from "effect"
import { push } from "./NameIndex.ts"
import { type Mention, mentionsIn, type Spelled, structuredOf } from "../mentions/Mentions.ts"
import { beginningOf, spellingsOf } from "../mentions/Spellings.ts"

interface Numbered {
  readonly number: string | null
  readonly reference: string | null
}

/** Indexes documents by their structured references, and by the spellings of their numbers and other references. */
export const spellingIndex = <A>() => {
  const references = new Map<string, Array<A>>()
  /**
   * Maps a spelling to its document, or to a list if several documents share it. Lists for all spellings would take a
   * third of the memory of the index.
   */
  const spellings = new Map<string, Spelled<A> | ReadonlyArray<Spelled<A>>>()
  const beginnings = new Map<string, number>()

  const addSpellings = (entry: A, text: string) => {
    const found = spellingsOf(text)
    if (found === undefined) return
    for (const { form, key } of found.spellings) {
      const one = { entry, form, mark: found.mark }
      const known = spellings.get(key)
      spellings.set(key, known === undefined ? one : Arr.append(Arr.ensure(known), one))
      const beginning = beginningOf(key)
      beginnings.set(beginning, Math.max(key.length, beginnings.get(beginning) ?? 0))
    }
  }
  const spelled = (key: string) => Arr.ensure(spellings.get(key) ?? [])

  return {
    add: (entry: A, { number, reference }: Numbered): void => {
      if (number !== null) addSpellings(entry, number)
      if (reference === null) return
      const structured = structuredOf(reference)
      if (structured === undefined) addSpellings(entry, reference)
      else push(references, structured, entry)
    },
    /** Returns the documents that a text mentions. */
    mentioned: (text: string): ReadonlyMap<A, Mention> => mentionsIn(text, { references, spelled, beginnings })
  }
}
