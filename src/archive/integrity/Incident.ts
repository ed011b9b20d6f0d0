import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, ExportId, OrganizationId } from "../../kernel/Ids.ts"

/** An archive that is not what was recorded. */
export const Incident = Schema.Struct({
  id: Schema.Int,
  organization_id: OrganizationId,
  /** The object or the export whose bytes it is about; neither: the manifest, the exchanges or the audit chain. */
  object_id: Schema.NullOr(ArchiveObjectId),
  export_id: Schema.NullOr(ExportId),
  /** `missing`, `altered`, or sentences. */
  problem: Schema.String,
  /** What found it. */
  found_by: Schema.Literals(["download", "export", "proof", "submission"]),
  found_at: Timestamp,
  /** When all was seen to be well again, or the export was removed. */
  resolved_at: Schema.NullOr(Timestamp)
})
export type Incident = typeof Incident.Type

export type NewIncident = Omit<Incident, "id" | "found_at" | "resolved_at">
