import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { dayAt } from "../../../kernel/Calendar.ts"
import type { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { asSystem } from "../../../organizations/AsSystem.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import { isPassing } from "../../../platform/http/answers/EdgeAnswers.ts"
import { Jobs } from "../../../platform/jobs/Jobs.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { type BlobMissing, BlobStore } from "../../../platform/storage/BlobStore.ts"
import { Spool } from "../../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { ExpenseFindings } from "../../Expense.ts"
import { Expenses } from "../../Expenses.ts"
import { remembered } from "../memory/VendorMemory.ts"
import { VendorMemoryRepo } from "../memory/VendorMemoryRepo.ts"
import type { ExtractedFields, Extraction } from "../records/Extraction.ts"
import { Receipt } from "../records/Receipt.ts"
import { OwnAccountsRepo } from "./OwnAccountsRepo.ts"
import { recordOutcome, startOutcomes } from "./ReadingMetrics.ts"
import { duplicateKeyOf, failedOutcome, type Outcome, outcomeOf } from "./ReceiptOutcome.ts"
import { pauseAfter, readingJobId, ReceiptQueue } from "./ReceiptQueue.ts"
import { type ReaderUnavailable, ReceiptReader } from "./ReceiptReader.ts"
import { ReceiptsRepo, type UnreadReceipt } from "../records/ReceiptsRepo.ts"

interface Key {
  readonly organization_id: OrganizationId
  readonly receipt_ref: ReceiptRef
}

interface Seen extends Key {
  readonly reading_timeouts: number
}

type Passing = StorageUnavailable | ReaderUnavailable

/** Reads receipts, and stores each result exactly once. */
export class ReceiptProcessor extends Context.Service<
  ReceiptProcessor,
  {
    /** Reads a receipt that needs no OCR engine; moves any other to the queue of those that need one. */
    readonly readText: (key: Key) => Effect.Effect<void>
    /**
     * Fails only with temporary errors, and never in the last attempt. Leaves finished and removed receipts unchanged.
     */
    readonly read: (key: Key, attempt: { readonly last: boolean }) => Effect.Effect<void, Passing>
    /** Ends a receipt as failed, unless its reading was enqueued again after the caller saw it. */
    readonly giveUp: (seen: Seen) => Effect.Effect<void>
  }
>()("invoicing/expenses/receipts/reading/ReceiptProcessor") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptsRepo
      const memory = yield* VendorMemoryRepo
      const accounts = yield* OwnAccountsRepo
      const organizations = yield* Organizations
      const expenses = yield* Expenses
      const reader = yield* ReceiptReader
      const blobs = yield* BlobStore
      const spool = yield* Spool
      const auditLog = yield* AuditLog
      const jobs = yield* Jobs
      const { transaction } = yield* Database
      yield* startOutcomes

      /** Fetches the uploaded file; a file with a wrong checksum is fetched again in the next attempt. */
      const fetched = Effect.fnUntraced(function* ({ object_key, receipt_ref, sha256 }: UnreadReceipt) {
        const { bytes } = yield* blobs.get(object_key)
        const file = yield* spool.keep(bytes)
        if (file.sha256 === sha256) return file
        yield* Effect.logError(`receipt ${receipt_ref} differs from the upload`)
        return yield* StorageUnavailable.of()
      })

      const fileOf = Effect.fnUntraced(function* (receipt: UnreadReceipt, organization: Organization) {
        const { path } = yield* fetched(receipt)
        const { city, contact_phone, country, currency, language, name, settings, timezone } = organization
        const { registration_number, tax_number } = organization
        // The plausibility of a date depends on the day of the upload, even if the receipt waited for days.
        const today = dayAt(DateTime.toEpochMillis(DateTime.makeUnsafe(receipt.created_at)), timezone)
        const own_accounts = [settings.payment_iban, ...(yield* accounts.numbers(organization.id))]
        const own_names = [name, tax_number, registration_number, city, contact_phone, ...own_accounts].filter(
          (text) => typeof text === "string"
        )
        const hints = { country, currency, language, today, own_names, own_name: name }
        return { path, media_type: receipt.mime_type, hints }
      })

      /**
       * Completes and corrects the fields by earlier expenses of the same vendor. If the database fails, the fields
       * stay unchanged.
       */
      const withMemory = Effect.fnUntraced(function* (organization_id: OrganizationId, extraction: Extraction) {
        const keys = extraction.trace?.vendor_keys ?? []
        if (keys.length === 0) return extraction
        const earlier = memory.earlier({ organization_id, keys })
        return remembered(
          extraction,
          yield* Effect.catchDefect(earlier, (defect) =>
            Effect.as(Effect.logWarning("earlier expenses of the vendor cannot be read", defect), [])
          )
        )
      })

      const outcomeFrom = Effect.fnUntraced(function* (receipt: UnreadReceipt, extraction: Extraction) {
        return outcomeOf(yield* withMemory(receipt.organization_id, extraction), receipt.file_name)
      })

      const outcome = (receipt: UnreadReceipt, organization: Organization) =>
        fileOf(receipt, organization).pipe(
          Effect.flatMap(reader.read),
          Effect.scoped,
          Effect.flatMap((extraction) => outcomeFrom(receipt, extraction)),
          Effect.tapErrorTag("ReaderUnavailable", () => repo.noteRefusal(receipt)),
          Effect.catchTags({
            BlobMissing: ({ key }: BlobMissing) =>
              Effect.as(
                Effect.logError(`the file ${key} of receipt ${receipt.receipt_ref} is missing`),
                failedOutcome("file_missing", "The receipt's file is missing.")
              ),
            ReaderStopped: ({ reason }) =>
              Effect.as(
                Effect.logWarning(`the reader of receipt ${receipt.receipt_ref} was stopped: ${reason}`),
                undefined
              )
          }),
          // An outage of the database passes, so the job is repeated. A bug is permanent: another attempt would not help.
          Effect.catchDefect((defect) =>
            isPassing(defect)
              ? Effect.die(defect)
              : Effect.as(
                  Effect.logError(`receipt ${receipt.receipt_ref} cannot be read`, defect),
                  failedOutcome("reading_failed", "The receipt cannot be read.")
                )
          )
        )

      /** Fills the expense that the upload named. Warns of each field in which it differs from the receipt. */
      const enrich = Effect.fnUntraced(function* (receipt: UnreadReceipt, fields: ExtractedFields) {
        const { expense_id, receipt_path } = receipt
        if (expense_id === null) return []
        const findings = yield* Effect.orDie(decodeFindings({ ...fields, receipt_path }))
        return yield* expenses.enrich(expense_id, findings).pipe(
          Effect.map(({ booked_as, conflicts, isLocked }) =>
            isLocked
              ? [`expense ${expense_id} is in a locked period, so nothing was filled`]
              : [
                  ...(booked_as === null
                    ? []
                    : [
                        `another expense of the receipt exists (${booked_as}), so expense ${expense_id} was not filled`
                      ]),
                  ...conflicts.map((field) => `${field} differs from the expense, which was not changed`)
                ]
          ),
          Effect.catchTag("NotFound", () => Effect.succeed([`expense ${expense_id} was deleted meanwhile`]))
        )
      })

      /** Locks in the order of a change of an expense: the expense, the booking of its receipt, and the receipt. */
      const lockUnread = Effect.fnUntraced(function* (receipt: UnreadReceipt, organization: Organization) {
        if (receipt.expense_id !== null) {
          yield* asSystem(organization)(expenses.hold([receipt.expense_id]))
          yield* repo.lockBooking(receipt.organization_id, receipt.receipt_path)
        }
        return yield* repo.lockUnread(receipt)
      })

      const complete = Effect.fnUntraced(function* (
        receipt: UnreadReceipt,
        organization: Organization,
        { fields, result, status, trace }: Outcome
      ) {
        const { organization_id, receipt_ref } = receipt
        // A job can run twice, so another process may have stored the result already.
        if (Option.isNone(yield* lockUnread(receipt, organization))) return false
        const conflicts = yield* asSystem(organization)(enrich(receipt, fields))
        const warnings = [...result.warnings, ...conflicts]
        const duplicate_key = duplicateKeyOf(fields)
        const completed = { ...result, warnings }
        yield* repo.complete({ organization_id, receipt_ref, status, result: completed, trace, duplicate_key })
        const processed = yield* repo
          .find({ organization_id, receipt_ref })
          .pipe(Effect.flatMap(Effect.fromOption), Effect.orDie)
        const attributes = yield* Effect.orDie(encode(processed))
        yield* auditLog.append({
          organization_id,
          actor: "system",
          action: "receipt.processed",
          data: { receipt_ref, status },
          events: [{ type: "receipt.processed", data: { object: "receipt", id: receipt_ref, attributes } }]
        })
        return true
      }, transaction)

      /** Enqueues another attempt after the reader was stopped. Returns false if there are no more attempts. */
      const tryLater = Effect.fnUntraced(function* (receipt: UnreadReceipt) {
        const { organization_id, reading_timeouts, receipt_ref } = receipt
        const timeouts = reading_timeouts + 1
        const delay = pauseAfter(timeouts)
        if (delay === undefined) return false
        // Another process may already have recorded this stop, or completed the receipt.
        const current = yield* repo.lockUnread(receipt)
        if (Option.isNone(current) || current.value.reading_timeouts !== reading_timeouts) return true
        yield* repo.noteTimeout(receipt)
        const id = readingJobId(receipt_ref, timeouts)
        yield* jobs.offer(ReceiptQueue, { organization_id, receipt_ref }, { id, delay, organization_id })
        return true
      }, transaction)

      const finish = Effect.fnUntraced(function* (receipt: UnreadReceipt, organization: Organization, by: Outcome) {
        if (yield* complete(receipt, organization, by)) yield* recordOutcome(by.status)
      })

      const readText = Effect.fn("ReceiptProcessor.readText")(function* (key: Key) {
        yield* Effect.annotateCurrentSpan({ "receipt.ref": key.receipt_ref })
        const found = yield* repo.begin(key)
        if (Option.isNone(found)) return
        const organization = yield* organizations.get(key.organization_id).pipe(Effect.orDie)
        const reached = yield* fileOf(found.value, organization).pipe(
          Effect.flatMap(reader.readText),
          Effect.scoped,
          Effect.flatMap((text) =>
            Option.isSome(text) ? Effect.asSome(outcomeFrom(found.value, text.value)) : Effect.succeedNone
          ),
          // In the other queue, the attempts are repeated for a day, and decide how the reading fails.
          Effect.orElseSucceed(() => Option.none<Outcome>()),
          Effect.catchDefect(() => Effect.succeed(Option.none<Outcome>()))
        )
        if (Option.isSome(reached)) return yield* finish(found.value, organization, reached.value)
        const { organization_id, receipt_ref } = key
        const options = { id: receipt_ref, organization_id }
        yield* transaction(jobs.offer(ReceiptQueue, { organization_id, receipt_ref }, options))
      })

      const read = Effect.fn("ReceiptProcessor.read")(function* (key: Key, { last }: { readonly last: boolean }) {
        yield* Effect.annotateCurrentSpan({ "receipt.ref": key.receipt_ref })
        const found = yield* repo.begin(key)
        if (Option.isNone(found)) return
        const organization = yield* organizations.get(key.organization_id).pipe(Effect.orDie)
        const reached = yield* outcome(found.value, organization).pipe(
          Effect.catchIf(
            () => last,
            () => Effect.succeed(unavailable)
          )
        )
        if (reached === undefined && (yield* tryLater(found.value))) return
        yield* finish(found.value, organization, reached ?? stopped)
      })

      /** A reading that timed out is enqueued again under another id, so the caller may have missed its new job. */
      const failUnlessRetried = Effect.fnUntraced(function* (
        receipt: UnreadReceipt,
        organization: Organization,
        reading_timeouts: number
      ) {
        const current = yield* lockUnread(receipt, organization)
        if (Option.isNone(current) || current.value.reading_timeouts !== reading_timeouts) return
        yield* finish(receipt, organization, unavailable)
      }, transaction)

      const giveUp = Effect.fn("ReceiptProcessor.giveUp")(function* ({ reading_timeouts, ...key }: Seen) {
        const found = yield* repo.unread(key)
        if (Option.isNone(found)) return
        const organization = yield* organizations.get(key.organization_id).pipe(Effect.orDie)
        yield* failUnlessRetried(found.value, organization, reading_timeouts)
      })

      return ReceiptProcessor.of({ readText, read, giveUp })
    })
  ).pipe(Layer.provide([ReceiptsRepo.layer, VendorMemoryRepo.layer, OwnAccountsRepo.layer, Organizations.layer]))
}

const stopped = failedOutcome(
  "reading_timed_out",
  "Reading the receipt took too long or was interrupted, in each of five attempts."
)
const unavailable = failedOutcome("reading_unavailable", "The receipt could not be read in time; upload it again.")

const decodeFindings = Schema.decodeEffect(ExpenseFindings)

const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(Receipt))
