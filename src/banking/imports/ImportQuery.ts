import { Schema } from "effect"
import { Flag } from "../../kernel/Flag.ts"

/** Flags of an import, which stand in the query or in the form. */
export const importQuery = {
  dry_run: Schema.optionalKey(Flag),
  accept_unbalanced: Schema.optionalKey(Flag),
  accept_overlap: Schema.optionalKey(Flag)
}
export type ImportQuery = Schema.Struct.Type<typeof importQuery>
