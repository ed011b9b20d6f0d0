import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ArchiveObjectId, ExportId, OrganizationId } from "../../kernel/Ids.ts"

export const Incident = Schema.Struct({
  id: Schema.Int,
  organization_id: OrganizationId,
  /** Null for a defect of the manifest, the books, the exchanges or the audit chain. */
  object_id: Schema.NullOr(ArchiveObjectId),
  export_id: Schema.NullOr(ExportId),
  /** `missing` or `altered` for the bytes of a file; otherwise one or more sentences about the defects. */
  problem: Schema.String,
  found_by: Schema.Literals(["download", "export", "proof", "submission"]),
  found_at: Timestamp,
  /** Time of the first check that no longer found the defect, or time at which the defective export was removed. */
  resolved_at: Schema.NullOr(Timestamp)
})
export type Incident = typeof Incident.Type

export type NewIncident = Omit<Incident, "id" | "found_at" | "resolved_at">
