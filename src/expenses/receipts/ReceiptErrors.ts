import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { idempotency_key_rule } from "../../platform/http/IdempotencyKey.ts"

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
