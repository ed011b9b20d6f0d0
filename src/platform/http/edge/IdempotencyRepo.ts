import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { PgClient } from "@effect/sql-pg"
import { SecretBox } from "../../crypto/SecretBox.ts"

/** Hours for which an answer is replayed. An older key starts a new request. */
export const kept_hours = 24

/** Seconds without a renewal after which the process of a request counts as crashed, and its key may be taken over. */
const lease_seconds = 20

/** A lease is renewed three times before it expires, so two renewals may fail. */
const renewal_interval = `${lease_seconds / 4} seconds` as const

/** Encoding of the sealed answer: each byte becomes one character, because an answer may be a file. */
const byte_text = "latin1"

const Key = Schema.Struct({
  organization_id: Schema.Int,
  /** The credential that sent the key. A refresh of the credential's token does not change this text. */
  principal: Schema.String,
  route: Schema.String,
  key: Schema.String
})
export type Key = typeof Key.Type

const Lease = Schema.Struct({ owner: Schema.String, operation: Schema.String })
type Lease = typeof Lease.Type

const Reservation = Schema.Struct({
  ...Key.fields,
  fingerprint: Schema.String,
  ...Lease.fields,
  kept_seconds: Schema.Int
})

/** The body is sealed, because some answers hold a secret that is shown once. */
const Answer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  sealed_body: Schema.String
})

interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** `answer` is null while the first request runs, and "lost" if the `SECRET_KEY` that sealed it is lost. */
interface Known {
  readonly fingerprint: string
  readonly answer: PlainAnswer | "lost" | null
}

const Row = Schema.Struct({ fingerprint: Schema.String, ...Struct.map(Answer.fields, Schema.NullOr) })

const placeOf = ({ key, organization_id, principal, route }: Key) =>
  `idempotency-key:${JSON.stringify([organization_id, principal, route, key])}`

export class IdempotencyRepo extends Context.Service<IdempotencyRepo>()(
  "invoicing/platform/http/edge/IdempotencyRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const box = yield* SecretBox
      const lease = sql`now() + make_interval(secs => ${lease_seconds})`
      const named = ({ key, organization_id, principal, route }: Key) =>
        sql`organization_id = ${organization_id} and principal = ${principal} and route = ${route} and key = ${key}`
      /**
       * If the lease of a key has expired, the earlier request's operation continues. If the key itself has expired, a
       * new operation begins.
       */
      const reserve = SqlSchema.findOneOption({
        Request: Reservation,
        Result: Lease,
        execute: ({ fingerprint, kept_seconds, key, operation, organization_id, owner, principal, route }) => {
          const expired = sql`k.created_at <= now() - make_interval(secs => ${kept_seconds})`
          return sql`
          insert into idempotency_keys as k
            (organization_id, principal, route, key, fingerprint, operation, owner, leased_until)
          values (${organization_id}, ${principal}, ${route}, ${key}, ${fingerprint}, ${operation}, ${owner}, ${lease})
          on conflict (organization_id, principal, route, key) do update set
            operation = case when ${expired} then excluded.operation else k.operation end,
            created_at = case when ${expired} then now() else k.created_at end,
            fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = ${lease},
            status = null, headers = null, sealed_body = null
          where ${expired}
            or (k.status is null and k.leased_until < now() and k.fingerprint = excluded.fingerprint)
          returning owner, operation`
        }
      })
      const find = SqlSchema.findOneOption({
        Request: Key,
        Result: Row,
        execute: (key) =>
          sql`select fingerprint, status, headers, sealed_body from idempotency_keys where ${named(key)}`
      })
      const renew = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, owner: Schema.String }),
        execute: ({ owner, ...key }) =>
          sql`update idempotency_keys set leased_until = ${lease} where ${named(key)} and owner = ${owner}`
      })
      const answer = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Key.fields, ...Answer.fields, owner: Schema.String }),
        Result: Schema.Struct({ key: Schema.String }),
        execute: ({ headers, owner, sealed_body, status, ...key }) => sql`
          update idempotency_keys set status = ${status}, headers = ${sql.json(headers)}, sealed_body = ${sealed_body}
          where ${named(key)} and owner = ${owner} and status is null returning key`
      })
      const expire = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, owner: Schema.String }),
        execute: ({ owner, ...key }) => sql`
          update idempotency_keys set leased_until = now() - interval '1 second'
          where ${named(key)} and owner = ${owner} and status is null`
      })
      const release = SqlSchema.void({
        Request: Schema.Struct({ ...Key.fields, owner: Schema.String }),
        execute: ({ owner, ...key }) =>
          sql`delete from idempotency_keys where ${named(key)} and owner = ${owner} and status is null`
      })

      return {
        /** None if the key has an answer or a running request, or was used with another body. */
        reserve: (key: Key, fingerprint: string, lease: Lease, kept_seconds = kept_hours * 3600) =>
          Effect.orDie(reserve({ ...key, fingerprint, ...lease, kept_seconds })),
        find: Effect.fnUntraced(function* (key: Key) {
          const row = yield* find(key)
          if (Option.isNone(row)) return Option.none<Known>()
          const { fingerprint, headers, sealed_body, status } = row.value
          if (status === null || headers === null || sealed_body === null)
            return Option.some<Known>({ fingerprint, answer: null })
          const answer = Option.match(yield* box.tryOpen(sealed_body, placeOf(key)), {
            onNone: () => "lost" as const,
            onSome: (text) => ({ status, headers, body: Buffer.from(text, byte_text) })
          })
          return Option.some<Known>({ fingerprint, answer })
        }, Effect.orDie),
        /** Runs the work of a request, and renews the lease of its key as long as it runs. */
        whileRenewed: <A, E, R>(key: Key, owner: string, work: Effect.Effect<A, E, R>) => {
          const renewing = renew({ ...key, owner }).pipe(
            Effect.ignoreCause,
            Effect.delay(renewal_interval),
            Effect.forever
          )
          return Effect.raceFirst(work, renewing)
        },
        /** Stores the answer in the caller's transaction. False if another request has taken the lease over. */
        answer: Effect.fnUntraced(function* (key: Key, owner: string, { body, ...answered }: PlainAnswer) {
          const sealed_body = yield* box.seal(Buffer.from(body).toString(byte_text), placeOf(key))
          return Option.isSome(yield* answer({ ...key, owner, ...answered, sealed_body }))
        }, Effect.orDie),
        /** Ends the lease, so that the next request with the key can continue the operation immediately. */
        expire: (key: Key, owner: string) => Effect.orDie(expire({ ...key, owner })),
        /** Deletes the key, because its request did nothing. */
        release: (key: Key, owner: string) => Effect.orDie(release({ ...key, owner }))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
