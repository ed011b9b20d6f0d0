import { Effect, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ExportId } from "../../kernel/Ids.ts"
import { ObjectFilters } from "../objects/ArchiveObject.ts"
import { described } from "../../kernel/Described.ts"

export const zip_content_type = "application/zip"

const ExportStatus = Schema.Literals(["pending", "building", "completed", "failed", "expired"])

/** A request for one ZIP file of archived objects, and its progress (rules/archive.md, Exports). */
export const Export = Schema.Struct({
  id: ExportId,
  status: described(ExportStatus, "`pending`, `building`, `completed` (can be downloaded), `failed` or `expired`."),
  filters: described(ObjectFilters, "The filters of the request."),
  object_count: described(
    Schema.Int,
    "Number of objects that match the filters; after completion, the number in the ZIP."
  ),
  missing_object_count: described(
    Schema.Int,
    "Number of objects whose bytes could not be produced; each has an incident."
  ),
  file_size_bytes: described(Schema.NullOr(Schema.Int), "Size of the ZIP in bytes; null before completion."),
  manifest_sha256: described(
    Schema.NullOr(Schema.String),
    "SHA-256 of `manifest.json` in the ZIP, in lower-case hex; null before completion."
  ),
  download_url: described(Schema.NullOr(Schema.String), "Address of the ZIP; null while it cannot be downloaded."),
  error: described(Schema.NullOr(Schema.String), "Why the export failed; null if it did not."),
  created_at: described(Timestamp, "Time of the request."),
  completed_at: described(Schema.NullOr(Timestamp), "Time of completion; null before."),
  expires_at: described(Schema.NullOr(Timestamp), "Time at which the ZIP is removed; null before completion.")
}).annotate({ identifier: "ArchiveExport", description: "A requested ZIP of archived objects." })
export type Export = typeof Export.Type

const encodeFilters = Schema.encodeEffect(Schema.toCodecJson(ObjectFilters))

/** Encodes filters for storage and for the audit chain: JSON with amounts as numbers. */
export const describeFilters = (filters: ObjectFilters) => Effect.orDie(encodeFilters(filters))

interface Stored extends Omit<Export, "download_url"> {}

/** Returns an export as clients see it at the given time. It expires on time, even if its ZIP is removed later. */
export const shownExport = (facts: Stored, public_url: string, at: Timestamp): Export => {
  const isOver = facts.status === "completed" && facts.expires_at !== null && facts.expires_at <= at
  const status = isOver ? "expired" : facts.status
  const path = `/api/v1/archive/exports/${facts.id}/download`
  return { ...facts, status, download_url: status === "completed" ? public_url + path : null }
}
