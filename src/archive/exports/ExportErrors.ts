import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

/** An organization builds one export at a time (rules/archive.md, Exports). */
export class ExportInProgress extends Schema.Error<ExportInProgress>("ExportInProgress")(
  refusal("ExportInProgress", "export_in_progress"),
  { httpApiStatus: 409, description: "Another export of the organization is being built; wait until it is completed." }
) {
  static of() {
    return new ExportInProgress({ message: "Another export of this archive is still being built." })
  }
}

export class NothingToExport extends Schema.Error<NothingToExport>("NothingToExport")(
  refusal("NothingToExport", "nothing_to_export"),
  { httpApiStatus: 409, description: "No archived object matches the filters." }
) {
  static of() {
    return new NothingToExport({ message: "No archived object matches these filters." })
  }
}

export class TooManyObjects extends Schema.Error<TooManyObjects>("TooManyObjects")(
  {
    ...refusal("TooManyObjects", "too_many_objects"),
    details: described(
      Schema.Struct({
        object_count: described(Schema.Int, "Number of objects that match."),
        object_count_max: described(Schema.Int, "Maximum number of objects in one export.")
      }),
      "The limit."
    )
  },
  {
    httpApiStatus: 409,
    description: "The filters match more objects than an export may have; choose a shorter period."
  }
) {
  static of(details: { readonly object_count: number; readonly object_count_max: number }) {
    const { object_count, object_count_max } = details
    return new TooManyObjects({
      message:
        `The request covers ${object_count} objects; an export may have ${object_count_max}. ` +
        "Narrow it with issued_from and issued_until.",
      details
    })
  }
}

export class ExportExpired extends Schema.Error<ExportExpired>("ExportExpired")(
  refusal("ExportExpired", "export_expired"),
  { httpApiStatus: 410, description: "The ZIP was removed; request another export." }
) {
  static of() {
    return new ExportExpired({ message: "The export has expired; request another one." })
  }
}
