import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { purged_rows_max } from "../../platform/sql/statements/Purge.ts"

/** Number of days for which an undelivered link is kept after its expiry. */
const undelivered_days = 90

const DocumentLink = Schema.Struct({
  id: Schema.Int,
  ...DocumentKey.fields,
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
        /** Finds a link by the hash of its token. The token alone identifies the organization. */
        find: Effect.fn("DocumentLinksRepo.find")(find, Effect.orDie),
        revoke: Effect.fn("DocumentLinksRepo.revoke")(revoke, Effect.orDie),
        purgeUndelivered: Effect.orDie(purgeUndelivered)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
