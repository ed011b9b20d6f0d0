import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { DocumentKind } from "../../kernel/DocumentKind.ts"
import { purged_rows_max } from "../../platform/sql/Purge.ts"

/** 90 days: longer than most terms of payment. */
const link_days = 90
/** Longer than a delivery may take; after it the sender is taken for dead. */
const sending_seconds = 60
/** How long a link that nobody got is kept after it expired. */
const undelivered_days = 90

const Document = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})

const NewLink = Schema.Struct({ ...Document.fields, hash: Schema.Uint8Array, recipient: Schema.String })

const Sending = Schema.Struct({ ...Document.fields, holder: Schema.String })

/** Links to documents, and who is sending one right now. */
export class DocumentLinksRepo extends Context.Service<DocumentLinksRepo>()(
  "invoicing/billing/delivery/DocumentLinksRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = SqlSchema.findOne({
        Request: NewLink,
        Result: Schema.Struct({ id: Schema.Int, attempt: Schema.Int }),
        execute: ({ document, document_id, hash, organization_id, recipient }) => sql`
          insert into document_links (hash, organization_id, document, document_id, recipient, expires_at)
          values (${hash}, ${organization_id}, ${document}, ${document_id}, ${recipient},
            now() + ${link_days} * interval '1 day')
          returning id, (select count(*)::integer + 1 from document_links l where l.organization_id = ${organization_id}
            and l.document = ${document} and l.document_id = ${document_id} and l.recipient = ${recipient}
            and l.delivered_at is not null) as attempt`
      })

      const markDelivered = SqlSchema.void({
        Request: Schema.Struct({ organization_id: OrganizationId, links: Schema.Array(Schema.Int) }),
        execute: ({ links, organization_id }) => sql`
          update document_links set delivered_at = now()
          where organization_id = ${organization_id} and ${sql.in("id", links)}`
      })

      const begin = SqlSchema.findOneOption({
        Request: Sending,
        Result: Schema.Struct({ holder: Schema.String }),
        execute: ({ document, document_id, holder, organization_id }) => sql`
          insert into document_sendings as s (organization_id, document, document_id, holder, expires_at)
          values (${organization_id}, ${document}, ${document_id}, ${holder},
            now() + ${sending_seconds} * interval '1 second')
          on conflict (organization_id, document, document_id) do update set
            holder = excluded.holder, expires_at = excluded.expires_at
          where s.expires_at < now()
          returning holder`
      })

      const end = SqlSchema.void({
        Request: Sending,
        execute: ({ document, document_id, holder, organization_id }) => sql`
          delete from document_sendings where organization_id = ${organization_id} and document = ${document}
            and document_id = ${document_id} and holder = ${holder}`
      })

      const purgeUndelivered = sql`
        delete from document_links where hash in (
          select hash from document_links
          where delivered_at is null and expires_at < now() - make_interval(days => ${undelivered_days})
          limit ${purged_rows_max} for update skip locked)
        returning id`

      const purgeSendings = sql`
        delete from document_sendings where (organization_id, document, document_id) in (
          select organization_id, document, document_id from document_sendings
          where expires_at < now() limit ${purged_rows_max} for update skip locked)
        returning document_id`

      return {
        /** Answers which attempt to reach this recipient it is: one more than the messages delivered so far. */
        insert: Effect.fn("DocumentLinksRepo.insert")(insert, Effect.orDie),
        markDelivered: Effect.fn("DocumentLinksRepo.markDelivered")(markDelivered, Effect.orDie),
        /** None: somebody else is sending the document. */
        begin: Effect.fn("DocumentLinksRepo.begin")(begin, Effect.orDie),
        end: Effect.fn("DocumentLinksRepo.end")(end, Effect.orDie),
        purgeUndelivered: Effect.orDie(purgeUndelivered),
        purgeSendings: Effect.orDie(purgeSendings)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
