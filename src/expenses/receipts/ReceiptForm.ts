import { Effect, Schema } from "effect"
import { ExpenseId, inText } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { shownName, type Upload, type UploadRefused } from "../../platform/http/Upload.ts"
import { formatOf } from "../../platform/ocr/Format.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import { receiptTypes } from "./ReceiptTypes.ts"

export interface ReceiptForm {
  readonly file: LocalFile
  /** The client's file name, cleaned for storage. */
  readonly file_name: string
  readonly mime_type: string
  readonly extension: string
  readonly expense_id: ExpenseId | null
}

const decodeId = Schema.decodeEffect(inText(ExpenseId))

/** Errors call the file `receipt`, whatever the name of its part is. */
export const asReceipt = (error: UploadRefused): UploadRefused => {
  const sentences = error._tag === "ValidationFailed" ? error.errors.file : undefined
  if (sentences === undefined) return error
  return ValidationFailed.of({ receipt: sentences.map((sentence) => sentence.replace("The file", "The receipt")) })
}

/** The expense may be named in the form or in the query; two different ones are refused. */
export const withExpense = (expense_id: string | undefined) =>
  Effect.fnUntraced(function* ({ fields, file }: Upload) {
    const named = fields.get("expense_id")?.trim() ?? ""
    const asked = expense_id?.trim() ?? ""
    if (named !== "" && asked !== "" && named !== asked) {
      return yield* ValidationFailed.field("expense_id", "may not differ between the form and the query.")
    }
    return { file, fields: named !== "" || asked === "" ? fields : new Map([...fields, ["expense_id", asked]]) }
  })

/** Refuses files that are not receipts, with a 422 (rules/expenses.md, Uploads). */
export const readReceipt = Effect.fn("readReceipt")(function* ({ fields, file }: Upload) {
  if (file === undefined) return yield* ValidationFailed.field("receipt", "is required.")
  if (file.size === 0) return yield* ValidationFailed.field("receipt", "may not be empty.")
  const format = formatOf(file.head)
  if (format === undefined) {
    return yield* ValidationFailed.field(
      "receipt",
      "must be a file of type: pdf, jpeg, png, webp, heic, tiff, xml (an electronic invoice), p7m (a signed one)."
    )
  }
  const named = fields.get("expense_id")?.trim() ?? ""
  const expense_id =
    named === ""
      ? null
      : yield* Effect.mapError(decodeId(named), () => ValidationFailed.field("expense_id", "must be an expense's id."))
  return { file, file_name: shownName(file.name), ...receiptTypes[format], expense_id } satisfies ReceiptForm
})
