import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { purge } from "../../platform/sql/statements/Purge.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Number of days for which an undelivered link is kept after its expiry. */
const undelivered_days = 90

const DocumentRef = Schema.Struct(Struct.pick(DocumentKey.fields, ["document", "document_id"]))

const DocumentLink = Schema.Struct({
  id: Schema.Int,
  ...DocumentKey.fields,
  recipient: Schema.String,
  expired: Schema.Boolean,
  revoked: Schema.Boolean
})
export type DocumentLink = typeof DocumentLink.Type

export class DocumentLinksRepo extends Context.Service<DocumentLinksRepo>()(
  "invoicing/billing/sending/DocumentLinksRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: DocumentLink,
        execute: (hash) => sql`
          select id, organization_id, document, document_id, recipient, expires_at <= now() as expired,
            revoked_at is not null as revoked
          from document_links where hash = ${hash}`
      })

      const revoke = SqlSchema.findAll({
        Request: DocumentKey,
        Result: Schema.Struct({ id: Schema.Int }),
        execute: ({ document, document_id, organization_id }) => sql`
          update document_links set revoked_at = now()
          where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
            and revoked_at is null
          returning id`
      })

      const withdrawn = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId, documents: Schema.Array(DocumentRef) }),
        Result: DocumentRef,
        execute: ({ documents, organization_id }) => sql`
          select document, document_id from document_links
          where organization_id = ${organization_id} and (document, document_id) in (
            select * from json_to_recordset(${JSON.stringify(documents)}::json) as r (document text, document_id bigint))
          group by document, document_id having max(revoked_at) > coalesce(
            max(expires_at) filter (where revoked_at is null and delivered_at is not null), '-infinity')`
      })

      return {
        ...traced("DocumentLinksRepo", {
          /** Finds a link by the hash of its token. The token alone identifies the organization. */
          find,
          /** Revokes expired links, too, because links to other documents show a document that was never revoked. */
          revoke,
          /**
           * Finds those of the documents that have no delivered link which outlived the last revocation. The times
           * decide, because an earlier version did not revoke links that had expired.
           */
          withdrawn
        }),
        purgeUndelivered: purge(
          sql,
          "document_links",
          "hash",
          sql`delivered_at is null and expires_at < now() - make_interval(days => ${undelivered_days})`
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
