import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

/** Spec, Fiscal archive: the bytes that the manifest names cannot be produced. An incident, which was alerted. */
export class ArchiveIncident extends Schema.Error<ArchiveIncident>("ArchiveIncident")(
  refusal("ArchiveIncident", "archive_integrity"),
  { httpApiStatus: 503 }
) {
  static of() {
    return new ArchiveIncident({ message: "The archive cannot produce these bytes; the incident was reported." })
  }
}
