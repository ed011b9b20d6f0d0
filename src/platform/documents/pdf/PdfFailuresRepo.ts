import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { timed } from "../../jobs/Timed.ts"
import { Database, ReadSql } from "../../sql/Database.ts"
import { purge } from "../../sql/statements/Purge.ts"

const remembered_minutes = 15

/** Identifies the data from which a PDF is made: `content` is the SHA-256 of the template's name and the data. */
const Content = Schema.Struct({ organization_id: OrganizationId, content: Schema.Uint8Array })
export type Content = typeof Content.Type

const Failed = Schema.Struct({ failures: Schema.Int })

/**
 * Counts, for all processes, how often a PDF of the same data failed, so that such data is not tried again. The
 * statements run outside the caller's transaction, whose failure must not undo the count.
 */
export class PdfFailuresRepo extends Context.Service<PdfFailuresRepo>()(
  "invoicing/platform/documents/pdf/PdfFailuresRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = yield* ReadSql
      const { apart } = yield* Database
      const forgotten = sql.literal(`failed_at <= now() - interval '${remembered_minutes} minutes'`)

      const count = SqlSchema.findOneOption({
        Request: Content,
        Result: Failed,
        execute: ({ content, organization_id }) => read`
          select failures from pdf_failures
          where organization_id = ${organization_id} and content = ${content} and not ${forgotten}`
      })

      const add = SqlSchema.findOne({
        Request: Content,
        Result: Failed,
        execute: ({ content, organization_id }) => sql`
          insert into pdf_failures as f (organization_id, content, failures, failed_at)
          values (${organization_id}, ${content}, 1, now())
          on conflict (organization_id, content) do update
            set failures = case when f.${forgotten} then 1 else f.failures + 1 end, failed_at = now()
          returning failures`
      })

      const forget = SqlSchema.void({
        Request: Content,
        execute: ({ content, organization_id }) =>
          sql`delete from pdf_failures where organization_id = ${organization_id} and content = ${content}`
      })

      return {
        count: Effect.fn("PdfFailuresRepo.count")(
          count,
          Effect.map(Option.match({ onNone: () => 0, onSome: ({ failures }) => failures })),
          Effect.orDie,
          apart
        ),
        add: Effect.fn("PdfFailuresRepo.add")(
          add,
          Effect.map(({ failures }) => failures),
          Effect.orDie,
          apart
        ),
        forget: Effect.fn("PdfFailuresRepo.forget")(forget, Effect.orDie, apart),
        purge: purge(sql, "pdf_failures", "organization_id, content", forgotten)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

export const PdfFailuresPurgeWorker = timed({
  name: "pdf_failures.purge",
  every: "1 hour",
  run: Effect.flatMap(PdfFailuresRepo, (failures) => failures.purge)
}).pipe(Layer.provide(PdfFailuresRepo.layer))
