import { Effect, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExportId } from "../../kernel/Ids.ts"
import { ObjectFilters } from "../objects/ArchiveObject.ts"

export const zip_content_type = "application/zip"

const ExportStatus = Schema.Literals(["pending", "building", "completed", "failed", "expired"])

/** A work order for one ZIP of the archive; contract section 12. */
export const Export = Schema.Struct({
  id: ExportId,
  status: ExportStatus,
  filters: ObjectFilters,
  /** Objects of the set, which was fixed when it was ordered; once it is completed, what was packaged. */
  object_count: Schema.Int,
  /** Objects of the set whose bytes could not be produced. */
  missing_object_count: Schema.Int,
  file_size_bytes: Schema.NullOr(Schema.Int),
  /** Of the entry manifest.json. */
  manifest_sha256: Schema.NullOr(Schema.String),
  /** Null until the ZIP can be collected. */
  download_url: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  expires_at: Schema.NullOr(Timestamp)
})
export type Export = typeof Export.Type

const encodeFilters = Schema.encodeEffect(Schema.toCodecJson(ObjectFilters))

/** Filters as they are stored and the audit chain records them: JSON, amounts as numbers. */
export const describeFilters = (filters: ObjectFilters) => Effect.orDie(encodeFilters(filters))

interface Stored extends Omit<Export, "download_url"> {}

/** An export as it is at that moment: one whose time is over has expired, even before its artifact is removed. */
export const shownExport = (facts: Stored, public_url: string, at: Timestamp): Export => {
  const isOver = facts.status === "completed" && facts.expires_at !== null && facts.expires_at <= at
  const status = isOver ? "expired" : facts.status
  const path = `/api/v1/archive/exports/${facts.id}/download`
  return { ...facts, status, download_url: status === "completed" ? public_url + path : null }
}
