import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { CustomerId } from "../../kernel/Ids.ts"
import { ReadSql } from "../../platform/sql/Database.ts"
import { Correspondents } from "./Correspondents.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Addressed = Schema.Struct({ ...DocumentKey.fields, customer_id: CustomerId })

/**
 * Reads the printed fields only from the views `debtors` and `letterheads`, so a stored snapshot has the same fields as
 * the present data.
 */
export class CorrespondenceRepo extends Context.Service<CorrespondenceRepo>()(
  "invoicing/billing/correspondence/CorrespondenceRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = yield* ReadSql

      const find = SqlSchema.findOne({
        Request: Schema.Struct({ ...Addressed.fields, draft: Schema.Boolean }),
        Result: Correspondents,
        execute: ({ customer_id, document, document_id, draft, organization_id }) => read`
          select coalesce(k.customer, d.printed) as customer, coalesce(k.organization, l.printed) as organization
          from debtors d join letterheads l on l.organization_id = d.organization_id
          left join document_correspondents k on k.organization_id = d.organization_id
            and k.document = ${document} and k.document_id = ${document_id} and not ${draft}::boolean
          where d.organization_id = ${organization_id} and d.id = ${customer_id}`
      })

      const keep = SqlSchema.findOne({
        Request: Addressed,
        Result: Schema.Struct({ customer: Schema.Json, organization: Schema.Json }),
        execute: ({ customer_id, document, document_id, organization_id }) => sql`
          insert into document_correspondents (organization_id, document, document_id, customer, organization)
          select d.organization_id, ${document}, ${document_id}, d.printed, l.printed
          from debtors d join letterheads l on l.organization_id = d.organization_id
          where d.organization_id = ${organization_id} and d.id = ${customer_id}
          on conflict (organization_id, document, document_id) do update set
            customer = excluded.customer, organization = excluded.organization
          returning customer, organization`
      })

      return traced("CorrespondenceRepo", { find, keep })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
