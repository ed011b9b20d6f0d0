import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { idempotency_key_rule } from "../../platform/http/IdempotencyKey.ts"
import { described } from "../../kernel/Described.ts"

export class StorageQuotaExceeded extends Schema.Error<StorageQuotaExceeded>("StorageQuotaExceeded")(
  {
    ...refusal("StorageQuotaExceeded", "storage_quota_exceeded"),
    details: described(
      Schema.Struct({
        quota_bytes: described(Schema.Int, "Storage quota of the organization, in bytes."),
        stored_bytes: described(Schema.Int, "Storage in use, in bytes."),
        file_bytes: described(Schema.Int, "Size of the refused file, in bytes.")
      }),
      "The quota and its use."
    )
  },
  {
    httpApiStatus: 413,
    description:
      "The file does not fit into the storage quota of the organization; remove files or ask the operator for more."
  }
) {
  static of(details: { readonly quota_bytes: number; readonly stored_bytes: number; readonly file_bytes: number }) {
    return new StorageQuotaExceeded({ message: "The file exceeds the organization's storage quota.", details })
  }
}

export class ReadingUnavailable extends Schema.Error<ReadingUnavailable>("ReadingUnavailable")(
  refusal("ReadingUnavailable", "ocr_unavailable"),
  { httpApiStatus: 503, description: "Receipts cannot be read at the moment; keep the file and try again later." }
) {
  static of() {
    return new ReadingUnavailable({ message: "Receipts cannot be read at the moment." })
  }
}

export class UploadInProgress extends Schema.Error<UploadInProgress>("UploadInProgress")(
  refusal("UploadInProgress", "idempotency_in_progress"),
  {
    httpApiStatus: 409,
    description: "The first request with this `Idempotency-Key` is still running; repeat the request later."
  }
) {
  static of() {
    return new UploadInProgress({ message: "A request with this Idempotency-Key is still running." })
  }
}

export class IdempotencyKeyInvalid extends Schema.Error<IdempotencyKeyInvalid>("IdempotencyKeyInvalid")(
  refusal("IdempotencyKeyInvalid", "idempotency_key_invalid"),
  { httpApiStatus: 422, description: "The `Idempotency-Key` is empty or too long; choose another key." }
) {
  static of() {
    return new IdempotencyKeyInvalid({ message: idempotency_key_rule })
  }
}
