import { Effect, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExportId } from "../../kernel/Ids.ts"
import { ObjectFilters } from "../objects/ArchiveObject.ts"

export const zip_content_type = "application/zip"

const ExportStatus = Schema.Literals(["pending", "building", "completed", "failed", "expired"])

/** An order for one ZIP of the archive (contract section 12). */
export const Export = Schema.Struct({
  id: ExportId,
  status: ExportStatus,
  filters: ObjectFilters,
  /** The number of objects in the set that the order fixed; after completion, the number that were packaged. */
  object_count: Schema.Int,
  /** The number of objects whose bytes could not be produced. */
  missing_object_count: Schema.Int,
  file_size_bytes: Schema.NullOr(Schema.Int),
  /** SHA-256 of the entry manifest.json. */
  manifest_sha256: Schema.NullOr(Schema.String),
  /** Null until the ZIP can be downloaded. */
  download_url: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ArchiveExport" })
export type Export = typeof Export.Type

const encodeFilters = Schema.encodeEffect(Schema.toCodecJson(ObjectFilters))

/** Encodes filters for storage and for the audit chain: JSON with amounts as numbers. */
export const describeFilters = (filters: ObjectFilters) => Effect.orDie(encodeFilters(filters))

interface Stored extends Omit<Export, "download_url"> {}

/** Shows an export as of the given time: it expires on time, even if its ZIP is removed later. */
export const shownExport = (facts: Stored, public_url: string, at: Timestamp): Export => {
  const isOver = facts.status === "completed" && facts.expires_at !== null && facts.expires_at <= at
  const status = isOver ? "expired" : facts.status
  const path = `/api/v1/archive/exports/${facts.id}/download`
  return { ...facts, status, download_url: status === "completed" ? public_url + path : null }
}
