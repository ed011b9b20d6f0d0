import type { EinvoiceId } from "../../kernel/Ids.ts"

const progressive_characters = 5
const progressive_characters_max = 10
const base_36 = 36

/**
 * Returns the file number (progressive): the last ten letters and digits of the submission's id in base 36, with zeros
 * before them if there are fewer than five. FatturaPA allows at most ten.
 */
export const progressiveOf = (id: EinvoiceId): string =>
  id.toString(base_36).toUpperCase().padStart(progressive_characters, "0").slice(-progressive_characters_max)
