import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { ReceiptRef } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { KeepsIdempotencyKeys } from "../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { PendingReceipt, Receipt } from "./Receipt.ts"
import { IdempotencyKeyInvalid, ReadingUnavailable, StorageQuotaExceeded, UploadInProgress } from "./ReceiptErrors.ts"

/** The handler streams the file, which is in the part `receipt` or its alias `file`. */
const fields = { expense_id: Schema.optionalKey(Schema.String) }
const Form = Schema.Union([
  Schema.Struct({ receipt: Multipart.SingleFileSchema, ...fields }),
  Schema.Struct({ file: Multipart.SingleFileSchema, ...fields })
]).pipe(HttpApiSchema.asMultipartStream())

const accepted = data(PendingReceipt).pipe(HttpApiSchema.status(202))

/** Implements the spec's "Endpoints: Expenses and receipts" for receipts. */
export class ReceiptsApi extends HttpApiGroup.make("receipts")
  .add(
    // Spec, Upload rules: an idempotency key identifies one receipt in the whole organization, whoever sends it.
    HttpApiEndpoint.post("upload", "/upload-receipt", {
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
    }).annotate(KeepsIdempotencyKeys, true),
    HttpApiEndpoint.get("poll", "/ocr/:receipt_ref", {
      params: { receipt_ref: ReceiptRef },
      query: { organization_id: Schema.optionalKey(Schema.String) },
      success: [accepted, data(Receipt)],
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/expenses") {}
