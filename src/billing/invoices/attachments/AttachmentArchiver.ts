import { Context, Effect, Layer } from "effect"
import { Deposits } from "../../../archive/deposits/Deposits.ts"
import { BlobStore } from "../../../platform/storage/BlobStore.ts"
import { Spool } from "../../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { AttachmentsRepo, type InvoiceKey, type StoredFile } from "./AttachmentsRepo.ts"

/** Copies the files of issued invoices into the archive, where they stay even if the attachment is removed. */
export class AttachmentArchiver extends Context.Service<
  AttachmentArchiver,
  {
    /** Archives each file of the invoice once. Nothing is archived before the invoice itself. */
    readonly archive: (key: InvoiceKey) => Effect.Effect<void, StorageUnavailable>
  }
>()("invoicing/billing/invoices/attachments/AttachmentArchiver") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AttachmentsRepo
      const deposits = yield* Deposits
      const blobs = yield* BlobStore
      const spool = yield* Spool

      const attached = ({ mime_type: content_type, object_key, sha256 }: StoredFile) => ({
        sha256,
        content_type,
        file: blobs.get(object_key).pipe(
          Effect.flatMap(({ bytes }) => spool.keep(bytes)),
          Effect.asSome,
          Effect.catchTag("BlobMissing", () => Effect.succeedNone)
        )
      })

      const archive = Effect.fn("AttachmentArchiver.archive")(function* (key: InvoiceKey) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": key.invoice_id })
        const { invoice_id: document_id, organization_id } = key
        const files = yield* repo.files(key)
        yield* deposits.attach({ organization_id, document_type: "invoice", document_id }, files.map(attached))
      })

      return AttachmentArchiver.of({ archive })
    })
  ).pipe(Layer.provide([AttachmentsRepo.layer, Deposits.layer]))
}
