import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { TimeZone } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { OrganizationSettings } from "../../kernel/OrganizationSettings.ts"
import { DocumentKind } from "../../kernel/DocumentKind.ts"

const Document = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  document_id: Schema.Int
})

/** A link with the organization whose document it opens. */
export const Link = Schema.Struct({
  id: Schema.Int,
  document: DocumentKind,
  document_id: Schema.Int,
  recipient: Schema.String,
  expired: Schema.Boolean,
  revoked: Schema.Boolean,
  organization: Schema.Struct({
    id: OrganizationId,
    name: Schema.String,
    country: CountryCode,
    currency: CurrencyCode,
    timezone: TimeZone,
    language: Schema.String,
    settings: OrganizationSettings,
    currency_in_use: Schema.Boolean,
    archived: Schema.Boolean
  })
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
        select l.id, l.document, l.document_id, l.recipient, l.expires_at <= now() as expired,
          l.revoked_at is not null as revoked,
          json_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency,
            'timezone', o.timezone, 'language', o.language, 'settings', o.settings,
            'currency_in_use', o.currency_in_use, 'archived', o.archived_at is not null) as organization
        from document_links l join organizations o on o.id = l.organization_id
        where l.hash = ${hash}`
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
