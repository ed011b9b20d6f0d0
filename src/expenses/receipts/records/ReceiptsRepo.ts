import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { ExpenseId, OrganizationId, ReceiptRef, UserId } from "../../../kernel/Ids.ts"
import { AppConfig } from "../../../platform/config/AppConfig.ts"
import { type Entry, AuditLog } from "../../../platform/events/AuditLog.ts"
import { ReadSql } from "../../../platform/sql/Database.ts"
import { BlobKey } from "../../../platform/storage/BlobStore.ts"
import { ReadingTrace } from "./ReadingTrace.ts"
import { type PendingReceipt, pendingReceipt, ReceiptResult, Receipt } from "./Receipt.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, receipt_ref: ReceiptRef })
type Key = typeof Key.Type

const Reservation = Schema.Struct({
  ...Key.fields,
  receipt_path: Schema.String,
  file_name: Schema.String,
  file_size: Schema.Int,
  mime_type: Schema.String,
  sha256: Schema.String,
  object_key: BlobKey,
  idempotency_key: Schema.NullOr(Schema.String),
  expense_id: Schema.NullOr(ExpenseId),
  created_by: Schema.NullOr(UserId)
})

/** The fields that callers see; of a receipt that is still being read, they see only some. */
const Found = Schema.Struct({
  ...Struct.pick(Receipt.fields, ["receipt_ref", "receipt_path", "expense_id", "duplicate_of", "expires_at"]),
  status: Schema.Literals(["processing", "done", "needs_review", "failed"]),
  result: Schema.NullOr(ReceiptResult),
  completed_at: Schema.NullOr(Timestamp)
})

const shown = ({ completed_at, result, status, ...receipt }: typeof Found.Type): PendingReceipt | Receipt => {
  if (status !== "processing" && result !== null && completed_at !== null) {
    return { ...receipt, status, ...result, completed_at }
  }
  const { expense_id, receipt_path, receipt_ref } = receipt
  return pendingReceipt({ receipt_ref, receipt_path, expense_id })
}

const Earlier = Schema.Struct({
  ...Struct.pick(Receipt.fields, ["receipt_ref", "receipt_path", "expense_id"]),
  /** True while the file of the receipt is still being stored. */
  reserved: Schema.Boolean
})

const Unread = Schema.Struct({
  ...Key.fields,
  ...Struct.pick(Reservation.fields, ["receipt_path", "file_name", "mime_type", "sha256", "object_key", "expense_id"]),
  reading_timeouts: Schema.Int,
  created_at: Timestamp
})
export type UnreadReceipt = typeof Unread.Type

const StoredReceipt = Schema.Struct(
  Struct.pick(Reservation.fields, ["file_name", "file_size", "mime_type", "object_key"])
)

const Completion = Schema.Struct({
  ...Key.fields,
  status: Receipt.fields.status,
  result: ReceiptResult,
  trace: Schema.NullOr(ReadingTrace),
  duplicate_key: Schema.NullOr(Schema.String)
})

const encodeResult = Schema.encodeEffect(Schema.toCodecJson(ReceiptResult))

/** Time after a failed start of a reader during which the readers of all processes count as unavailable. */
const refusal_seconds = 30

/**
 * Time for which a request that stores its file keeps its idempotency key. Afterwards, another request may take the key
 * over, and the first request is then refused when it has stored the file.
 */
const key_lease_seconds = 120

/** No caller sees reserved or removed rows. */
export class ReceiptsRepo extends Context.Service<ReceiptsRepo>()("invoicing/expenses/receipts/records/ReceiptsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const read = yield* ReadSql
    const auditLog = yield* AuditLog
    const { receiptRetentionDays: retention_days } = yield* AppConfig

    const own = ({ organization_id, receipt_ref }: typeof Key.Encoded) =>
      sql`r.organization_id = ${organization_id} and r.receipt_ref = ${receipt_ref}::uuid`
    const isSeen = sql.literal("r.status not in ('reserved', 'removed')")
    /** The id of an expense with this `receipt_path`, if any. Only the expense stores this link. */
    const linked_expense = sql.literal(`(
      select min(e.id) from expenses e
      where e.organization_id = r.organization_id and e.receipt_path = r.receipt_path and e.deleted_at is null)`)

    /** The id of the expense that the upload belongs to, unless the expense has been deleted since. */
    const uploaded_for = sql.literal(`(
      select e.id from expenses e
      where e.organization_id = r.organization_id and e.id = r.expense_id and e.deleted_at is null)`)

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Found,
      execute: (key) => sql`
        select receipt_ref::text, receipt_path, status, result, completed_at, duplicate_of::text, expense_id,
          unused_since + make_interval(days => ${retention_days}) as expires_at
        from (
          select r.receipt_ref, r.receipt_path, r.status, r.result, r.completed_at, r.unused_since,
            coalesce(${uploaded_for}, ${linked_expense}) as expense_id,
            (select d.receipt_ref from receipts d
              where d.organization_id = r.organization_id and d.id < r.id and d.status not in ('reserved', 'removed')
                and (d.sha256 = r.sha256 or d.duplicate_key = r.duplicate_key)
              order by d.id limit 1) as duplicate_of
          from receipts r where ${own(key)} and ${isSeen}) as receipt`
    })

    const findFile = SqlSchema.findOneOption({
      Request: Key,
      Result: StoredReceipt,
      execute: (key) => sql`
        select r.file_name, r.file_size, r.mime_type, r.object_key from receipts r where ${own(key)} and ${isSeen}`
    })

    /**
     * Several expenses may refer to one receipt, because a file can hold several receipts, and a purchase can have two
     * categories. A receipt that is about to be removed cannot be used, because the expense would lose the file.
     */
    const isUsable = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, receipt_path: Schema.String }),
      Result: Schema.Struct({ usable: Schema.Boolean }),
      execute: ({ organization_id, receipt_path }) => sql`
        select exists (
          select from receipts r
          where r.organization_id = ${organization_id} and r.receipt_path = ${receipt_path} and ${isSeen}
            and (r.unused_since is null or r.unused_since > now() - make_interval(days => ${retention_days}))) as usable`
    })

    const lockBooking = Effect.fn("ReceiptsRepo.lockBooking")(function* (
      organization_id: OrganizationId,
      path: string
    ) {
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`booking of ${organization_id} ${path}`}, 0))`
    }, Effect.orDie)

    /** Locks the receipts that the expenses use, as the trigger `use_receipts` does. */
    const hold = Effect.fn("ReceiptsRepo.hold")(function* (
      organization_id: OrganizationId,
      expense_ids: ReadonlyArray<ExpenseId>
    ) {
      yield* sql`
        select r.id from receipts r
        where r.organization_id = ${organization_id} and (${sql.in("expense_id", expense_ids)}
          or r.receipt_path = any (array(
            select e.receipt_path from expenses e
            where e.organization_id = ${organization_id} and ${sql.in("id", expense_ids)})))
        order by r.id for no key update`
    }, Effect.orDie)

    /** Finds the receipt of an idempotency key, unless the key may be taken over. */
    const findByIdempotencyKey = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, idempotency_key: Schema.String }),
      Result: Earlier,
      execute: ({ idempotency_key, organization_id }) => sql`
        select r.receipt_ref::text, r.receipt_path, r.expense_id, r.status = 'reserved' as reserved from receipts r
        where r.organization_id = ${organization_id} and r.idempotency_key = ${idempotency_key}
          and (r.status <> 'reserved' or r.created_at > now() - make_interval(secs => ${key_lease_seconds}))`
    })

    const insert = SqlSchema.void({
      Request: Reservation,
      execute: (row) => sql`insert into receipts ${sql.insert({ ...row, status: "reserved" })}`
    })

    /** Stores a receipt without its file. It takes over its idempotency key, whose lease has ended. */
    const reserve = Effect.fn("ReceiptsRepo.reserve")(function* (row: typeof Reservation.Type) {
      if (row.idempotency_key !== null) {
        yield* sql`
          update receipts set status = 'removed', idempotency_key = null
          where organization_id = ${row.organization_id} and idempotency_key = ${row.idempotency_key}
            and status = 'reserved'`
      }
      yield* insert(row)
    }, Effect.orDie)

    /** Returns false if another request has taken the reservation over. */
    const confirm = Effect.fn("ReceiptsRepo.confirm")(function* (key: Key, entry: Entry) {
      return yield* auditLog.write(
        sql`written as (
          update receipts r set status = 'processing' where ${own(key)} and r.status = 'reserved' returning r.id)`,
        entry
      )
    })

    /** Returns false if the upload is already confirmed, which a caller that lost its connection does not know. */
    const release = Effect.fn("ReceiptsRepo.release")(function* (key: Key) {
      yield* sql`
        update receipts r set status = 'removed', idempotency_key = null where ${own(key)} and r.status = 'reserved'`
      const confirmed = yield* sql`select r.id from receipts r where ${own(key)} and ${isSeen}`
      return confirmed.length === 0
    }, Effect.orDie)

    const forget = Effect.fn("ReceiptsRepo.forget")(function* (key: Key) {
      yield* sql`delete from receipts r where ${own(key)} and r.status = 'removed'`
    }, Effect.orDie)

    const unreadColumns = sql.literal(
      "r.organization_id, r.receipt_ref::text, r.receipt_path, r.file_name, r.mime_type, r.sha256, r.object_key, r.expense_id, r.reading_timeouts, r.created_at"
    )
    const unread = (locking: "" | "for update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: Unread,
        execute: (key) => sql`
          select ${unreadColumns}
          from receipts r where ${own(key)} and r.status = 'processing' ${sql.literal(locking)}`
      })

    /** Returns the receipt if it is still unread, and records the start of its reading. */
    const begin = SqlSchema.findOneOption({
      Request: Key,
      Result: Unread,
      execute: (key) => sql`
        update receipts r set reading_since = now() where ${own(key)} and r.status = 'processing'
        returning ${unreadColumns}`
    })

    const noteRefusal = Effect.fn("ReceiptsRepo.noteRefusal")(function* (key: Key) {
      yield* sql`update receipts r set refused_at = now() where ${own(key)}`
    }, Effect.orDie)

    const noteTimeout = Effect.fn("ReceiptsRepo.noteTimeout")(function* (key: Key) {
      yield* sql`update receipts r set reading_timeouts = r.reading_timeouts + 1 where ${own(key)}`
    }, Effect.orDie)

    /** True if a reader failed to start recently, in any process: processes that accept uploads check this. */
    const isReadingRefused = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ refused: Schema.Boolean }),
      execute: () => read`
        select exists (
          select from receipts where refused_at > now() - make_interval(secs => ${refusal_seconds})) as refused`
    })

    const complete = Effect.fn("ReceiptsRepo.complete")(function* (completion: typeof Completion.Type) {
      const { duplicate_key, result, status, trace } = completion
      yield* sql`
        update receipts r set status = ${status}, result = ${sql.json(yield* encodeResult(result))},
          trace = ${trace === null ? null : sql.json(trace)}, duplicate_key = ${duplicate_key}, completed_at = now()
        where ${own(completion)}`
    }, Effect.orDie)

    return {
      ...traced("ReceiptsRepo", {
        findFile,
        findByIdempotencyKey,
        begin,
        unread: unread(""),
        lockUnread: unread("for update")
      }),
      find: Effect.fn("ReceiptsRepo.find")(find, Effect.map(Option.map(shown)), Effect.orDie),
      isUsable: Effect.fn("ReceiptsRepo.isUsable")(
        isUsable,
        Effect.map(({ usable }) => usable),
        Effect.orDie
      ),
      isReadingRefused: Effect.fn("ReceiptsRepo.isReadingRefused")(
        isReadingRefused,
        Effect.map(({ refused }) => refused),
        Effect.orDie
      ),
      noteRefusal,
      noteTimeout,
      lockBooking,
      hold,
      reserve,
      confirm,
      release,
      forget,
      complete
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
