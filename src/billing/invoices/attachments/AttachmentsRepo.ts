import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AttachmentId, InvoiceId, OrganizationId, UserId } from "../../../kernel/Ids.ts"
import { type Entry, AuditLog } from "../../../platform/events/AuditLog.ts"
import { columnsOf } from "../../../platform/sql/statements/Columns.ts"
import { BlobKey } from "../../../platform/storage/BlobStore.ts"
import { Attachment, attachments_per_invoice_max } from "./Attachment.ts"
import { traced } from "../../../platform/sql/Traced.ts"

export const InvoiceKey = Schema.Struct({ organization_id: OrganizationId, invoice_id: InvoiceId })
export type InvoiceKey = typeof InvoiceKey.Type
const Key = Schema.Struct({ ...InvoiceKey.fields, id: AttachmentId })
type Key = typeof Key.Type

const NewAttachment = Schema.Struct({
  ...InvoiceKey.fields,
  file_name: Schema.String,
  file_size: Schema.Int,
  mime_type: Schema.String,
  description: Schema.NullOr(Schema.String),
  sha256: Schema.String,
  object_key: BlobKey,
  created_by: Schema.NullOr(UserId),
  operation: Schema.NullOr(Schema.String)
})
export type NewAttachment = typeof NewAttachment.Type

const Stored = Schema.Struct({ ...Attachment.fields, object_key: BlobKey })

const StoredFile = Schema.Struct({ object_key: BlobKey, sha256: Schema.String, mime_type: Schema.String })
export type StoredFile = typeof StoredFile.Type

const Abandoned = Schema.Struct({ object_key: BlobKey })

/** An attachment is readable only while its invoice exists. */
export class AttachmentsRepo extends Context.Service<AttachmentsRepo>()(
  "invoicing/billing/invoices/attachments/AttachmentsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const auditLog = yield* AuditLog

      const columns = sql.literal(columnsOf("a", Attachment.fields))

      const invoice = ({ invoice_id, organization_id }: typeof InvoiceKey.Encoded) => sql`
        select id from invoices
        where organization_id = ${organization_id} and id = ${invoice_id} and deleted_at is null`

      const live = (key: typeof InvoiceKey.Encoded) => sql`
        a.organization_id = ${key.organization_id} and a.invoice_id in (${invoice(key)})
        and a.stored_at is not null and a.deleted_at is null`

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ ...InvoiceKey.fields, limit: Schema.Int, offset: Schema.Int }),
        Result: Attachment,
        execute: (request) => sql`
          select ${columns} from invoice_attachments a where ${live(request)}
          order by a.id desc limit ${request.limit} offset ${request.offset}`
      })

      const all = (key: InvoiceKey) => list({ ...key, limit: attachments_per_invoice_max, offset: 0 })

      const count = SqlSchema.findOneOption({
        Request: InvoiceKey,
        Result: Schema.Struct({ total: Schema.Int }),
        execute: (key) => sql`
          select (select count(*) from invoice_attachments a where ${live(key)}) as total
          from (${invoice(key)}) as invoice`
      })

      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: Stored,
        execute: (key) => sql`
          select ${columns}, a.object_key from invoice_attachments a where ${live(key)} and a.id = ${key.id}`
      })

      /** Finds the attachment that an earlier attempt of the same request has stored, also if it was removed since. */
      const findOperation = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...InvoiceKey.fields, operation: Schema.String }),
        Result: Attachment,
        execute: ({ invoice_id, operation, organization_id }) => sql`
          select ${columns} from invoice_attachments a
          where a.organization_id = ${organization_id} and a.invoice_id = ${invoice_id} and a.stored_at is not null
            and a.operation = ${operation}`
      })

      const lockInvoice = SqlSchema.findOneOption({
        Request: InvoiceKey,
        Result: Schema.Struct({ is_issued: Schema.Boolean, embedded: Schema.Array(AttachmentId) }),
        execute: ({ invoice_id, organization_id }) => sql`
          select issued_at is not null as is_issued,
            coalesce(details -> 'embedded_attachment_ids', '[]') as embedded
          from invoices
          where organization_id = ${organization_id} and id = ${invoice_id} and deleted_at is null
          for no key update`
      })

      const files = SqlSchema.findAll({
        Request: InvoiceKey,
        Result: StoredFile,
        execute: (key) => sql`
          select a.object_key, a.sha256, a.mime_type from invoice_attachments a where ${live(key)} order by a.id`
      })

      const reserve = SqlSchema.findOne({
        Request: NewAttachment,
        Result: Attachment,
        execute: (row) => sql`insert into invoice_attachments as a ${sql.insert(row)} returning ${columns}`
      })

      /** Returns false if the upload took so long that `abandon` gave it up. */
      const confirm = Effect.fn("AttachmentsRepo.confirm")(function* (key: Key, entry: Entry) {
        return yield* auditLog.write(
          sql`written as (
            update invoice_attachments set stored_at = now()
            where organization_id = ${key.organization_id} and id = ${key.id}
              and deleted_at is null and removed_at is null
            returning id)`,
          entry
        )
      }, Effect.orDie)

      /** Returns false when a concurrent request removed the attachment first. */
      const remove = Effect.fn("AttachmentsRepo.remove")(function* (key: Key, entry: Entry) {
        return yield* auditLog.write(
          sql`written as (
            update invoice_attachments a set deleted_at = now() where ${live(key)} and a.id = ${key.id} returning a.id)`,
          entry
        )
      }, Effect.orDie)

      /**
       * Deletes an attachment whose upload is not confirmed. Returns false if it is confirmed: after a lost connection,
       * the caller may not know whether the confirmation was committed.
       */
      const release = Effect.fn("AttachmentsRepo.release")(function* (object_key: BlobKey) {
        const rows = yield* sql`
          update invoice_attachments set deleted_at = now()
          where object_key = ${object_key} and stored_at is null returning id`
        return rows.length === 1
      }, Effect.orDie)

      /** Records that the file was removed from the storage. */
      const forget = Effect.fn("AttachmentsRepo.forget")(function* (object_key: BlobKey) {
        yield* sql`update invoice_attachments set removed_at = now() where object_key = ${object_key}`
      }, Effect.orDie)

      /** Gives up the old unconfirmed uploads of all organizations, so that none is confirmed without its file. */
      const abandon = SqlSchema.void({
        Request: Schema.Int,
        execute: (pending_minutes) => sql`
          update invoice_attachments set deleted_at = now()
          where removed_at is null and stored_at is null and deleted_at is null
            and created_at < now() - make_interval(mins => ${pending_minutes})`
      })

      /** Finds unreachable files: those of unconfirmed uploads, of deleted attachments and of deleted invoices. */
      const abandoned = SqlSchema.findAll({
        Request: Schema.Int,
        Result: Abandoned,
        execute: (limit) => sql`
          select object_key from invoice_attachments where removed_at is null and deleted_at is not null
          union all
          select a.object_key from invoices i join invoice_attachments a on a.invoice_id = i.id
          where i.deleted_at is not null and a.stored_at is not null and a.deleted_at is null and a.removed_at is null
          limit ${limit}`
      })

      return {
        ...traced("AttachmentsRepo", {
          list,
          all,
          find,
          findOperation,
          lockInvoice,
          files,
          reserve,
          abandon,
          abandoned
        }),
        count: Effect.fn("AttachmentsRepo.count")(count, Effect.map(Option.map(({ total }) => total)), Effect.orDie),
        confirm,
        remove,
        release,
        forget
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
