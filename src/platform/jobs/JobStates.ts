import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** What became of jobs that were offered under ids of their own. */
export class JobStates extends Context.Service<
  JobStates,
  {
    /** Those of the ids whose job is still to be done, or is being done. */
    readonly living: (job: { readonly name: string }, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  }
>()("invoicing/platform/jobs/JobStates") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const pending = SqlSchema.findAll({
        Request: Schema.Struct({ queue: Schema.String, ids: Schema.Array(Schema.String) }),
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ ids, queue }) => sql`
          select id from jobs where queue_name = ${queue} and state = 'pending' and ${sql.in("id", ids)}`
      })

      const living = Effect.fn("JobStates.living")(function* (
        { name }: { readonly name: string },
        ids: ReadonlyArray<string>
      ) {
        if (ids.length === 0) return new Set<string>()
        return new Set((yield* pending({ queue: name, ids })).map(({ id }) => id))
      }, Effect.orDie)

      return JobStates.of({ living })
    })
  )
}
