import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { DocumentKey, DocumentKind } from "../../../kernel/DocumentKind.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { batch_max } from "../../../platform/jobs/InBatches.ts"
import { MailRefused } from "../../../platform/mail/Mailer.ts"
import { DocumentMailRow, DocumentSend, is_latest_mail, Lease } from "../DocumentSendsRepo.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import { isHere } from "../../../platform/sql/statements/Moved.ts"

/**
 * Hours after which an interrupted send no longer sends its first messages; retries of deferred messages end after the
 * same time.
 */
const resumption_hours_max = 24

/** The failure of a message whose document changed so that it may no longer be sent. */
export const unsendable = new MailRefused({ code: "not_attempted", answer: "The document can no longer be sent." })

/** The failure of a message that would make a new link to a document after the document's links were revoked. */
const revoked = new MailRefused({ code: "not_attempted", answer: "The links were revoked." })

/** `send_id` is the id of a row in `document_sends`. */
export const SendKey = Schema.Struct({ organization_id: OrganizationId, send_id: Schema.Int })
export type SendKey = typeof SendKey.Type

const DueSend = Schema.Struct({
  ...SendKey.fields,
  due_at: Timestamp,
  /** Number of whole hours since then. */
  overdue_hours: Schema.Int
})
export type DueSend = typeof DueSend.Type

const RetriedSend = Schema.Struct({
  ...Struct.pick(DocumentSend.fields, ["organization_id", "id", "issued", "finished"]),
  document: DocumentKind,
  document_id: Schema.Int,
  message: Schema.NullOr(Schema.String),
  attach_pdf: Schema.Boolean,
  created_at: Timestamp,
  /** True if it is too late to send a message for the first time. */
  expired: Schema.Boolean,
  /** True if the messages have an earlier offer, because a later send issued the changed quote. */
  replaced: Schema.Boolean
})
export type RetriedSend = typeof RetriedSend.Type

export class MailRetriesRepo extends Context.Service<MailRetriesRepo>()(
  "invoicing/billing/sending/retries/MailRetriesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const isLatest = sql.literal(is_latest_mail)

      const due = SqlSchema.findAll({
        Request: Schema.UndefinedOr(SendKey),
        Result: DueSend,
        execute: (after) => sql`
          select organization_id, send_id, min(due_at) as due_at,
            floor(extract(epoch from now() - min(due_at)) / 3600)::integer as overdue_hours
          from (
            select m.organization_id, m.send_id, m.retry_at as due_at
            from document_mails m join document_sends s on s.organization_id = m.organization_id and s.id = m.send_id
            where m.retry_at <= now() and s.finished_at is not null and (m.state <> 'deferred' or ${isLatest})
            union all
            select s.organization_id, s.id, s.created_at from document_sends s
            where s.finished_at is null and not exists (
              select from document_sendings l where l.organization_id = s.organization_id and l.document = s.document
                and l.document_id = s.document_id and l.expires_at >= now())) due
          where ${isHere(sql)}
            and (organization_id, send_id) > (${after?.organization_id ?? 0}, ${after?.send_id ?? 0})
          group by organization_id, send_id order by organization_id, send_id limit ${batch_max}`
      })

      const find = SqlSchema.findOneOption({
        Request: SendKey,
        Result: RetriedSend,
        execute: ({ organization_id, send_id }) => sql`
          select organization_id, id, document, document_id, issued, message, attach_pdf, created_at,
            finished_at is not null as finished,
            created_at < now() - make_interval(hours => ${resumption_hours_max}) as expired,
            document = 'quote' and exists (select from document_sends later
              where later.organization_id = s.organization_id and later.document = s.document
                and later.document_id = s.document_id and later.id > s.id and later.issued is not null) as replaced
          from document_sends s where organization_id = ${organization_id} and id = ${send_id}`
      })

      const dueMails = SqlSchema.findAll({
        Request: SendKey,
        Result: DocumentMailRow,
        execute: ({ organization_id, send_id }) => sql`
          select m.position, m.recipient, m.message_id, m.state, m.inherited, m.code, m.error, m.attempts, m.retry_at
          from document_mails m join document_sends s on s.organization_id = m.organization_id and s.id = m.send_id
          where m.organization_id = ${organization_id} and m.send_id = ${send_id} and m.state = 'deferred'
            and m.retry_at <= now() + interval '1 minute' and ${isLatest}
          order by m.position`
      })

      const conclude = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Lease.fields, send_id: Schema.Int }),
        Result: Schema.Struct({ holder: Schema.String }),
        execute: ({ document, document_id, holder, organization_id, send_id }) => sql`
          with concluded as (
            update document_mails set retry_at = null
            where organization_id = ${organization_id} and send_id = ${send_id} and state <> 'deferred')
          select holder from document_sendings
          where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
            and holder = ${holder} for share`
      })

      const giveUp = SqlSchema.void({
        Request: DocumentKey,
        execute: ({ document, document_id, organization_id }) => sql`
          with sends as (
            update document_sends set finished_at = coalesce(finished_at, now()), resumed = false
            where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
              and (finished_at is null or resumed))
          update document_mails m set retry_at = now(), changed_at = now(),
            state = case m.state when 'handing_over' then m.state else 'refused' end,
            code = case m.state when 'handing_over' then m.code else ${unsendable.code} end,
            error = case m.state when 'handing_over' then m.error else ${unsendable.answer} end
          from document_sends s
          where s.organization_id = ${organization_id} and s.document = ${document} and s.document_id = ${document_id}
            and m.organization_id = s.organization_id and m.send_id = s.id
            and m.state in ('pending', 'deferred', 'handing_over') and ${isLatest}`
      })

      const giveUpDeferred = SqlSchema.void({
        Request: DocumentKey,
        execute: ({ document, document_id, organization_id }) => sql`
          update document_mails m set state = 'refused', code = ${revoked.code}, error = ${revoked.answer},
            retry_at = now(), changed_at = now()
          from document_sends s
          where s.organization_id = ${organization_id} and s.document = ${document} and s.document_id = ${document_id}
            and s.finished_at is not null and m.organization_id = s.organization_id and m.send_id = s.id
            and m.state = 'deferred' and ${isLatest}`
      })

      return traced("MailRetriesRepo", {
        /**
         * Finds sends of all organizations with an attempt that is due, or whose result the document does not show, and
         * sends that a crash interrupted.
         */
        due,
        find,
        /** Finds the deferred messages of a send that are due, also those that are due a moment later. */
        dueMails,
        /**
         * Records that the document shows the results of the messages that are no longer deferred. Returns none when
         * the lease is lost; the caller then rolls back.
         */
        conclude,
        /**
         * Gives up the messages of a document that are not sent yet, and finishes its interrupted sends. The job then
         * records the results, as after a last attempt. A later send does not continue these sends.
         */
        giveUp,
        /**
         * Gives up the deferred messages of a document whose links are revoked. The job then records the results, as
         * after a last attempt. The own steps of a send under way conclude it.
         */
        giveUpDeferred
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
