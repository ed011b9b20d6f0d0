import { Effect, FileSystem, Record, Schema } from "effect"
import { Flag } from "../../../kernel/Flag.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import { fieldErrors } from "../../../platform/http/RequestValidation.ts"
import { shownName, type Upload } from "../../../platform/http/Upload.ts"
import type { LocalFile } from "../../../platform/storage/BlobStore.ts"
import { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { CsvMapping } from "../../csv/cells/CsvMapping.ts"
import type { StatementContent } from "../../preparation/Preparations.ts"
import { StatementFormat } from "../../statements/formats/StatementFile.ts"
import { isZip } from "../../statements/StatementZip.ts"
import type { ImportQuery } from "./ImportQuery.ts"

const isFormat = Schema.is(StatementFormat)

const flag = Schema.optionalKey(Flag)
const flags = { strict: flag, dry_run: flag, accept_unbalanced: flag, accept_overlap: flag }
const decodeOptions = Schema.decodeUnknownEffect(
  Schema.Struct({ mapping: Schema.optionalKey(Schema.fromJsonString(CsvMapping)), ...flags }),
  { errors: "all" }
)

/**
 * Maximum size of a file that this process reads itself. Reading it takes about 30 ms, and up to 300 ms if several rows
 * of a CSV file look like its header; other requests wait for so long.
 */
const bytes_read_here_max = 64 * 1024

/**
 * Returns the bytes of a small file. A large file remains on the disk, where a child process reads it, and so does a
 * ZIP, because a small ZIP may contain large files.
 */
export const contentOf = Effect.fn("contentOf")(function* (file: LocalFile) {
  if (file.size > bytes_read_here_max) return file
  const bytes = yield* bytesOf(file)
  return isZip(bytes) ? file : bytes
})

export const bytesOf = Effect.fn("bytesOf")(function* ({ path }: LocalFile) {
  const files = yield* FileSystem.FileSystem
  return yield* files.readFile(path).pipe(
    Effect.tapError((error) => Effect.logError("an uploaded statement cannot be read", error)),
    Effect.mapError(() => StorageUnavailable.of())
  )
})

export const readImport = Effect.fn("readImport")(function* ({ fields, file }: Upload, query: ImportQuery) {
  if (file === undefined) return yield* ValidationFailed.field("file", "is required.")
  if (file.size === 0) return yield* ValidationFailed.field("file", "may not be empty.")
  const named = fields.get("format")?.trim() || "auto"
  if (named !== "auto" && !isFormat(named))
    return yield* ValidationFailed.field("format", "must be one of: auto, csv, camt053, coda, mt940, ofx.")
  // A blank part of a form is the same as none. Some languages write a flag as `True`.
  const stated = Record.filter(
    Record.map(Object.fromEntries(fields), (text, name) => (name in flags ? text.trim().toLowerCase() : text.trim())),
    (text) => text !== ""
  )
  const options = yield* decodeOptions(stated).pipe(
    Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue)))
  )
  return {
    file,
    filename: shownName(file.name),
    file_sha256: file.sha256,
    format: named === "auto" ? undefined : named,
    mapping: options.mapping,
    strict: options.strict ?? false,
    dry_run: query.dry_run ?? options.dry_run ?? false,
    accept_unbalanced: query.accept_unbalanced ?? options.accept_unbalanced ?? false,
    accept_overlap: query.accept_overlap ?? options.accept_overlap ?? false
  }
})
export type ReceivedImport = Effect.Success<ReturnType<typeof readImport>>

export interface ImportForm extends Omit<ReceivedImport, "file"> {
  readonly content: StatementContent
}
