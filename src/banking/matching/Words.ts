import { searchText } from "../../kernel/SearchText.ts"

/** Normalizes a text for comparison: NFKC, lower case, no accents, single spaces. */
export const folded = (text: string): string => searchText([text])

/** Splits a text into its normalized words and numbers. */
const tokensOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Legal forms tell what kind of company a party is, but not which one. */
const legal_forms = new Set(
  (
    "ab ag aps as asbl bv bvba co comm commv company corp cv cvba doo eg eirl ek eurl gbr gie gmbh inc kft kg limited llc " +
    "llp ltd ltda mbh nv ohg oy oyj plc pty sa sagl sarl sas sasu sc scop scrl sci sl slu snc sp spa spol spzoo srl srls " +
    "sro stichting ug vof vzw"
  ).split(" ")
)

/** Keeps the words that distinguish a name from others: "Müller & Söhne GmbH" gives muller and sohne. */
export const nameTokens = (name: string): ReadonlySet<string> => {
  // B.V. and S.A. are written with and without dots.
  const tokens = tokensOf(folded(name).replaceAll(/\b(\p{L})\.(?=\p{L}\b)/gu, "$1"))
  const telling = tokens.filter((token) => !legal_forms.has(token))
  return new Set(telling.length > 0 ? telling : tokens)
}

/** Share of the words that two names have in common, from 0 to 1 (Dice coefficient). */
export const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  if (left.size === 0 || right.size === 0) return 0
  let common = 0
  for (const token of left) if (right.has(token)) common++
  return (2 * common) / (left.size + right.size)
}

/** Lists the words of a text and each run of them joined without punctuation: "INV-2026 0042" gives inv20260042. */
export const joinedTokens = (text: string, tokens_joined_max: number): ReadonlySet<string> => {
  const tokens = tokensOf(text).slice(0, tokens_max)
  const found = new Set<string>()
  for (const start of tokens.keys()) {
    let joined = ""
    for (const token of tokens.slice(start, start + tokens_joined_max)) {
      joined += token
      found.add(joined)
    }
  }
  return found
}
const tokens_max = 400

/** Joins a document's number to one word, as `joinedTokens` does. */
export const joined = (number: string): string => tokensOf(number).join("")
