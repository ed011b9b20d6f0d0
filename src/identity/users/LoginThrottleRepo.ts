import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { traced } from "../../platform/sql/Traced.ts"

/** Hours after which failures are forgotten. */
const memory_hours = 24
/** 2^10 seconds exceeds the longest delay of every rule; a larger exponent could overflow. */
const exponent_max = 10

const Attempt = Schema.Struct({
  key: Schema.String,
  free_attempts: Schema.Int,
  delay_seconds_max: Schema.Int,
  /** The failure from which the time runs after which all failures of the key are forgotten. */
  remembered_from: Schema.Literals(["first", "latest"])
})

/** `blocked_until` is text, because a number of JavaScript would round its microseconds. */
const Counted = Schema.Struct({ failures: Schema.Int, blocked_until: Schema.String })

export class LoginThrottleRepo extends Context.Service<LoginThrottleRepo>()(
  "invoicing/identity/users/LoginThrottleRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Returns no row if the key is blocked. A single SQL statement makes parallel attempts wait for each other. */
      const attempt = SqlSchema.findOneOption({
        Request: Attempt,
        Result: Counted,
        execute: ({ delay_seconds_max, free_attempts, key, remembered_from }) => {
          const since = remembered_from === "first" ? sql`f.first_at` : sql`f.updated_at`
          const isForgotten = sql`${since} < clock_timestamp() - make_interval(hours => ${memory_hours})`
          const failures = sql`case when ${isForgotten} then 1 else f.failures + 1 end`
          const delay_seconds = sql`
            case when ${failures} < ${free_attempts} then 0
                 else least(${delay_seconds_max}, power(2, least(${failures} - ${free_attempts}, ${exponent_max}))) end`
          return sql`
            insert into login_failures as f (key, failures, blocked_until) values (${key}, 1, clock_timestamp())
            on conflict (key) do update set
              failures = ${failures},
              blocked_until = clock_timestamp() + make_interval(secs => ${delay_seconds}),
              first_at = case when ${isForgotten} then clock_timestamp() else f.first_at end,
              updated_at = clock_timestamp()
            where f.blocked_until <= clock_timestamp()
            returning failures, blocked_until::text as blocked_until`
        }
      })
      const secondsLeft = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ seconds: Schema.Int }),
        execute: (key) => sql`
          select greatest(1, ceil(extract(epoch from max(blocked_until) - clock_timestamp())))::integer as seconds
          from login_failures where key = ${key}`
      })
      const forget = SqlSchema.void({
        Request: Schema.String,
        execute: (key) => sql`delete from login_failures where key = ${key}`
      })
      /** Undoes the count of an attempt, and ends the delay that this attempt caused, but not that of a later one. */
      const takeBack = SqlSchema.void({
        Request: Schema.Struct({ key: Schema.String, blocked_until: Counted.fields.blocked_until }),
        execute: ({ blocked_until, key }) => sql`
        update login_failures set failures = failures - 1,
          blocked_until = case blocked_until when ${blocked_until} then clock_timestamp() else blocked_until end
        where key = ${key} and failures > 0`
      })

      return traced("LoginThrottleRepo", { attempt, secondsLeft, forget, takeBack })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
