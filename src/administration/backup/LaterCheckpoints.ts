import { Effect, Schema } from "effect"
import { Checkpoints } from "../../archive/checkpoints/Checkpoints.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import type { CopySession } from "../../platform/backup/CopySession.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"

/** Maximum number of organizations whose checkpoints are read concurrently. */
const reads_max = 4

/** The number of entries in an organization's audit chain. The driver returns `bigint` columns as text. */
const Journal = Schema.Struct({
  organization_id: Schema.FiniteFromString.pipe(Schema.decodeTo(OrganizationId)),
  entries: Schema.FiniteFromString
})

export const journalsOf = (session: CopySession) =>
  session.rows(Journal, "select organization_id, entries from journals order by organization_id")

/**
 * Refuses a storage with a checkpoint of an audit chain that is longer than the restored chain. Every later proof would
 * report such a checkpoint, and Object Lock keeps it from being removed.
 */
export const refuseLaterCheckpoints = Effect.fn("LaterCheckpoints.refuse")(function* (session: CopySession) {
  const checkpoints = yield* Checkpoints
  const hasLater = Effect.fnUntraced(function* ({ entries, organization_id }: typeof Journal.Type) {
    // In an empty storage, this is the only request about the organization.
    if (!(yield* checkpoints.exists(organization_id))) return false
    return (yield* checkpoints.read(organization_id)).checkpoints.some(({ seq }) => seq > entries)
  })
  const [later] = yield* Effect.filter(yield* journalsOf(session), hasLater, { concurrency: reads_max })
  if (later === undefined) return
  const message =
    `The storage has a checkpoint of organization ${later.organization_id} that is later than the backup: restore into ` +
    "an empty folder (DATA_DIR/objects), bucket or prefix (STORAGE_URL)."
  return yield* TransferRefused.of(message)
})
