import type { EinvoiceId } from "../../kernel/Ids.ts"

const progressive_characters = 5
const base_36 = 36

/** Returns the file number (progressive), which has five letters and digits: the id of the submission in base 36. */
export const progressiveOf = (id: EinvoiceId): string =>
  id.toString(base_36).toUpperCase().padStart(progressive_characters, "0")
