import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { idempotency_key_rule } from "../../platform/http/IdempotencyKey.ts"

/** Spec, Upload rules: the file exceeds the organization's storage quota. */
export class StorageQuotaExceeded extends Schema.Error<StorageQuotaExceeded>("StorageQuotaExceeded")(
  {
    ...refusal("StorageQuotaExceeded", "storage_quota_exceeded"),
    details: Schema.Struct({ quota_bytes: Schema.Int, stored_bytes: Schema.Int, file_bytes: Schema.Int })
  },
  { httpApiStatus: 413 }
) {
  static of(details: { readonly quota_bytes: number; readonly stored_bytes: number; readonly file_bytes: number }) {
    return new StorageQuotaExceeded({ message: "The file exceeds the organization's storage quota.", details })
  }
}

/** No process can read receipts now, so the client should keep the file and retry. */
export class ReadingUnavailable extends Schema.Error<ReadingUnavailable>("ReadingUnavailable")(
  refusal("ReadingUnavailable", "ocr_unavailable"),
  { httpApiStatus: 503 }
) {
  static of() {
    return new ReadingUnavailable({ message: "Receipts cannot be read at the moment." })
  }
}

/** The first request with this Idempotency-Key is still running. */
export class UploadInProgress extends Schema.Error<UploadInProgress>("UploadInProgress")(
  refusal("UploadInProgress", "idempotency_in_progress"),
  { httpApiStatus: 409 }
) {
  static of() {
    return new UploadInProgress({ message: "A request with this Idempotency-Key is still running." })
  }
}

export class IdempotencyKeyInvalid extends Schema.Error<IdempotencyKeyInvalid>("IdempotencyKeyInvalid")(
  refusal("IdempotencyKeyInvalid", "idempotency_key_invalid"),
  { httpApiStatus: 422 }
) {
  static of() {
    return new IdempotencyKeyInvalid({ message: idempotency_key_rule })
  }
}
