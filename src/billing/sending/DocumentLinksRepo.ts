import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { purged_rows_max } from "../../platform/sql/Purge.ts"

/** 90 days: longer than most terms of payment. */
const link_days = 90
/** How long a link that nobody got is kept after it expired. */
const undelivered_days = 90

const NewLink = Schema.Struct({ ...DocumentKey.fields, hash: Schema.Uint8Array, recipient: Schema.String })

/** What a link opens, and whether it still does. */
const DocumentLink = Schema.Struct({
  id: Schema.Int,
  ...DocumentKey.fields,
  expired: Schema.Boolean,
  revoked: Schema.Boolean
})
export type DocumentLink = typeof DocumentLink.Type

/** Links to documents, as messages carry them and as the portal opens them. */
export class DocumentLinksRepo extends Context.Service<DocumentLinksRepo>()(
  "invoicing/billing/sending/DocumentLinksRepo",
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

      const find = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: DocumentLink,
        execute: (hash) => sql`
          select id, organization_id, document, document_id, expires_at <= now() as expired,
            revoked_at is not null as revoked
          from document_links where hash = ${hash}`
      })

      const revoke = SqlSchema.findAll({
        Request: DocumentKey,
        Result: Schema.Struct({ id: Schema.Int }),
        execute: ({ document, document_id, organization_id }) => sql`
          update document_links set revoked_at = now()
          where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
            and revoked_at is null and expires_at > now()
          returning id`
      })

      const purgeUndelivered = sql`
        delete from document_links where hash in (
          select hash from document_links
          where delivered_at is null and expires_at < now() - make_interval(days => ${undelivered_days})
          limit ${purged_rows_max} for update skip locked)
        returning id`

      return {
        /** Answers which attempt to reach this recipient it is: one more than the messages delivered so far. */
        insert: Effect.fn("DocumentLinksRepo.insert")(insert, Effect.orDie),
        markDelivered: Effect.fn("DocumentLinksRepo.markDelivered")(markDelivered, Effect.orDie),
        /** By the hash of its token, which alone names the organization. */
        find: Effect.fn("DocumentLinksRepo.find")(find, Effect.orDie),
        /** Takes back all that still open the document. */
        revoke: Effect.fn("DocumentLinksRepo.revoke")(revoke, Effect.orDie),
        purgeUndelivered: Effect.orDie(purgeUndelivered)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
