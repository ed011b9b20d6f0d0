import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"

/**
 * The queue takes the earliest `visible_at` first, so this column contains a virtual time: an organization's first job
 * gets the time of the next job in the queue, and each further job a millisecond more. Of ten jobs of one organization
 * and one of another, the single job is therefore the second to run.
 */
export class JobTurnsRepo extends Context.Service<JobTurnsRepo>()("invoicing/platform/jobs/JobTurnsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const assign = SqlSchema.void({
      Request: Schema.Struct({ queue: Schema.String, id: Schema.String, organization_id: OrganizationId }),
      execute: ({ id, organization_id, queue }) => sql`
        update jobs set organization_id = ${organization_id}, visible_at = least(visible_at, greatest(
          (select min(visible_at) from jobs
            where queue_name = ${queue} and state = 'pending' and acquired_at is null and organization_id is not null),
          (select max(visible_at) + interval '1 millisecond' from jobs
            where queue_name = ${queue} and state = 'pending' and acquired_at is null
              and organization_id = ${organization_id} and visible_at <= now())))
        where queue_name = ${queue} and id = ${id} and state = 'pending' and organization_id is null`
    })

    return {
      /** Gives a newly offered job its turn; a job that was offered before keeps its turn. */
      assign: Effect.fn("JobTurnsRepo.assign")(assign, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
