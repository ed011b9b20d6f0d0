import { Effect, FileSystem, Schema } from "effect"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { fieldErrors } from "../../platform/http/RequestValidation.ts"
import { shownName, type Upload } from "../../platform/http/Upload.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { CsvMapping } from "../csv/CsvMapping.ts"
import { StatementFormat } from "../statements/StatementFile.ts"
import type { ImportQuery } from "./ImportQuery.ts"

/** Names of the form's part that holds the file. */
const parts: ReadonlyArray<string> = ["file", "statement"]

const isFormat = Schema.is(StatementFormat)
const decodeMapping = Schema.decodeUnknownEffect(Schema.Struct({ mapping: Schema.fromJsonString(CsvMapping) }), {
  errors: "all"
})
const yes: ReadonlyArray<string> = ["true", "1", "yes"]

/** Reads the form of an import. The upload limit has bounded the file, so it fits in memory. */
export const readImport = Effect.fn("readImport")(function* ({ fields, file }: Upload, query: ImportQuery) {
  if (file === undefined || !parts.includes(file.part)) return yield* ValidationFailed.field("file", "is required.")
  if (file.size === 0) return yield* ValidationFailed.field("file", "may not be empty.")
  const named = fields.get("format")?.trim() || "auto"
  if (named !== "auto" && !isFormat(named))
    return yield* ValidationFailed.field("format", "must be one of: auto, csv, camt053, coda, mt940, ofx.")
  const said = fields.get("mapping")?.trim() ?? ""
  const { mapping } =
    said === ""
      ? { mapping: undefined }
      : yield* decodeMapping({ mapping: said }).pipe(
          Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue)))
        )
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files.readFile(file.path).pipe(
    Effect.tapError((error) => Effect.logError("an uploaded statement cannot be read", error)),
    Effect.mapError(() => StorageUnavailable.of())
  )
  const flag = (name: string) => yes.includes(fields.get(name)?.trim().toLowerCase() ?? "")
  return {
    bytes,
    filename: shownName(file.name),
    file_sha256: file.sha256,
    format: named === "auto" ? undefined : named,
    mapping,
    strict: flag("strict"),
    dry_run: query.dry_run ?? flag("dry_run"),
    accept_unbalanced: query.accept_unbalanced ?? flag("accept_unbalanced"),
    accept_overlap: query.accept_overlap ?? flag("accept_overlap")
  }
})
export type ImportForm = Effect.Success<ReturnType<typeof readImport>>
