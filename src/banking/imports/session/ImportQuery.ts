import { Schema } from "effect"
import { Flag } from "../../../kernel/Flag.ts"
import { described } from "../../../kernel/Described.ts"

export const importQuery = {
  dry_run: described(
    Schema.optionalKey(Flag),
    "True only returns what the request would do, and stores nothing. Default: false."
  ),
  accept_unbalanced: described(
    Schema.optionalKey(Flag),
    "True imports a statement even if its lines do not lead from its opening to its closing balance. Default: false."
  ),
  accept_overlap: described(
    Schema.optionalKey(Flag),
    "True imports lines even if the account seems to have them from other files: most have the day and the amount of earlier lines. Default: false."
  )
}
export type ImportQuery = Schema.Struct.Type<typeof importQuery>
