import { searchText } from "../../kernel/SearchText.ts"

/** As texts are compared: NFKC and more, lower case, without accents, spaces collapsed; contract section 10. */
export const folded = (text: string): string => searchText([text])

/** The words and numbers of a folded text. */
const tokensOf = (text: string): ReadonlyArray<string> => folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Words that say what kind of business it is, not which. */
const legal_forms = new Set(
  (
    "ab ag aps as asbl bv bvba co comm commv company corp cv cvba doo eg eirl ek eurl gbr gie gmbh inc kft kg limited llc " +
    "llp ltd ltda mbh nv ohg oy oyj plc pty sa sagl sarl sas sasu sc scop scrl sci sl slu snc sp spa spol spzoo srl srls " +
    "sro stichting ug vof vzw"
  ).split(" ")
)

/** What is left of a name that tells it from others: "Müller & Söhne GmbH" gives muller, sohne. */
export const nameTokens = (name: string): ReadonlySet<string> => {
  // B.V. and S.A. are written with and without their points.
  const tokens = tokensOf(folded(name).replaceAll(/\b(\p{L})\.(?=\p{L}\b)/gu, "$1"))
  const telling = tokens.filter((token) => !legal_forms.has(token))
  return new Set(telling.length > 0 ? telling : tokens)
}

/** Share of the words that two names have in common (Dice), 0 to 1. */
export const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  if (left.size === 0 || right.size === 0) return 0
  let common = 0
  for (const token of left) if (right.has(token)) common++
  return (2 * common) / (left.size + right.size)
}

/** A text without its punctuation, each token once more joined with those that follow: "INV-2026 0042" has inv20260042. */
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

/** A document's number as `joinedTokens` would have it. */
export const joined = (number: string): string => tokensOf(number).join("")
