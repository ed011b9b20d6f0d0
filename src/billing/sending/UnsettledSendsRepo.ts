import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { DocumentKey } from "../../kernel/DocumentKind.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { is_latest_mail } from "./DocumentSendsRepo.ts"

const UnsettledSends = Schema.Struct({
  /** True while a send runs, and after a crash until the service or a repeated request concludes it. */
  unfinished: Schema.Boolean,
  /**
   * True if an unfinished send issued the document, and may therefore make it a draft again. The age of the send does not
   * matter here: near `sending_time_max`, the process that concludes the send may have another time than the database.
   */
  may_undo: Schema.Boolean,
  /** True if a recipient got a message of the document, may have got one, or may still get one. */
  may_arrive: Schema.Boolean
})

/** Tells whether earlier sends of a document may still change it, and whether a recipient may have it. */
export class UnsettledSendsRepo extends Context.Service<UnsettledSendsRepo>()(
  "invoicing/billing/sending/UnsettledSendsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findOne({
        Request: DocumentKey,
        Result: UnsettledSends,
        execute: ({ document, document_id, organization_id }) => sql`
          with sends as (
            select s.*, s.finished_at is null as unfinished, exists (
              select from document_mails m where m.organization_id = s.organization_id and m.send_id = s.id
                and (m.state in ('accepted', 'unknown') or m.state = 'deferred' and ${sql.literal(is_latest_mail)})
            ) as may_arrive
            from document_sends s
            where organization_id = ${organization_id} and document = ${document} and document_id = ${document_id})
          select coalesce(bool_or(unfinished), false) as unfinished,
            coalesce(bool_or(unfinished and issued is not null), false) as may_undo,
            coalesce(bool_or(may_arrive), false) as may_arrive
          from sends`
      })

      return traced("UnsettledSendsRepo", { find })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
