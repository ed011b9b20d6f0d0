import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { ReceivedResponse } from "./InvoiceResponse.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Kept = Schema.Struct({
  ...ReceivedResponse.fields,
  organization_id: OrganizationId,
  message_id: Schema.String,
  received_at: Timestamp,
  sender: Schema.String,
  content: Schema.Uint8Array
})

const { document_type, number, organization_id, sender } = Kept.fields

export class InvoiceResponsesRepo extends Context.Service<InvoiceResponsesRepo>()(
  "invoicing/einvoicing/peppol/InvoiceResponsesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const add = SqlSchema.void({
        Request: Kept,
        execute: (row) => sql`
          insert into invoice_responses ${sql.insert(row)} on conflict (organization_id, message_id) do nothing`
      })

      /** Finds the answers of a recipient to a document since it was sent, the oldest first. */
      const answers = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id, number, document_type, sender, since: Timestamp }),
        Result: Kept,
        execute: ({ document_type, number, organization_id, sender, since }) => sql`
          select organization_id, message_id, received_at, sender, number, document_type, code, reason, content
          from invoice_responses
          where organization_id = ${organization_id} and number = ${number} and document_type = ${document_type}
            and lower(sender) = lower(${sender}) and received_at >= ${since}
          order by received_at, message_id`
      })

      return traced("InvoiceResponsesRepo", { add, answers })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
