import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

/** The bytes of an archived object are missing or altered, and an incident was recorded (rules/archive.md, Objects). */
export class ArchiveIncident extends Schema.Error<ArchiveIncident>("ArchiveIncident")(
  refusal("ArchiveIncident", "archive_integrity"),
  {
    httpApiStatus: 503,
    description: "The archive cannot produce the bytes that it recorded; the incident was reported to the operator."
  }
) {
  static of() {
    return new ArchiveIncident({ message: "The archive cannot produce these bytes; the incident was reported." })
  }
}
