import type { EinvoiceId } from "../../kernel/Ids.ts"

const progressive_characters = 5
const base_36 = 36

/** The id of a submission in base 36, because a progressive has five letters and digits. */
export const progressiveOf = (id: EinvoiceId): string =>
  id.toString(base_36).toUpperCase().padStart(progressive_characters, "0")
