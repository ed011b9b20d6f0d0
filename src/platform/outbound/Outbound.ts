import { Clock, Context, Data, type Duration, Effect, Layer, Option, Semaphore } from "effect"
import { Resolver } from "node:dns/promises"
import { AppConfig } from "../config/AppConfig.ts"
import { type Exchange, exchanges } from "./Exchange.ts"
import { isTarget, refusalOf, type TargetPolicy } from "./TargetUrl.ts"

/** Waiting for a place does not count against the time limit, because the receiver did not cause it. */
const requests_max = 1024
const lookup_timeout_ms = 2_000
const lookups_max = 2

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Time from looking up the name to the last byte of the answer. */
  readonly time_limit: Duration.Input
}

interface Answer {
  readonly status: number
  readonly headers: { readonly retry_after: Option.Option<string> }
  /** The first 2 KiB as text that a database accepts: well-formed, without U+0000. */
  readonly body: string
  readonly duration_ms: number
}

/** There was no answer. The reason is for the customer and does not reveal what exists at an address. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{
  readonly reason: string
  readonly duration_ms: number
}> {}

class TargetsNotAllowed extends Data.TaggedError("TargetsNotAllowed")<{ readonly message: string }> {}

/**
 * Sends requests to addresses that customers choose: only https and only to the public internet (`TargetUrl`,
 * `PublicLookup`). Redirects are not followed. Answers are not decompressed, and little of them is read.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /**
     * Returns why this URL may not be a target, for a 422. It looks up no name, so `post` may still find it private.
     */
    readonly refusal: (url: string) => Option.Option<string>
    /** Interrupting the request closes the connection. */
    readonly post: (message: Message) => Effect.Effect<Answer, OutboundFailed>
  }
>()("invoicing/platform/outbound/Outbound") {
  /** Uses the name servers of `resolver`. */
  static readonly via = (resolver: Resolver) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { production, webhooks } = yield* AppConfig
        const policy = yield* checked(webhooks, production)
        const exchange = yield* exchanges(policy, resolver)
        const admitted = yield* Semaphore.make(requests_max)

        const post = Effect.fn("Outbound.post", { kind: "client" })(function* (message: Message) {
          // The URL is checked again, since the configuration may have changed after it was saved.
          const refusal = refusalOf(message.url, policy)
          if (Option.isSome(refusal)) return yield* new OutboundFailed({ reason: refusal.value, duration_ms: 0 })
          return yield* admitted.withPermits(1)(attempt(exchange, message))
        })

        return Outbound.of({ refusal: (url) => refusalOf(url, policy), post })
      })
    )

  static readonly layer = Layer.unwrap(
    Effect.sync(() => this.via(new Resolver({ timeout: lookup_timeout_ms, tries: lookups_max })))
  )
}

/** Private targets are allowed only during development, and a typing error must not go unnoticed. */
const checked = Effect.fnUntraced(function* (policy: TargetPolicy, production: boolean) {
  const name = "WEBHOOKS_ALLOWED_TARGETS"
  if (production && policy.allowedTargets.length > 0) {
    return yield* new TargetsNotAllowed({ message: `${name} must not be set in production.` })
  }
  const wrong = policy.allowedTargets.find((target) => !isTarget(target))
  if (wrong === undefined) return policy
  return yield* new TargetsNotAllowed({ message: `${name} must be host:port, separated by commas; not "${wrong}".` })
})

const attempt = Effect.fnUntraced(function* (exchange: Exchange, message: Message) {
  const started = yield* Clock.currentTimeNanos
  const elapsed = Effect.map(Clock.currentTimeNanos, (now) => Math.round(Number(now - started) / 1e6))
  const url = new URL(message.url)
  // The path is left out, because receivers keep secrets in it.
  yield* Effect.annotateCurrentSpan({ "http.request.method": "POST", "server.address": url.hostname })
  const answer = yield* Effect.tryPromise({
    try: (signal) => exchange(url, message, signal),
    catch: (error) => new NoAnswer({ code: codeOf(error) })
  }).pipe(
    Effect.timeoutOrElse({ duration: message.time_limit, orElse: () => new NoAnswer({ code: "TIME_LIMIT" }) }),
    // The operator sees the code; the customer sees one of three sentences.
    Effect.tapError(({ code }) => Effect.annotateCurrentSpan({ "error.type": code })),
    Effect.catch(({ code }) =>
      Effect.flatMap(elapsed, (duration_ms) => new OutboundFailed({ reason: reasonOf(code), duration_ms }))
    )
  )
  yield* Effect.annotateCurrentSpan({ "http.response.status_code": answer.status })
  return { ...answer, duration_ms: yield* elapsed }
})

class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly code: string }> {}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN")

/** One sentence covers a refused connection, a private address, an unknown name and an answer that is not HTTP. */
const reasonOf = (code: string): string => {
  if (code === "TIME_LIMIT" || code === "ETIMEDOUT") return "The target did not answer in time."
  if (certificate.test(code)) return "The certificate of the target is not valid."
  return "The target could not be reached."
}

/** Matches OpenSSL's verification and Node's comparison of names, not alerts of the other side (`ERR_SSL_*`). */
const certificate =
  /^(?!ERR_SSL_).*(CERT|SIGNATURE)|^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/
