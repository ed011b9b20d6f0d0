import { Context, Data, Effect, Layer, Option, Semaphore } from "effect"
import { HttpServerResponse } from "effect/http"
import { AppConfig } from "../../config/AppConfig.ts"
import { sha256Hex } from "../../crypto/Digest.ts"
import { Database } from "../../sql/Database.ts"
import { idempotency_key_rule, isIdempotencyKey } from "../IdempotencyKey.ts"
import { refusal } from "./EdgeAnswers.ts"
import { IdempotencyRepo, type Key } from "./IdempotencyRepo.ts"

/**
 * Of the pool, for requests with a key at the same time. Each holds a connection to its end, and those that do a part
 * of their work outside of that transaction (`Database.apart`) need a further one, which must be left.
 */
const share_of_connections_max = 0.5

/** Ends the transaction without keeping anything, and still answers. */
class NotKept extends Data.TaggedError("NotKept")<{ readonly response: HttpServerResponse.HttpServerResponse }> {}

/** A conflict, as with a document that is being sent right now, passes: kept, it would outlive its cause. */
const passing = new Set([401, 403, 409, 429])

/** Answers that say nothing about the request itself are not, so the same key may be tried again. */
const isKept = (status: number) => status < 500 && !passing.has(status)

/** An answer that is streamed cannot be kept, so no POST may have one: its write must not commit without its key. */
const contentOf = ({ body }: HttpServerResponse.HttpServerResponse) => {
  if (body._tag === "Empty") return Effect.succeed({ headers: {}, body: new Uint8Array() })
  if (body._tag !== "Uint8Array") return Effect.die(new Error(`A ${body._tag} body cannot be kept.`))
  return Effect.succeed({ headers: { "content-type": body.contentType }, body: body.body })
}

/**
 * `Idempotency-Key` on any POST. The business write, its answer and the key commit in one transaction: after a crash
 * either all three exist or none does, so a client may always repeat.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    readonly once: <E, R>(
      key: Key,
      body: string,
      handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  }
>()("invoicing/platform/http/edge/Idempotency") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IdempotencyRepo
      const { transaction } = yield* Database
      const { databaseConnections } = yield* AppConfig
      const turns = yield* Semaphore.make(Math.max(1, Math.floor(databaseConnections * share_of_connections_max)))

      const once = <E, R>(key: Key, body: string, handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
        Effect.gen(function* () {
          if (!isIdempotencyKey(key.key)) return refusal(422, "idempotency_key_invalid", idempotency_key_rule)
          const fingerprint = sha256Hex(body)
          if (!(yield* repo.lock(key))) {
            return refusal(409, "idempotency_in_progress", "A request with this Idempotency-Key is still running.")
          }
          const known = yield* repo.find(key)
          if (Option.isSome(known)) {
            if (known.value.fingerprint !== fingerprint) {
              const message = "This Idempotency-Key was used with another request body."
              return refusal(422, "idempotency_key_reused", message)
            }
            return HttpServerResponse.uint8Array(known.value.body, {
              status: known.value.status,
              headers: { ...known.value.headers, "idempotency-replayed": "true" }
            })
          }
          const response = yield* handle
          if (!isKept(response.status)) return yield* new NotKept({ response })
          yield* repo.insert(key, { fingerprint, status: response.status, ...(yield* contentOf(response)) })
          return response
        }).pipe(
          transaction,
          turns.withPermits(1),
          Effect.catchIf(
            (error): error is NotKept => error instanceof NotKept,
            ({ response }) => Effect.succeed(response)
          )
        )

      return Idempotency.of({ once })
    })
  ).pipe(Layer.provide(IdempotencyRepo.layer))
}
