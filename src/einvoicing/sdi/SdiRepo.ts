import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { EinvoiceKey } from "../documents/Einvoice.ts"
import { traced } from "../../platform/sql/Traced.ts"

const FileKey = Schema.Struct({ organization_id: OrganizationId, transmission_id: Schema.String })

const SentFile = Schema.Struct({
  ...FileKey.fields,
  file_name: Schema.String,
  message_id: Schema.String,
  sha256: Schema.String,
  reserved_at: Timestamp,
  attempts: Schema.Int
})
export type SentFile = typeof SentFile.Type

const Mailbox = Schema.Struct({
  last_uid: Schema.Finite,
  since: Schema.String,
  sdi_address: Schema.NullOr(Schema.String)
})

export const SdiMessage = Schema.Struct({
  organization_id: OrganizationId,
  message_id: Schema.String,
  position: Schema.Int,
  kind: Schema.Literals(["receipt", "invoice", "ignored"]),
  at: Timestamp,
  code: Schema.String,
  transmission_id: Schema.NullOr(Schema.String),
  reference: Schema.String,
  sdi_id: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  content_type: Schema.String,
  content: Schema.NullOr(Schema.Uint8Array),
  metadata: Schema.NullOr(Schema.Uint8Array)
})
export type SdiMessage = typeof SdiMessage.Type

const fileColumns = "organization_id, transmission_id::text, file_name, message_id, sha256, reserved_at, attempts"
const messageColumns = `organization_id, message_id, position, kind, at, code, transmission_id::text, reference, sdi_id,
  reason, content_type, content, metadata`

/** Maximum number of incoming files that one query returns. */
const arrivals_max = 20

export class SdiRepo extends Context.Service<SdiRepo>()("invoicing/einvoicing/sdi/SdiRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const file = sql.literal(fileColumns)

    /** Reserves the first free file name for a document, or returns the reserved one, and counts the attempt. */
    const reserve = SqlSchema.findOne({
      Request: Schema.Struct({
        ...SentFile.mapFields(({ attempts: _attempts, file_name: _name, ...fields }) => fields).fields,
        names: Schema.Array(Schema.String)
      }),
      Result: SentFile,
      execute: ({ message_id, names, organization_id, reserved_at, sha256, transmission_id }) => sql`
        insert into sdi_files
          (organization_id, transmission_id, file_name, message_id, sha256, reserved_at, attempts)
        select ${organization_id}, ${transmission_id}, name, ${message_id}, ${sha256}, ${reserved_at}, 1
        from unnest(${names}::text[]) as name
        where not exists (select from sdi_files taken where taken.file_name = name
          and (taken.organization_id, taken.transmission_id) <> (${organization_id}, ${transmission_id}::uuid))
        limit 1
        on conflict (organization_id, transmission_id) do update set attempts = sdi_files.attempts + 1
        returning ${file}`
    })

    /** Undoes the count of an attempt that certainly did not reach the SdI. */
    const release = SqlSchema.void({
      Request: FileKey,
      execute: ({ organization_id, transmission_id }) => sql`
        update sdi_files set attempts = attempts - 1
        where organization_id = ${organization_id} and transmission_id = ${transmission_id}`
    })

    const findFile = SqlSchema.findOneOption({
      Request: FileKey,
      Result: SentFile,
      execute: ({ organization_id, transmission_id }) => sql`
        select ${file} from sdi_files
        where organization_id = ${organization_id} and transmission_id = ${transmission_id}`
    })

    const findNamed = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, name: Schema.String }),
      Result: SentFile,
      execute: ({ name, organization_id }) => sql`
        select ${file} from sdi_files
        where organization_id = ${organization_id} and (file_name = ${name} or message_id = ${name})`
    })

    /**
     * If the account or the server's numbering has changed, reading starts again at the first message since `since`.
     */
    const mailbox = SqlSchema.findOne({
      Request: Schema.Struct({
        organization_id: OrganizationId,
        account: Schema.String,
        uid_validity: Schema.Finite,
        since: Schema.String
      }),
      Result: Mailbox,
      execute: ({ account, organization_id, since, uid_validity }) => sql`
        insert into sdi_mailboxes (organization_id, account, uid_validity, last_uid, since)
        values (${organization_id}, ${account}, ${uid_validity}, 0, ${since})
        on conflict (organization_id) do update set
          account = excluded.account,
          uid_validity = excluded.uid_validity,
          last_uid = case when (sdi_mailboxes.account, sdi_mailboxes.uid_validity)
            = (excluded.account, excluded.uid_validity) then sdi_mailboxes.last_uid else 0 end,
          since = case when sdi_mailboxes.account = excluded.account then sdi_mailboxes.since else excluded.since end,
          sdi_address = case when sdi_mailboxes.account = excluded.account then sdi_mailboxes.sdi_address end
        returning last_uid, since::text, sdi_address`
    })

    const assigned = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, account: Schema.String }),
      Result: Schema.Struct({ sdi_address: Schema.String }),
      execute: ({ account, organization_id }) => sql`
        select sdi_address from sdi_mailboxes
        where organization_id = ${organization_id} and account = ${account} and sdi_address is not null`
    })

    const assign = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, sdi_address: Schema.String }),
      execute: ({ organization_id, sdi_address }) => sql`
        update sdi_mailboxes set sdi_address = ${sdi_address}
        where organization_id = ${organization_id} and sdi_address is null`
    })

    const advance = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, uid_validity: Schema.Finite, last_uid: Schema.Finite }),
      execute: ({ last_uid, organization_id, uid_validity }) => sql`
        update sdi_mailboxes set last_uid = greatest(last_uid, ${last_uid})
        where organization_id = ${organization_id} and uid_validity = ${uid_validity}`
    })

    /** Finds the submission whose file a receipt is about. */
    const submission = SqlSchema.findOneOption({
      Request: FileKey,
      Result: EinvoiceKey,
      execute: ({ organization_id, transmission_id }) => sql`
        select organization_id, id from einvoices
        where organization_id = ${organization_id} and transmission_id = ${transmission_id}`
    })

    const isKnown = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, message_id: Schema.String }),
      Result: Schema.Struct({ known: Schema.Boolean }),
      execute: ({ message_id, organization_id }) => sql`
        select exists (select from sdi_messages
          where organization_id = ${organization_id} and message_id = ${message_id}) as known`
    })

    const keep = SqlSchema.void({
      Request: SdiMessage,
      execute: (row) => sql`insert into sdi_messages ${sql.insert(row)} on conflict do nothing`
    })

    const receipts = SqlSchema.findAll({
      Request: FileKey,
      Result: SdiMessage,
      execute: ({ organization_id, transmission_id }) => sql`
        select ${sql.literal(messageColumns)} from sdi_messages
        where organization_id = ${organization_id} and transmission_id = ${transmission_id} and kind = 'receipt'
        order by id`
    })

    const waiting = SqlSchema.findAll({
      Request: OrganizationId,
      Result: SdiMessage,
      execute: (organization_id) => sql`
        select ${sql.literal(messageColumns)} from sdi_messages m
        where organization_id = ${organization_id} and kind = 'invoice' and content is not null
          and not exists (select from unread_arrivals u where u.organization_id = m.organization_id
            and u.provider = 'it_sdi' and u.transmission_id = m.reference and u.retry_at > clock_timestamp())
        order by id limit ${arrivals_max}`
    })

    const confirm = SqlSchema.void({
      Request: Schema.Struct({ organization_id: OrganizationId, reference: Schema.String }),
      execute: ({ organization_id, reference }) => sql`
        update sdi_messages set content = null
        where organization_id = ${organization_id} and kind = 'invoice' and reference = ${reference}`
    })

    return traced("SdiRepo", {
      reserve,
      release,
      findFile,
      findNamed,
      mailbox,
      assigned,
      assign,
      submission,
      advance,
      isKnown,
      keep,
      receipts,
      waiting,
      confirm
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
