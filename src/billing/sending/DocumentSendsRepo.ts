import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { MailFailureCode, StoredMailFailureCode } from "../../platform/mail/Mailer.ts"
import { purge } from "../../platform/sql/statements/Purge.ts"
import type { Delivery } from "./Send.ts"
import { KeptNumber } from "./SendErrors.ts"
import { traced } from "../../platform/sql/Traced.ts"

/**
 * Number of days for which a send is kept: longer than an Idempotency-Key is valid, so no repeated request mails again.
 */
const send_days = 30
/**
 * Time after which nobody waits for a send that issued its document. Only a send that several crashes or outages
 * interrupted takes longer; if its messages are refused in the end, its invoice or quote stays issued, because the
 * archive or an authority may have the invoice by then, and the expiry of the quote may be recorded.
 */
export const sending_time_max = "30 minutes"
/** Time for which a client that got no answer may repeat a send that the service has resumed meanwhile. */
const resumed_time_max = "1 day"
/** Number of days for which a link opens its document: longer than most terms of payment. */
const link_days = 90

/** Facts about a document that a send has issued. The document becomes a draft again if nobody gets it. */
export const Issued = Schema.Struct({
  /** Version that the document got when it was issued; any other version means that it has changed since. */
  version: Schema.Int,
  issue_date: Day,
  /** Position of the new number in its series; null when the document already had a number. */
  sequence: Schema.NullOr(Schema.Int),
  non_chronological: Schema.Boolean
})
export type Issued = typeof Issued.Type

const Key = Schema.Struct({ organization_id: OrganizationId, id: Schema.Int })

export const DocumentSend = Schema.Struct({
  ...Key.fields,
  operation: Schema.String,
  issued: Schema.NullOr(Issued),
  kept: Schema.NullOr(KeptNumber),
  created_at: Timestamp,
  finished: Schema.Boolean
})
export type DocumentSend = typeof DocumentSend.Type

/** `deferred`: the mail server refused the message for now, so `MailRetries` tries it again. */
const MailState = Schema.Literals(["pending", "handing_over", "deferred", "accepted", "refused", "unknown"])

const NewMail = Schema.Struct({
  recipient: Schema.String,
  message_id: Schema.String,
  state: MailState,
  code: Schema.NullOr(StoredMailFailureCode),
  error: Schema.NullOr(Schema.String),
  inherited: Schema.Boolean
})
export type NewMail = typeof NewMail.Type

export const DocumentMailRow = Schema.Struct({
  ...NewMail.fields,
  position: Schema.Int,
  attempts: Schema.Int,
  /** The time of the next attempt. It stays until the document shows the result of that attempt. */
  retry_at: Schema.NullOr(Timestamp)
})
export type DocumentMailRow = typeof DocumentMailRow.Type

export const Lease = Schema.Struct({ ...DocumentKey.fields, holder: Schema.String })
const MailKey = Schema.Struct({
  ...DocumentKey.fields,
  holder: Schema.String,
  send_id: Schema.Int,
  position: Schema.Int
})
/**
 * SQL condition: no later send addressed the recipient of the message `m` of the send `s`. A later message, even one of a
 * send that a crash interrupted, replaces the attempts of an earlier one.
 */
export const is_latest_mail = `not exists (
  select from document_sends later join document_mails l
    on l.organization_id = later.organization_id and l.send_id = later.id
  where later.organization_id = s.organization_id and later.document = s.document
    and later.document_id = s.document_id and later.id > s.id and lower(l.recipient) = lower(m.recipient))`

const Link = Schema.Struct({ hash: Schema.Uint8Array, recipient: Schema.String })

export class DocumentSendsRepo extends Context.Service<DocumentSendsRepo>()(
  "invoicing/billing/sending/DocumentSendsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const leased = ({ document, document_id, holder, organization_id }: typeof Lease.Encoded) => sql`
        select from document_sendings where organization_id = ${organization_id} and document = ${document}
          and document_id = ${document_id} and holder = ${holder} for share`

      const find = SqlSchema.findAll({
        Request: Schema.Struct({ ...DocumentKey.fields, operation: Schema.String }),
        Result: DocumentSend,
        execute: ({ document, document_id, operation, organization_id }) => sql`
          select organization_id, id, operation, issued, kept, created_at, finished_at is not null as finished
          from document_sends s
          where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
            and (operation = ${operation} or finished_at is null
              or resumed and finished_at > now() - ${resumed_time_max}::interval and not exists (
              select from document_sends later where later.organization_id = s.organization_id
                and later.document = s.document and later.document_id = s.document_id and later.id > s.id))`
      })

      const create = SqlSchema.findOne({
        Request: Schema.Struct({
          ...DocumentKey.fields,
          operation: Schema.String,
          issued: Schema.NullOr(Issued),
          message: Schema.NullOr(Schema.String),
          attach_pdf: Schema.Boolean,
          mails: Schema.Array(NewMail)
        }),
        Result: DocumentSend,
        execute: ({ attach_pdf, document, document_id, issued, mails, message, operation, organization_id }) => sql`
          with send as (
            insert into document_sends (organization_id, document, document_id, operation, issued, message, attach_pdf)
            values (${organization_id}, ${document}, ${document_id}, ${operation},
              ${issued === null ? null : sql.json(issued)}, ${message}, ${attach_pdf})
            returning organization_id, id, operation, issued, kept, created_at, false as finished),
          mails as (
            insert into document_mails
              (organization_id, send_id, position, recipient, message_id, state, code, error, inherited)
            select send.organization_id, send.id, ordinality - 1, mail ->> 'recipient', mail ->> 'message_id',
              mail ->> 'state', mail ->> 'code', mail ->> 'error', (mail ->> 'inherited')::boolean
            from send, jsonb_array_elements(${sql.json(mails)}) with ordinality as given (mail, ordinality))
          select * from send`
      })

      const mails = SqlSchema.findAll({
        Request: Key,
        Result: DocumentMailRow,
        execute: ({ id, organization_id }) => sql`
          select position, recipient, message_id, state, inherited, code, error, attempts, retry_at from document_mails
          where organization_id = ${organization_id} and send_id = ${id} order by position`
      })

      const lastMails = SqlSchema.findAll({
        Request: DocumentKey,
        Result: Schema.Struct({ ...NewMail.fields, send_id: Schema.Int }),
        execute: ({ document, document_id, organization_id }) => sql`
          select distinct on (lower(m.recipient)) lower(m.recipient) as recipient, m.message_id, m.state, m.code, m.error,
            m.inherited, m.send_id
          from document_sends s join document_mails m on m.organization_id = s.organization_id and m.send_id = s.id
          where s.organization_id = ${organization_id} and s.document = ${document} and s.document_id = ${document_id}
          order by lower(m.recipient), m.send_id desc`
      })

      const handOver = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...MailKey.fields, ...Link.fields }),
        Result: Schema.Struct({ id: Schema.Int }),
        execute: ({ hash, position, recipient, send_id, ...lease }) => sql`
          with lease as (${leased(lease)}),
          mail as (
            update document_mails set state = 'handing_over', changed_at = now()
            where organization_id = ${lease.organization_id} and send_id = ${send_id} and position = ${position}
              and state in ('pending', 'deferred') and exists (select from lease)
              and not exists (
                select from document_links l join document_sends s
                  on s.organization_id = l.organization_id and s.document = l.document and s.document_id = l.document_id
                where s.organization_id = ${lease.organization_id} and s.id = ${send_id} and l.revoked_at >= s.created_at)
            returning organization_id)
          insert into document_links (hash, organization_id, document, document_id, recipient, expires_at)
          select ${hash}, organization_id, ${lease.document}, ${lease.document_id}, ${recipient},
            now() + ${link_days} * interval '1 day' from mail
          returning id`
      })

      const settle = SqlSchema.void({
        Request: Schema.Struct({
          ...MailKey.fields,
          hash: Schema.Uint8Array,
          state: MailState,
          code: Schema.NullOr(MailFailureCode),
          error: Schema.NullOr(Schema.String),
          pause_seconds: Schema.NullOr(Schema.Int)
        }),
        execute: ({ code, error, hash, pause_seconds, position, send_id, state, ...lease }) => sql`
          with lease as (${leased(lease)}),
          mail as (
            update document_mails set state = ${state}, code = ${code}, error = ${error}, attempts = attempts + 1,
              retry_at = coalesce(now() + ${pause_seconds}::integer * interval '1 second', retry_at), changed_at = now()
            where organization_id = ${lease.organization_id} and send_id = ${send_id} and position = ${position}
              and (state in ('handing_over', 'unknown')
                or state in ('pending', 'deferred') and exists (select from lease))
            returning state)
          update document_links set delivered_at = now()
          where organization_id = ${lease.organization_id} and hash = ${hash}
            and exists (select from mail where state = 'accepted')`
      })

      const Failure = Schema.Struct({ ...Key.fields, code: MailFailureCode, error: Schema.String })
      const failThose = (from: "pending" | "handing_over", state: "refused" | "unknown") =>
        SqlSchema.void({
          Request: Failure,
          execute: ({ code, error, id, organization_id }) => sql`
            update document_mails set state = ${state}, code = ${code}, error = ${error}, changed_at = now()
            where organization_id = ${organization_id} and send_id = ${id} and state = ${from}`
        })

      const finish = SqlSchema.findOneOption({
        Request: Schema.Struct({
          ...Lease.fields,
          id: Schema.Int,
          kept: Schema.NullOr(KeptNumber),
          resumed: Schema.Boolean
        }),
        Result: Schema.Struct({ id: Schema.Int }),
        execute: ({ id, kept, resumed, ...lease }) => sql`
          with lease as (${leased(lease)})
          update document_sends set finished_at = now(), resumed = ${resumed},
            kept = ${kept === null ? null : sql.json(kept)}
          where organization_id = ${lease.organization_id} and id = ${id} and exists (select from lease)
          returning id`
      })

      const remove = SqlSchema.void({
        Request: Key,
        execute: ({ id, organization_id }) =>
          sql`delete from document_sends where organization_id = ${organization_id} and id = ${id}`
      })

      return {
        ...traced("DocumentSendsRepo", {
          /**
           * Finds the send of the given operation, and the send of another operation that a crash interrupted: it is
           * unfinished, or it is the latest send and the service has resumed it within `resumed_time_max`.
           */
          find,
          create,
          mails,
          /** Finds the latest message of a document to each recipient, by the address in lower case. */
          lastMails,
          /**
           * Records that a message is being sent, and creates its link. Returns none if the lease is lost, or if the
           * message is neither pending nor deferred.
           */
          handOver,
          /**
           * Records the result of a message. Until a message is handed over, the caller must still hold the lease.
           * `pause_seconds` is the time until the next attempt of a deferred message.
           */
          settle,
          /** Sets the state `unknown` for messages that were being sent when their sender crashed. */
          doubt: failThose("handing_over", "unknown"),
          giveUp: failThose("pending", "refused"),
          /** Must be the last SQL statement of its transaction. Returns none when the lease is lost. */
          finish,
          remove
        }),
        // The sends of a numbered draft of a credit note are kept, because they tell whether a recipient may know its number.
        purge: purge(
          sql,
          "document_sends",
          "organization_id, id",
          sql`created_at < now() - make_interval(days => ${send_days}) and not (document = 'credit_note' and exists (
            select from credit_notes n where n.organization_id = document_sends.organization_id
              and n.id = document_sends.document_id
              and n.number is not null and n.sent_at is null and n.deleted_at is null))`
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Converts a stored message to a delivery. A message that is just being sent is shown as pending. */
export const deliveryOf = ({
  code,
  error,
  recipient,
  retry_at,
  state
}: Pick<DocumentMailRow, "recipient" | "state" | "code" | "error" | "retry_at">): Delivery => ({
  recipient,
  status: state === "handing_over" || state === "deferred" ? "pending" : state,
  ...(code === null ? {} : { code }),
  ...(error === null ? {} : { error }),
  ...(state === "deferred" && retry_at !== null ? { retry_at } : {})
})
