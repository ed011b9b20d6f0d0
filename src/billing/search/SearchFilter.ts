import { Schema } from "effect"
import { described } from "../../kernel/Described.ts"
import { Line } from "../../kernel/Text.ts"

/** The query field of a list; `codes` names the fields of which a text may be the end. */
export const searchFilter = (codes: string) => ({
  search: described(
    Schema.optionalKey(Line),
    `Text to look for: the end of ${codes}, ignoring punctuation; a whole \`external_id\`; or a part of the customer's present name.`
  )
})
