import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { traced } from "../../platform/sql/Traced.ts"

export const SubmissionKey = Schema.Struct({ organization_id: OrganizationId, transmission_id: Schema.String })
export type SubmissionKey = typeof SubmissionKey.Type

const Content = Schema.NullOr(Schema.Uint8Array)

const Attempt = Schema.Struct({
  attempted_at: Timestamp,
  reference: Schema.NullOr(Schema.String),
  accepted_at: Schema.NullOr(Timestamp),
  content: Content
})
export type Attempt = typeof Attempt.Type

export class SubmissionsOnceRepo extends Context.Service<SubmissionsOnceRepo>()(
  "invoicing/einvoicing/providers/SubmissionsOnceRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const find = SqlSchema.findOneOption({
        Request: SubmissionKey,
        Result: Attempt,
        execute: ({ organization_id, transmission_id }) => sql`
          select attempted_at, reference, accepted_at, content from provider_submissions
          where organization_id = ${organization_id} and transmission_id = ${transmission_id}`
      })

      const begin = SqlSchema.findOneOption({
        Request: Schema.Struct({
          ...SubmissionKey.fields,
          attempted_at: Timestamp,
          content: Content,
          previous: Schema.NullOr(Timestamp)
        }),
        Result: Schema.Struct({ transmission_id: Schema.String }),
        execute: ({ previous, ...row }) => sql`
          insert into provider_submissions as s ${sql.insert(row)}
          on conflict (organization_id, transmission_id) do update
            set attempted_at = excluded.attempted_at, content = excluded.content
          where s.reference is null and s.attempted_at = ${previous}::timestamptz
          returning transmission_id::text`
      })

      const settle = SqlSchema.void({
        Request: Schema.Struct({ ...SubmissionKey.fields, reference: Schema.String, accepted_at: Timestamp }),
        execute: ({ accepted_at, organization_id, reference, transmission_id }) => sql`
          update provider_submissions set reference = ${reference}, accepted_at = ${accepted_at}
          where organization_id = ${organization_id} and transmission_id = ${transmission_id}`
      })

      const drop = SqlSchema.void({
        Request: Schema.Struct({ ...SubmissionKey.fields, attempted_at: Timestamp }),
        execute: ({ attempted_at, organization_id, transmission_id }) => sql`
          delete from provider_submissions
          where organization_id = ${organization_id} and transmission_id = ${transmission_id}
            and attempted_at = ${attempted_at}::timestamptz`
      })

      return traced("SubmissionsOnceRepo", {
        find,
        /** Records an attempt. None if another one was recorded since `previous`, the latest that the caller knows. */
        begin,
        settle,
        /** Removes a failed attempt, unless another process has repeated it meanwhile. */
        drop
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
