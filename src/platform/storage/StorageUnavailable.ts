import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** The storage cannot be reached, is full, or lost an object. */
export class StorageUnavailable extends Schema.Error<StorageUnavailable>("StorageUnavailable")(
  refusal("StorageUnavailable", "storage_unavailable"),
  { httpApiStatus: 503, description: "The storage of files is temporarily unavailable; try again later." }
) {
  static of() {
    return new StorageUnavailable({ message: "The storage is temporarily unavailable." })
  }
}
