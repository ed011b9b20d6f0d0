import { Context, Effect, Layer, Option, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { today } from "../../kernel/Calendar.ts"
import { ReceiptRef } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import type { StorageQuotaExceeded } from "../../organizations/storage/StorageErrors.ts"
import { StorageQuota } from "../../organizations/storage/StorageQuota.ts"
import { callerEntry } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Download } from "../../platform/http/answers/Download.ts"
import { isIdempotencyKey } from "../../platform/http/IdempotencyKey.ts"
import { isTooLarge, type Upload, upload_bytes_max, type UploadRefused } from "../../platform/http/Upload.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type BlobKey, BlobStore, newBlobKey } from "../../platform/storage/BlobStore.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { openStored } from "../../platform/storage/StoredFile.ts"
import { Expenses } from "../Expenses.ts"
import { type PendingReceipt, pendingReceipt, type Receipt } from "./records/Receipt.ts"
import { IdempotencyKeyInvalid, ReadingUnavailable, UploadInProgress } from "./ReceiptErrors.ts"
import { asReceipt, type ReceiptForm, readReceipt } from "./ReceiptForm.ts"
import { ReceiptQueue, ReceiptTextQueue } from "./reading/ReceiptQueue.ts"
import { needsEngine, ReceiptReader } from "./reading/ReceiptReader.ts"
import { ReceiptsRepo } from "./records/ReceiptsRepo.ts"

type Refused =
  | UploadRefused
  | IdempotencyKeyInvalid
  | UploadInProgress
  | StorageQuotaExceeded
  | StorageUnavailable
  | ReadingUnavailable

interface Uploaded {
  readonly receipt: PendingReceipt
  /** True when the idempotency key was used before; `receipt` is then the earlier one. */
  readonly replayed: boolean
}

/** Time for which a request waits for another one that is storing a file under the same idempotency key. */
const waiting = Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "8 seconds" }))

/** Stores a file, its receipt and its job together or not at all (rules/expenses.md, Uploads). */
export class Receipts extends Context.Service<
  Receipts,
  {
    /** Within an organization, an idempotency key identifies one receipt, whoever sends it and with any file. */
    readonly upload: <R>(
      form: Effect.Effect<Upload, UploadRefused, R>,
      idempotency_key: string | undefined
    ) => Effect.Effect<Uploaded, Refused, Caller | R>
    readonly get: (receipt_ref: ReceiptRef) => Effect.Effect<PendingReceipt | Receipt, NotFound, CurrentOrganization>
    /** Opens the uploaded file, byte for byte. */
    readonly download: (
      receipt_ref: ReceiptRef
    ) => Effect.Effect<Download<StorageUnavailable>, NotFound | StorageUnavailable, CurrentOrganization | Scope.Scope>
  }
>()("invoicing/expenses/receipts/Receipts") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptsRepo
      const expenses = yield* Expenses
      const quota = yield* StorageQuota
      const reader = yield* ReceiptReader
      const blobs = yield* BlobStore
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      const earlier = Effect.fnUntraced(function* (idempotency_key: string | null) {
        if (idempotency_key === null) return Option.none<PendingReceipt>()
        const { id: organization_id } = yield* CurrentOrganization
        const found = yield* repo.findByIdempotencyKey({ organization_id, idempotency_key })
        if (Option.isNone(found)) return Option.none<PendingReceipt>()
        const { reserved, ...receipt } = found.value
        return reserved ? yield* UploadInProgress.of() : Option.some(pendingReceipt(receipt))
      })

      /** Refuses an upload before anything is stored, so that nothing needs cleaning up. */
      const admit = Effect.fnUntraced(function* ({ expense_id, mime_type }: ReceiptForm) {
        if (mime_type === "image/heic" && !reader.readsHeic) {
          return yield* ValidationFailed.field(
            "receipt",
            "may not be HEIC here, which cannot be read; send it as JPEG."
          )
        }
        if (expense_id !== null) {
          yield* expenses.get(expense_id).pipe(Effect.catchTag("NotFound", () => Effect.fail(foreignExpense())))
        }
        if (!needsEngine(mime_type)) return
        if (!(yield* reader.available) || (yield* repo.isReadingRefused())) return yield* ReadingUnavailable.of()
      })

      /** A file over the quota gets 413, any other file that is too large 422 (rules/expenses.md, Uploads). */
      const refused = Effect.fnUntraced(function* (error: UploadRefused) {
        if (isTooLarge(error)) yield* quota.requireRoom(upload_bytes_max + 1)
        return yield* asReceipt(error)
      })

      const reserve = Effect.fnUntraced(function* (form: ReceiptForm, idempotency_key: string | null) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const { user_id: created_by } = yield* CurrentPrincipal
        yield* quota.lock
        // Another request may have used the idempotency key while this one waited for the lock.
        if (Option.isSome(yield* earlier(idempotency_key))) return yield* UploadInProgress.of()
        const { expense_id, extension, file, file_name, mime_type } = form
        const { sha256, size: file_size } = file
        yield* quota.requireRoom(file_size)
        const receipt_ref = ReceiptRef.make(SecureRandom.uuidV4Unsafe())
        const [year, month] = (yield* today(timezone)).split("-")
        const receipt_path = `receipts/${organization_id}/${year}/${month}/${receipt_ref}.${extension}`
        const object_key = yield* newBlobKey("receipts", organization_id)
        const facts = { file_name, file_size, mime_type, sha256, object_key }
        const row = { organization_id, receipt_ref, receipt_path, ...facts, idempotency_key, expense_id, created_by }
        yield* repo.reserve(row)
        return row
      }, transaction)

      type Reserved = Effect.Success<ReturnType<typeof reserve>>

      const confirm = Effect.fnUntraced(function* (row: Reserved) {
        const { mime_type, organization_id, receipt_ref } = row
        const queue = needsEngine(mime_type) ? ReceiptQueue : ReceiptTextQueue
        yield* jobs.offer(queue, { organization_id, receipt_ref }, { id: receipt_ref, organization_id })
        const { expense_id, file_name, file_size, receipt_path, sha256 } = row
        const data = { receipt_ref, receipt_path, file_name, file_size, sha256, expense_id }
        const entry = yield* callerEntry("receipt.uploaded", data)
        // The reservation went to another request, because this one took too long to store the file.
        if (!(yield* repo.confirm(row, entry))) return yield* StorageUnavailable.of()
      }, transaction)

      /**
       * Removes the reservation and the file. What is left after a failure is removed later by `ReceiptUpkeep.purge`.
       */
      const giveUp = (row: Reserved, object_key: BlobKey) =>
        Effect.gen(function* () {
          if (!(yield* repo.release(row))) return
          yield* blobs.remove(object_key)
          yield* repo.forget(row)
        }).pipe(Effect.ignoreCause)

      const store = Effect.fnUntraced(function* (form: ReceiptForm, idempotency_key: string | null) {
        const row = yield* reserve(form, idempotency_key)
        yield* blobs.put(row.object_key, form.file).pipe(
          // The storage key is random, so a file that already has this key means a bug.
          Effect.catchTag("BlobExists", Effect.die),
          Effect.andThen(confirm(row)),
          Effect.onError(() => giveUp(row, row.object_key))
        )
        const { expense_id, receipt_path, receipt_ref } = row
        return pendingReceipt({ receipt_ref, receipt_path, expense_id })
        // A disconnecting client must not interrupt this, because the receipt's row and its file belong together.
      }, Effect.uninterruptible)

      const upload = Effect.fn("Receipts.upload")(function* <R>(
        form: Effect.Effect<Upload, UploadRefused, R>,
        key: string | undefined
      ) {
        if (key !== undefined && !isIdempotencyKey(key)) return yield* IdempotencyKeyInvalid.of()
        const idempotency_key = key ?? null
        // A used idempotency key is looked up first, so that a repeated upload succeeds even if its form has errors.
        const received = yield* Effect.exit(form.pipe(Effect.catch(refused)))
        const attempt = Effect.gen(function* () {
          const known = yield* earlier(idempotency_key)
          if (Option.isSome(known)) return { receipt: known.value, replayed: true }
          const admitted = yield* readReceipt(yield* received)
          yield* admit(admitted)
          return { receipt: yield* store(admitted, idempotency_key), replayed: false }
        })
        return yield* Effect.retry(attempt, {
          while: ({ _tag }) => _tag === "UploadInProgress",
          schedule: waiting
        })
      })

      const get = Effect.fn("Receipts.get")(function* (receipt_ref: ReceiptRef) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, receipt_ref }))
      })

      const download = Effect.fn("Receipts.download")(function* (receipt_ref: ReceiptRef) {
        const { id: organization_id } = yield* CurrentOrganization
        const find = orNotFound(repo.findFile({ organization_id, receipt_ref }))
        const file = yield* find
        const bytes = yield* openStored(blobs, `receipt ${receipt_ref}`, file, find)
        return { bytes, size_bytes: file.file_size, content_type: file.mime_type, file_name: file.file_name }
      })

      return Receipts.of({ upload, get, download })
    })
  ).pipe(Layer.provide([ReceiptsRepo.layer, StorageQuota.layer]))
}

const foreignExpense = () =>
  ValidationFailed.of({ expense_id: ["The expense_id field must name an expense of this organization."] })
