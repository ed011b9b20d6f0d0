import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { DocumentKind } from "../../kernel/DocumentKind.ts"

const Document = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})

/** What a link opens, and whether it still does. */
const Link = Schema.Struct({
  id: Schema.Int,
  document: DocumentKind,
  document_id: Schema.Int,
  expired: Schema.Boolean,
  revoked: Schema.Boolean,
  organization_id: OrganizationId
})
export type Link = typeof Link.Type

/** Links to documents, from the side of those who follow them: the token names the organization. */
export class PortalRepo extends Context.Service<PortalRepo>()("invoicing/billing/portal/PortalRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = SqlSchema.findOneOption({
      Request: Schema.Uint8Array,
      Result: Link,
      execute: (hash) => sql`
        select id, organization_id, document, document_id, expires_at <= now() as expired, revoked_at is not null as revoked
        from document_links where hash = ${hash}`
    })

    const revoke = SqlSchema.findAll({
      Request: Document,
      Result: Schema.Struct({ id: Schema.Int }),
      execute: ({ document, document_id, organization_id }) => sql`
        update document_links set revoked_at = now()
        where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id}
          and revoked_at is null and expires_at > now()
        returning id`
    })

    return {
      find: Effect.fn("PortalRepo.find")(find, Effect.orDie),
      revoke: Effect.fn("PortalRepo.revoke")(revoke, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
