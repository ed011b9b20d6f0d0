import { Effect, Schema } from "effect"
import { ExpenseId, inText } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { Upload, UploadRefused } from "../../platform/http/Upload.ts"
import { formatOf } from "../../platform/ocr/Format.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"

/** Contract section 9: the part is `receipt`, or `file`. */
const parts: ReadonlyArray<string> = ["receipt", "file"]

const name_characters_max = 255

type Format = NonNullable<ReturnType<typeof formatOf>>

/** What is taken as a receipt. The name under which it is kept ends as its content says. */
const kinds: Readonly<Record<Format, { readonly mime_type: string; readonly extension: string }>> = {
  pdf: { mime_type: "application/pdf", extension: "pdf" },
  jpeg: { mime_type: "image/jpeg", extension: "jpg" },
  png: { mime_type: "image/png", extension: "png" },
  webp: { mime_type: "image/webp", extension: "webp" },
  heif: { mime_type: "image/heic", extension: "heic" },
  tiff: { mime_type: "image/tiff", extension: "tiff" }
}

/** What an upload hands in. */
export interface ReceiptForm {
  readonly file: LocalFile
  /** As the client named it, fit to be kept. */
  readonly file_name: string
  readonly mime_type: string
  readonly extension: string
  readonly expense_id: ExpenseId | null
}

const refuse = (field: string, predicate: string) =>
  ValidationFailed.of({ [field]: [`The ${field} field ${predicate}`] })

const decodeId = Schema.decodeEffect(inText(ExpenseId))

/** The name is only ever shown, so what could not be shown is dropped instead of refused. */
const shownName = (name: string): string =>
  Array.from(name.toWellFormed().replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ""))
    .slice(0, name_characters_max)
    .join("")

/** The form's file is called `receipt` whatever its part was. */
export const asReceipt = (error: UploadRefused): UploadRefused => {
  const sentences = error._tag === "ValidationFailed" ? error.errors.file : undefined
  if (sentences === undefined) return error
  return ValidationFailed.of({ receipt: sentences.map((sentence) => sentence.replace("The file", "The receipt")) })
}

/** Refuses what is no receipt; spec, Upload rules: an unsupported media type is 422. */
export const readReceipt = Effect.fn("readReceipt")(function* ({ fields, file }: Upload) {
  if (file === undefined || !parts.includes(file.part)) return yield* refuse("receipt", "is required.")
  if (file.size === 0) return yield* refuse("receipt", "may not be empty.")
  const format = formatOf(file.head)
  if (format === undefined) {
    return yield* refuse("receipt", "must be a file of type: pdf, jpeg, png, webp, heic, tiff.")
  }
  const named = fields.get("expense_id")?.trim() ?? ""
  const expense_id =
    named === ""
      ? null
      : yield* Effect.mapError(decodeId(named), () => refuse("expense_id", "must be an expense's id."))
  return { file, file_name: shownName(file.name), ...kinds[format], expense_id } satisfies ReceiptForm
})
