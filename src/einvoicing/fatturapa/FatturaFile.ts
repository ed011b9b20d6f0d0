import type { EinvoiceId } from "../../kernel/Ids.ts"

const progressive_characters = 5
const progressive_characters_max = 10
const base_36 = 36

/**
 * Returns the file number (progressive): the id of the submission in base 36, with at least five letters and digits, and
 * without its first one if it has more than the ten that FatturaPA allows.
 */
export const progressiveOf = (id: EinvoiceId): string =>
  id.toString(base_36).toUpperCase().padStart(progressive_characters, "0").slice(-progressive_characters_max)
