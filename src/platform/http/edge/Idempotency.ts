import { Context, Effect, Exit, Fiber, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { sha256Hex } from "../../crypto/Digest.ts"
import { newToken } from "../../crypto/Opaque.ts"
import { Database } from "../../sql/Database.ts"
import { CurrentOperation } from "../CurrentOperation.ts"
import { idempotency_key_rule, isIdempotencyKey } from "../IdempotencyKey.ts"
import { type Answering, RequestFacts } from "../Security.ts"
import { refusal, retry_after_seconds } from "../answers/EdgeAnswers.ts"
import { versioned } from "../answers/EntityTags.ts"
import { IdempotencyRepo, type Key } from "./IdempotencyRepo.ts"

interface KeyedRequest {
  readonly key: Key
  /** Text that differs when the request differs. */
  readonly content: string
  /**
   * - `transaction`: the work and its answer commit together.
   * - `outside`: the work waits for other systems, so it holds no connection; its effects are recorded under
   *   `CurrentOperation`.
   * - `detached`: as `outside`, and the work goes on when its client leaves.
   */
  readonly work: "transaction" | "outside" | "detached"
}

/** Statuses of answers that are not stored, because the same request may succeed later. */
const passing = new Set([401, 403, 409, 429])

const isKept = (status: number) => status < 500 && !passing.has(status)

const inProgress = () =>
  refusal(409, "idempotency_in_progress", "A request with this Idempotency-Key is still running.", {
    "retry-after": String(retry_after_seconds)
  })

const answerLost = () =>
  refusal(
    409,
    "idempotency_answer_lost",
    "The request with this Idempotency-Key was executed, but its answer can no longer be read. Read the record instead."
  )

/** Headers of the endpoint's answer that are stored. `Edge.ts` adds its own headers to a replayed answer, too. */
const kept_headers = ["etag", "location", "preference-applied"]

/** A streamed answer cannot be stored, so no POST may have one: a repeated request would write again. */
const contentOf = ({ body, headers: given }: HttpServerResponse.HttpServerResponse) => {
  const headers = Object.fromEntries(
    kept_headers.flatMap((name) => {
      const value = given[name]
      return value === undefined ? [] : [[name, value]]
    })
  )
  if (body._tag === "Empty") return Effect.succeed({ headers, body: new Uint8Array() })
  if (body._tag !== "Uint8Array") return Effect.die(new Error(`A ${body._tag} body cannot be kept.`))
  return Effect.succeed({ headers: { ...headers, "content-type": body.contentType }, body: body.body })
}

/**
 * Reserves an `Idempotency-Key` with a lease once the request is authorized, and renews the lease while the work runs.
 * The answer is stored in the transaction of the work, or in a transaction of its own if the work also uses other
 * systems. After a crash, the next request with the key takes the lease over and continues the operation.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** Runs a route whose middleware calls `RequestFacts.once` with the authorized work. */
    readonly once: <E, R>(request: KeyedRequest, route: Answering<E, R>) => Answering<E, R>
  }
>()("invoicing/platform/http/edge/Idempotency") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IdempotencyRepo
      const { transaction } = yield* Database
      const scope = yield* Effect.scope

      /** Returns the answer to a request whose key cannot be reserved. */
      const known = Effect.fnUntraced(function* (key: Key, fingerprint: string) {
        const found = yield* repo.find(key)
        // If there is no row, the request that held the key has just released it.
        if (Option.isNone(found)) return inProgress()
        const { answer } = found.value
        if (found.value.fingerprint !== fingerprint) {
          return refusal(
            422,
            "idempotency_key_reused",
            "This Idempotency-Key was already used with another request body."
          )
        }
        if (answer === null) return inProgress()
        if (answer === "lost") return answerLost()
        const headers = { ...answer.headers, "idempotency-replayed": "true" }
        return HttpServerResponse.uint8Array(answer.body, { status: answer.status, headers })
      })

      const leaseOf = Effect.fnUntraced(function* (key: Key) {
        const owner = yield* newToken("request")
        const answer = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
          const content = yield* contentOf(response)
          return yield* repo.answer(key, owner, { status: response.status, ...content })
        })
        return {
          owner,
          answer,
          whileRenewed: <A, E, R>(work: Effect.Effect<A, E, R>) => repo.whileRenewed(key, owner, work),
          release: repo.release(key, owner),
          expire: Effect.ignoreCause(repo.expire(key, owner))
        }
      })

      const attempt = Effect.fnUntraced(function* <E, R>(request: KeyedRequest, route: Answering<E, R>) {
        const { content, key, work } = request
        const lease = yield* leaseOf(key)
        const fingerprint = sha256Hex(content)
        const facts = yield* RequestFacts
        let progress: "unreserved" | "reserved" | "answered" = "unreserved"
        let operation: string | undefined

        /** If another request has taken the key over, the transaction of this request must not commit. */
        const answered = (response: HttpServerResponse.HttpServerResponse) =>
          Effect.tap(lease.answer(versioned(response, facts.version)), (isOurs) =>
            isOurs ? Effect.void : Effect.die(inProgress())
          )

        /** Returns the operation that the request begins or continues; none if another request has the key. */
        const reserve = Effect.gen(function* () {
          const own = { owner: lease.owner, operation: yield* newToken("operation") }
          const reserved = Option.getOrUndefined(yield* repo.reserve(key, fingerprint, own))
          if (reserved !== undefined) progress = "reserved"
          return reserved?.operation
        })

        const once: NonNullable<RequestFacts["once"]> = (authorized) =>
          Effect.gen(function* () {
            // This effect may run twice (see `underLatestLock`). The second run uses the same reservation.
            operation ??= yield* reserve
            if (operation === undefined) return yield* known(key, fingerprint)
            const named = Effect.provideService(authorized, CurrentOperation, operation)
            const response = yield* lease.whileRenewed(
              work === "transaction" ? transaction(Effect.tap(named, answered)) : named
            )
            if (work === "transaction") progress = "answered"
            return response
          })

        const settle = (response: HttpServerResponse.HttpServerResponse) => {
          if (progress !== "reserved") return Effect.void
          if (isKept(response.status)) return answered(response)
          // A request outside of a transaction, or with a 5xx answer, may have begun work that the next request with
          // this key continues. So the key is not released.
          return work === "transaction" && response.status < 500 ? lease.release : lease.expire
        }

        facts.once = once
        return yield* route.pipe(
          Effect.tap(settle),
          Effect.onExit((exit) => (Exit.isFailure(exit) && progress !== "unreserved" ? lease.expire : Effect.void))
        )
      })

      /** Interrupting the wait does not interrupt the work. */
      const detached = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(Effect.forkIn(work, scope), Fiber.join)

      const once: Idempotency["Service"]["once"] = (request, route) => {
        if (!isIdempotencyKey(request.key.key)) {
          return Effect.succeed(refusal(422, "idempotency_key_invalid", idempotency_key_rule))
        }
        const attempted = attempt(request, route)
        return request.work === "detached" ? detached(attempted) : attempted
      }

      return Idempotency.of({ once })
    })
  ).pipe(Layer.provide(IdempotencyRepo.layer))
}
