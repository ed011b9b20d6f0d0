import { Effect, Schema } from "effect"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { file_extensions, fileTypeOf } from "../../../platform/documents/FileType.ts"
import { fieldErrors } from "../../../platform/http/RequestValidation.ts"
import type { Upload } from "../../../platform/http/Upload.ts"
import { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { Description, FileName, lastSegment } from "./Attachment.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ file: FileName, description: Schema.optionalKey(Description) })
)

/** Reads the attachment from a form and checks that the content matches the file's extension. */
export const readAttachment = Effect.fn("readAttachment")(function* ({ fields, file }: Upload) {
  if (file === undefined) return yield* ValidationFailed.field("file", "is required.")
  const text = fields.get("description")
  const given = { file: lastSegment(file.name), ...(text === undefined ? {} : { description: text }) }
  const { description = "", file: file_name } = yield* decode(given, { errors: "all" }).pipe(
    Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue)))
  )
  if (file.size === 0) return yield* ValidationFailed.field("file", "may not be empty.")
  const mime_type = yield* fileTypeOf(file.path, file_name).pipe(
    Effect.tapError((error) => Effect.logError("an uploaded file cannot be read", error)),
    Effect.mapError(() => StorageUnavailable.of())
  )
  if (mime_type === undefined) {
    return yield* ValidationFailed.field(
      "file",
      `must be a file of the type its name says: ${file_extensions.join(", ")}.`
    )
  }
  return { file, file_name, mime_type, description: description.trim() === "" ? null : description }
})
