import { Command, Flag } from "effect/cli"
import { organization_id, paging, perform } from "../Root.ts"

const columns = ["id", "organization_id", "problem", "found_by", "found_at", "resolved_at"]

const incidents = Command.make(
  "incidents",
  {
    organization_id: organization_id.pipe(Flag.optional),
    open: Flag.Boolean("open").pipe(Flag.withDescription("Only unresolved incidents"), Flag.withDefault(false)),
    ...paging
  },
  (flags) => perform("ListIntegrityIncidents", flags, columns)
).pipe(
  Command.withDescription(
    "List differences between archives and their records, the latest first; --json names the objects"
  )
)

export const archive = Command.make("archive").pipe(
  Command.withDescription("Archives of what organizations issue"),
  Command.withSubcommands([incidents])
)
