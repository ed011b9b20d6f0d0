import { Schema } from "effect"
import { described } from "../../kernel/Described.ts"
import { refusal } from "../../kernel/Refusal.ts"

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
