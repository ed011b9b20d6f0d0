import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { DocumentKey } from "../../../kernel/DocumentKind.ts"
import { ReadSql } from "../../../platform/sql/Database.ts"
import { DocumentMailRow } from "../DocumentSendsRepo.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const LatestMail = Schema.Struct({
  ...Struct.pick(DocumentMailRow.fields, ["recipient", "state", "code", "error", "retry_at"]),
  changed_at: Timestamp
})

export class DocumentDeliveriesRepo extends Context.Service<DocumentDeliveriesRepo>()(
  "invoicing/billing/sending/deliveries/DocumentDeliveriesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* ReadSql

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ ...DocumentKey.fields, limit: Schema.Int, offset: Schema.Int }),
        Result: LatestMail,
        execute: ({ document, document_id, limit, offset, organization_id }) => sql`
          select distinct on (lower(m.recipient)) m.recipient, m.state, m.code, m.error, m.retry_at, m.changed_at
          from document_sends s join document_mails m on m.organization_id = s.organization_id and m.send_id = s.id
          where s.organization_id = ${organization_id} and s.document = ${document} and s.document_id = ${document_id}
          order by lower(m.recipient), m.send_id desc limit ${limit} offset ${offset}`
      })

      const count = SqlSchema.findOne({
        Request: DocumentKey,
        Result: Schema.Struct({ total: Schema.Int }),
        execute: ({ document, document_id, organization_id }) => sql`
          select count(distinct lower(m.recipient)) as total
          from document_sends s join document_mails m on m.organization_id = s.organization_id and m.send_id = s.id
          where s.organization_id = ${organization_id} and s.document = ${document} and s.document_id = ${document_id}`
      })

      return traced("DocumentDeliveriesRepo", {
        /** Sorted by recipient. Addresses that differ only in letter case are one recipient. */
        list,
        count
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
