import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import type { OpenLine } from "../transactions/OpenLinesRepo.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** The new suggestion of a line as JSON. It is stored only if the line still has this version. */
interface Refreshed extends Pick<OpenLine, "id" | "version"> {
  readonly suggestion: unknown
}

const Claim = Schema.Struct({ entries: Schema.Int, is_concerned: Schema.Boolean })

const organizations_max = 500
/**
 * Pause between two refreshes of an organization: at least `seconds_min` seconds, and at least `durations` times as
 * long as the first of them took.
 */
const pause = { seconds_min: 30, durations: 20 } as const
/** Time after which another process repeats a refresh that a crashed process has begun. */
const lease = "5 minutes"
/** Matches entries of the audit chain whose actions change no suggestion. */
const unconcerned = '^\\{"action":"(api_token|archive|document|member|receipt|report|webhook)\\.'

export class SuggestionRefreshesRepo extends Context.Service<SuggestionRefreshesRepo>()(
  "invoicing/banking/refreshes/SuggestionRefreshesRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const due = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ organization_id: OrganizationId }),
        execute: () => sql`
          select r.organization_id from suggestion_refreshes r
          join journals j on j.organization_id = r.organization_id
          where r.due_at <= now() and j.entries > r.position
          order by r.due_at, r.organization_id limit ${organizations_max}`
      })

      // The row lock prevents two processes from claiming the same organization.
      const claim = SqlSchema.findOneOption({
        Request: OrganizationId,
        Result: Claim,
        execute: (organization_id) => sql`
          with news as (
            select r.organization_id, j.entries, exists (
              select from audit_entries a
              where a.organization_id = r.organization_id and a.seq > r.position
                and left(a.canonical, 40) !~ ${unconcerned}) as is_concerned
            from suggestion_refreshes r join journals j on j.organization_id = r.organization_id
            where r.organization_id = ${organization_id} and r.due_at <= now() and j.entries > r.position
            for update of r skip locked)
          update suggestion_refreshes r
          set position = case when is_concerned then position else entries end,
            due_at = case when is_concerned then now() + interval '${sql.literal(lease)}' else due_at end
          from news where r.organization_id = news.organization_id
          returning entries, is_concerned`
      })

      const finish = SqlSchema.void({
        Request: Schema.Struct({ organization_id: OrganizationId, position: Schema.Int, duration_ms: Schema.Int }),
        execute: ({ duration_ms, organization_id, position }) => sql`
          update suggestion_refreshes
          set position = greatest(position, ${position}), refreshed_at = now(), duration_ms = ${duration_ms},
            due_at = now() + greatest(${pause.seconds_min} * 1000, ${pause.durations * duration_ms}) * interval '1 ms'
          where organization_id = ${organization_id}`
      })

      /** Skips lines that are locked, or that changed after they were read. Returns the number of the others. */
      const suggest = Effect.fn("SuggestionRefreshesRepo.suggest")(function* (
        organization_id: OrganizationId,
        suggestions: ReadonlyArray<Refreshed>
      ) {
        const rows = yield* sql`
          with held as (
            select t.id, r.suggestion
            from jsonb_to_recordset(${sql.json(suggestions)}) as r (id bigint, version integer, suggestion jsonb)
            join bank_transactions t on t.organization_id = ${organization_id} and t.id = r.id
              and t.version = r.version
            where t.status in ('unmatched', 'suggested', 'partially_matched')
            order by t.id for update of t skip locked)
          update bank_transactions t
          set suggestion = held.suggestion,
            status = case when t.status = 'partially_matched' then t.status
              when held.suggestion is null then 'unmatched' else 'suggested' end,
            updated_at = now(), version = t.version + 1
          from held where t.organization_id = ${organization_id} and t.id = held.id
          returning t.id`
        return rows.length
      }, Effect.orDie)

      return {
        ...traced("SuggestionRefreshesRepo", {
          /** None if another process has claimed or already refreshed the organization. */
          claim,
          finish
        }),
        /** Organizations that have changed since their last refresh; the one that has waited longest comes first. */
        due: Effect.orDie(due()),
        suggest
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
