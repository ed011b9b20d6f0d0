import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, sha256: Schema.String })

export const Logo = Schema.Struct({ sha256: Schema.String, png: Schema.Uint8Array })
export type Logo = typeof Logo.Type

export class LogosRepo extends Context.Service<LogosRepo>()("invoicing/organizations/logo/LogosRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const current = SqlSchema.findOneOption({
      Request: OrganizationId,
      Result: Logo,
      execute: (organization_id) => sql`
        select l.sha256, l.png from organizations o
        join organization_logos l on l.organization_id = o.id and l.sha256 = o.logo where o.id = ${organization_id}`
    })

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Logo,
      execute: ({ organization_id, sha256 }) => sql`
        select sha256, png from organization_logos where organization_id = ${organization_id} and sha256 = ${sha256}`
    })

    const count = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ logos: Schema.Int }),
      execute: (organization_id) =>
        sql`select count(*)::integer as logos from organization_logos where organization_id = ${organization_id}`
    })

    const insert = SqlSchema.void({
      Request: Schema.Struct({ ...Key.fields, png: Schema.Uint8Array }),
      execute: (row) => sql`insert into organization_logos ${sql.insert(row)} on conflict do nothing`
    })

    return traced("LogosRepo", { current, find, count, insert })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
