import { Context, Effect, FileSystem, Layer, Option, type Scope, Stream } from "effect"
import { Deposits } from "../../../archive/deposits/Deposits.ts"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../../kernel/Envelope.ts"
import type { AttachmentId, InvoiceId } from "../../../kernel/Ids.ts"
import { NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import type { StorageQuotaExceeded } from "../../../organizations/storage/StorageErrors.ts"
import { StorageQuota } from "../../../organizations/storage/StorageQuota.ts"
import type { Download } from "../../../platform/http/answers/Download.ts"
import { CurrentOperation } from "../../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../../platform/http/Security.ts"
import type { Upload, UploadRefused } from "../../../platform/http/Upload.ts"
import { callerEntry } from "../../../platform/events/AuditLog.ts"
import { Jobs } from "../../../platform/jobs/Jobs.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { type BlobKey, BlobStore, newBlobKey } from "../../../platform/storage/BlobStore.ts"
import { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { openStored } from "../../../platform/storage/StoredFile.ts"
import { AttachmentArchivingQueue } from "./AttachmentArchivingQueue.ts"
import { type Attachment, attachmentEvent, attachments_per_invoice_max } from "./Attachment.ts"
import { AttachmentEmbedded, TooManyAttachments } from "./AttachmentErrors.ts"
import { readAttachment } from "./AttachmentForm.ts"
import { AttachmentsRepo, type NewAttachment } from "./AttachmentsRepo.ts"

interface Embedding {
  readonly id: InvoiceId
  readonly embedded_attachment_ids: ReadonlyArray<AttachmentId> | null
}

export interface EmbeddedFile {
  readonly attachment: Attachment
  readonly content: Buffer
}

/**
 * Manages files attached to invoices. They are not part of the document, so they can be added and removed in every
 * status. The audit chain records each change, with the hash of the content.
 */
export class Attachments extends Context.Service<
  Attachments,
  {
    readonly list: (
      invoice_id: InvoiceId,
      request: PageRequest
    ) => Effect.Effect<PageRows<Attachment>, NotFound, CurrentOrganization>
    /** Finds the invoice before it reads the form, which may contain a large file. */
    readonly create: <R>(
      invoice_id: InvoiceId,
      form: Effect.Effect<Upload, UploadRefused, R>
    ) => Effect.Effect<Attachment, NotFound | UploadRefused | StorageQuotaExceeded | TooManyAttachments, Caller | R>
    readonly remove: (
      invoice_id: InvoiceId,
      id: AttachmentId
    ) => Effect.Effect<Pick<Attachment, "id">, NotFound | AttachmentEmbedded, Caller>
    readonly download: (
      invoice_id: InvoiceId,
      id: AttachmentId
    ) => Effect.Effect<Download<StorageUnavailable>, NotFound | StorageUnavailable, CurrentOrganization | Scope.Scope>
    readonly embedded: (
      invoice: Embedding
    ) => Effect.Effect<ReadonlyArray<EmbeddedFile>, StorageUnavailable, CurrentOrganization>
  }
>()("invoicing/billing/invoices/attachments/Attachments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AttachmentsRepo
      const blobs = yield* BlobStore
      const files = yield* FileSystem.FileSystem
      const deposits = yield* Deposits
      const jobs = yield* Jobs
      const quota = yield* StorageQuota
      const { transaction } = yield* Database

      const countOf = Effect.fnUntraced(function* (invoice_id: InvoiceId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.count({ organization_id, invoice_id }))
      })

      const find = Effect.fnUntraced(function* (invoice_id: InvoiceId, id: AttachmentId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, invoice_id, id }))
      })

      /** `sweepAttachments` retries a removal that fails here. */
      const removeFile = (key: BlobKey) => Effect.ignoreCause(Effect.andThen(blobs.remove(key), repo.forget(key)))

      const abandon = (key: BlobKey) => Effect.ignoreCause(Effect.when(removeFile(key), repo.release(key)))

      const list = Effect.fn("Attachments.list")(function* (invoice_id: InvoiceId, request: PageRequest) {
        const { id: organization_id } = yield* CurrentOrganization
        const total = yield* countOf(invoice_id)
        const page = { limit: limitOf(request), offset: offsetOf(request) }
        return { rows: yield* repo.list({ organization_id, invoice_id, ...page }), total }
      })

      const reserve = Effect.fnUntraced(function* (row: NewAttachment) {
        yield* quota.lock
        yield* quota.requireRoom(row.file_size)
        return yield* repo.reserve(row)
      }, transaction)

      /** The invoice stays locked until commit, so that nobody deletes it or adds too many attachments meanwhile. */
      const confirm = Effect.fnUntraced(function* (attachment: Attachment, sha256: string) {
        const { id: organization_id } = yield* CurrentOrganization
        const { id, invoice_id } = attachment
        const { is_issued } = yield* orNotFound(repo.lockInvoice({ organization_id, invoice_id }))
        if ((yield* countOf(invoice_id)) >= attachments_per_invoice_max) {
          return yield* TooManyAttachments.of(attachments_per_invoice_max)
        }
        const entry = yield* attachmentEntry("attachment.created", attachment, sha256)
        if (!(yield* repo.confirm({ organization_id, invoice_id, id }, entry))) return yield* StorageUnavailable.of()
        // The files of a draft are archived together with the invoice when it is issued.
        if (is_issued && (yield* deposits.isOpen)) {
          yield* jobs.offer(AttachmentArchivingQueue, { organization_id, invoice_id })
        }
      }, transaction)

      const create = Effect.fn("Attachments.create")(function* <R>(
        invoice_id: InvoiceId,
        form: Effect.Effect<Upload, UploadRefused, R>
      ) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": invoice_id })
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id: created_by } = yield* CurrentPrincipal
        yield* countOf(invoice_id)
        const operation = (yield* CurrentOperation) ?? null
        if (operation !== null) {
          const done = yield* repo.findOperation({ organization_id, invoice_id, operation })
          if (Option.isSome(done)) return done.value
        }
        const upload = yield* form
        const { file, ...facts } = yield* Effect.provideService(readAttachment(upload), FileSystem.FileSystem, files)
        const object_key = yield* newBlobKey("attachments", organization_id)
        const { sha256, size: file_size } = file
        const row = { organization_id, invoice_id, ...facts, file_size, sha256, object_key, created_by, operation }
        // The row is committed before the file is stored, so that a crash never leaves a file without a row.
        const attachment = yield* reserve(row)
        yield* blobs.put(object_key, file).pipe(
          // The key is random, so an existing key is a bug.
          Effect.catchTag("BlobExists", Effect.die),
          Effect.andThen(confirm(attachment, sha256)),
          Effect.onError(() => abandon(object_key)),
          // A client disconnect must not separate the row from its file.
          Effect.uninterruptible
        )
        return attachment
      })

      /** The invoice stays locked until commit, so that no update embeds the attachment meanwhile. */
      const markDeleted = Effect.fnUntraced(function* (invoice_id: InvoiceId, id: AttachmentId) {
        const { id: organization_id } = yield* CurrentOrganization
        const { embedded } = yield* orNotFound(repo.lockInvoice({ organization_id, invoice_id }))
        const { object_key, ...attachment } = yield* find(invoice_id, id)
        if (embedded.includes(id)) return yield* AttachmentEmbedded.of(id)
        const entry = yield* attachmentEntry("attachment.deleted", attachment)
        if (!(yield* repo.remove({ organization_id, invoice_id, id }, entry))) return yield* NotFound.of()
        return object_key
      }, transaction)

      const remove = Effect.fn("Attachments.remove")(function* (invoice_id: InvoiceId, id: AttachmentId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": invoice_id, "attachment.id": id })
        yield* removeFile(yield* markDeleted(invoice_id, id))
        return { id }
      })

      const open = Effect.fnUntraced(function* (invoice_id: InvoiceId, id: AttachmentId) {
        const again = find(invoice_id, id)
        const { object_key, ...attachment } = yield* again
        const stored = { object_key, file_size: attachment.file_size }
        return { attachment, bytes: yield* openStored(blobs, `attachment ${id}`, stored, again) }
      })

      const download = Effect.fn("Attachments.download")(function* (invoice_id: InvoiceId, id: AttachmentId) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": invoice_id, "attachment.id": id })
        const { attachment, bytes } = yield* open(invoice_id, id)
        const { file_name, file_size: size_bytes, mime_type: content_type } = attachment
        return { bytes, size_bytes, content_type, file_name }
      })

      const embedded = Effect.fn("Attachments.embedded")(function* ({ embedded_attachment_ids, id }: Embedding) {
        return yield* Effect.forEach(
          embedded_attachment_ids ?? [],
          Effect.fnUntraced(function* (attachment_id) {
            const { attachment, bytes } = yield* open(id, attachment_id)
            return { attachment, content: Buffer.concat(yield* Stream.runCollect(bytes)) }
          }, Effect.scoped)
        ).pipe(
          // An embedded attachment cannot be removed, so the list of embedded ones must have changed since it was read.
          Effect.catchTag("NotFound", () => StorageUnavailable.of())
        )
      })

      return Attachments.of({ list, create, remove, download, embedded })
    })
  ).pipe(Layer.provide([AttachmentsRepo.layer, Deposits.layer, StorageQuota.layer]))
}

const attachmentEntry = Effect.fnUntraced(function* (
  action: "attachment.created" | "attachment.deleted",
  attachment: Attachment,
  sha256?: string
) {
  const { file_name, file_size, id: attachment_id, invoice_id } = attachment
  const data = { invoice_id, attachment_id, file_name, file_size, ...(sha256 === undefined ? {} : { sha256 }) }
  return yield* callerEntry(action, data, [yield* attachmentEvent(action, attachment)])
})
