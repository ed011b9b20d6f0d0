import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { ExpenseId, IdText, inText, ReceiptRef } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { KeepsIdempotencyKeys, operation, tag } from "../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { PendingReceipt, Receipt } from "./records/Receipt.ts"
import { StorageQuotaExceeded } from "../../organizations/storage/StorageErrors.ts"
import { IdempotencyKeyInvalid, ReadingUnavailable, UploadInProgress } from "./ReceiptErrors.ts"
import { receiptTypes } from "./ReceiptTypes.ts"
import { described } from "../../kernel/Described.ts"

const expense_description = "Id of one of your expenses, whose empty fields are filled in from the receipt."

/** The handler streams the file, which the reference shows in the part `receipt` or its alias `file`. */
const fields = { expense_id: described(Schema.optionalKey(inText(ExpenseId)), expense_description) }
const Form = Schema.Union([
  Schema.Struct({ receipt: Multipart.SingleFileSchema, ...fields }),
  Schema.Struct({ file: Multipart.SingleFileSchema, ...fields })
]).pipe(HttpApiSchema.asMultipartStream())

const accepted = data(PendingReceipt).pipe(HttpApiSchema.status(202))

export class ReceiptsApi extends HttpApiGroup.make("receipts")
  .annotateMerge(tag("Receipts", "Uploaded receipts, whose fields the service reads."))
  .add(
    // An idempotency key identifies one receipt in the whole organization (rules/expenses.md, Uploads).
    HttpApiEndpoint.post("upload", "/upload-receipt", {
      query: {
        expense_id: described(Schema.optionalKey(IdText), `${expense_description} It may also be a part of the form.`)
      },
      payload: Form,
      success: accepted,
      error: [
        MalformedMultipart,
        ValidationFailed,
        IdempotencyKeyInvalid,
        UploadInProgress,
        StorageQuotaExceeded,
        StorageUnavailable,
        ReadingUnavailable
      ]
    })
      .annotateMerge(
        operation(
          "Upload a receipt",
          "Stores a PDF, an image (JPEG, PNG, WebP, HEIC or TIFF) or an electronic invoice in XML (UBL, CII or " +
            "FatturaPA) of at most 10 MB in the part `receipt`, and begins to read it. Poll " +
            "`poll_url` for the result. The same `Idempotency-Key` returns the same receipt, whoever of the " +
            "organization sends it.",
          "receipt.processed",
          "expense.updated"
        )
      )
      .annotate(KeepsIdempotencyKeys, true),
    HttpApiEndpoint.get("poll", "/ocr/:receipt_ref", {
      params: { receipt_ref: ReceiptRef },
      query: {
        organization_id: described(
          Schema.optionalKey(IdText),
          "Id of the active organization; another one is answered with 404."
        )
      },
      success: [accepted, data(Receipt)],
      error: NotFound
    }).annotateMerge(
      operation(
        "Get the reading of a receipt",
        "Answers 202 while the receipt is being read. Then `fields` can be sent as the body of a new expense: " +
          "`done`: the fields are certain; `needs_review`: a person should check them; `failed`: the receipt could not be read."
      )
    ),
    HttpApiEndpoint.get("download", "/ocr/:receipt_ref/file", {
      params: { receipt_ref: ReceiptRef },
      success: HttpApiSchema.StreamUint8Array({
        contentType: Object.values(receiptTypes).map(({ mime_type }) => mime_type)
      }),
      error: [NotFound, StorageUnavailable]
    }).annotateMerge(
      operation("Download a receipt", "Returns the bytes of the uploaded file, for as long as the receipt is kept.")
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/expenses") {}
