import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OrganizationId } from "../../kernel/Ids.ts"
import { ProviderCode } from "../providers/Network.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Pause after the first failure. It doubles with each further failure, up to the maximum. */
const retry_seconds_first = 60
const retry_seconds_max = 6 * 60 * 60

const Inbox = Schema.Struct({ organization_id: OrganizationId, provider: ProviderCode })
const Key = Schema.Struct({ ...Inbox.fields, transmission_id: Schema.String })

/** The part of an attempt that failed. The step `store` ends when the network has confirmed the document. */
const Step = Schema.Literals(["fetch", "read", "store"])

const Unread = Schema.Struct({
  transmission_id: Schema.String,
  read_attempts: Schema.Int,
  failed_step: Step,
  problem: Schema.String,
  /** True until the pause after the last failure is over. */
  is_waiting: Schema.Boolean
})

/**
 * Documents that a network holds and that could not be fetched, read, stored or confirmed; each waits until its next
 * attempt.
 */
export class UnreadArrivalsRepo extends Context.Service<UnreadArrivalsRepo>()(
  "invoicing/einvoicing/received/UnreadArrivalsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const columns = sql.literal(
        "transmission_id, read_attempts, failed_step, problem, retry_at > clock_timestamp() as is_waiting"
      )

      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: Unread,
        execute: ({ organization_id, provider, transmission_id }) => sql`
          select ${columns} from unread_arrivals where organization_id = ${organization_id}
            and provider = ${provider} and transmission_id = ${transmission_id}`
      })

      const among = SqlSchema.findAll({
        Request: Schema.Struct({ ...Inbox.fields, transmission_ids: Schema.Array(Schema.String) }),
        Result: Unread,
        execute: ({ organization_id, provider, transmission_ids }) => sql`
          select ${columns} from unread_arrivals where organization_id = ${organization_id}
            and provider = ${provider} and transmission_id = any(${transmission_ids})`
      })

      const postpone = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, failed_step: Step, problem: Schema.String }),
        execute: (row) => sql`
          insert into unread_arrivals as u ${sql.insert({ ...row, read_attempts: row.failed_step === "read" ? 1 : 0 })}
          on conflict (organization_id, provider, transmission_id) do update
            set attempts = u.attempts + 1, read_attempts = u.read_attempts + excluded.read_attempts,
              failed_step = excluded.failed_step, problem = excluded.problem, retry_at = clock_timestamp()
              + make_interval(secs => least(${retry_seconds_first} * 2 ^ least(u.attempts, 20), ${retry_seconds_max}))`
      })

      const remove = SqlSchema.void({
        Request: Key,
        execute: ({ organization_id, provider, transmission_id }) => sql`
          delete from unread_arrivals where organization_id = ${organization_id}
            and provider = ${provider} and transmission_id = ${transmission_id}`
      })

      return traced("UnreadArrivalsRepo", {
        find,
        among,
        /** Records a failure, after which the document waits. */
        postpone,
        remove
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
