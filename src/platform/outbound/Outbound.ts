import { Clock, Context, Data, type Duration, Effect, Layer, Option, Semaphore } from "effect"
import { Resolver } from "node:dns/promises"
import { AppConfig } from "../config/AppConfig.ts"
import { type ClientIdentity, type Exchange, exchanges } from "./Exchange.ts"
import { isTarget, refusalOf, type TargetPolicy } from "./TargetUrl.ts"

/** Maximum number of open requests of `post`. Further ones wait, which does not count against their time limit. */
const posts_max = 1024
const lookup_timeout_ms = 2_000
const lookups_max = 2

/** Ordinary answers are shorter; a longer one closes its connection. */
const answer_bytes_max = 65_536
const answer_bytes_kept = 2_048

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Time limit from the name lookup to the last byte of the answer. */
  readonly time_limit: Duration.Input
}

interface Answer {
  readonly status: number
  readonly headers: { readonly retry_after: Option.Option<string> }
  /** The first 2 KiB of the answer as text that a database accepts: well-formed, without U+0000. */
  readonly body: string
  readonly duration_ms: number
}

interface WholeRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  readonly time_limit: Duration.Input
  /** Maximum size of the answer in bytes; a longer answer is a failure. */
  readonly answer_bytes_max: number
  /** True if the operator chose the address, which may then be private. */
  readonly trusted: boolean
  /** Client certificate for a receiver that requires one (mutual TLS). */
  readonly identity?: ClientIdentity | undefined
}

export interface WholeAnswer {
  readonly status: number
  readonly content_type: string
  readonly retry_after: Option.Option<string>
  readonly bytes: Uint8Array
}

/** There was no answer. The reason is meant for the customer and does not reveal what exists at an address. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{
  readonly reason: string
  /** False if the request was certainly never sent, because there was no connection. */
  readonly left: boolean
  readonly duration_ms: number
}> {}

class TargetsNotAllowed extends Data.TaggedError("TargetsNotAllowed")<{ readonly message: string }> {}

/**
 * Sends requests without redirects; answers are not decompressed. An address that a customer chose must be https and
 * on the public internet (`TargetUrl`, `PublicLookup`), unless the configuration allows it. `post` reads only the
 * beginning of an answer.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /**
     * Returns why this URL may not be a target, in a sentence for the client. `post` may find a private address later.
     */
    readonly refusal: (url: string) => Option.Option<string>
    /** Interrupting the request closes the connection. */
    readonly post: (message: Message) => Effect.Effect<Answer, OutboundFailed>
    readonly request: (request: WholeRequest) => Effect.Effect<WholeAnswer, OutboundFailed>
  }
>()("invoicing/platform/outbound/Outbound") {
  static readonly via = (resolver: Resolver) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { production, webhooks } = yield* AppConfig
        const policy = yield* checked(webhooks, production)
        const exchange = yield* exchanges(policy, resolver)
        const admitted = yield* Semaphore.make(posts_max)

        const post = Effect.fn("Outbound.post", { kind: "client" })(function* (message: Message) {
          // The URL is checked again, because the configuration may have changed after the URL was saved.
          const refusal = refusalOf(message.url, policy)
          if (Option.isSome(refusal)) return yield* refused(refusal.value)
          const answer = yield* admitted.withPermits(1)(
            attempt(exchange, message.url, message.time_limit, {
              ...message,
              method: "POST",
              answer_bytes: { kept: answer_bytes_kept, read: answer_bytes_max },
              trusted: false
            })
          )
          const { duration_ms, headers, status } = answer
          return { status, headers, duration_ms, body: textOf(answer.bytes) }
        })

        const request = Effect.fn("Outbound.request", { kind: "client" })(function* (asked: WholeRequest) {
          const { answer_bytes_max: length, body = "", time_limit, trusted, url } = asked
          const refusal = trusted ? Option.none() : refusalOf(url, policy)
          if (Option.isSome(refusal)) return yield* refused(refusal.value)
          const limits = { kept: length, read: length + 1 }
          const answer = yield* attempt(exchange, url, time_limit, { ...asked, body, answer_bytes: limits })
          const { bytes, content_type, duration_ms, headers, isWhole, status } = answer
          if (!isWhole) return yield* new OutboundFailed({ reason: "The answer is too long.", left: true, duration_ms })
          return { status, content_type, retry_after: headers.retry_after, bytes }
        })

        return Outbound.of({ refusal: (url) => refusalOf(url, policy), post, request })
      })
    )

  static readonly layer = Layer.unwrap(
    Effect.sync(() => this.via(new Resolver({ timeout: lookup_timeout_ms, tries: lookups_max })))
  )
}

/** Refuses a list of allowed private targets in production, and a list with an invalid target. */
const checked = Effect.fnUntraced(function* (policy: TargetPolicy, production: boolean) {
  const name = "WEBHOOKS_ALLOWED_TARGETS"
  if (production && policy.allowedTargets.length > 0) {
    return yield* new TargetsNotAllowed({ message: `${name} must not be set in production.` })
  }
  const wrong = policy.allowedTargets.find((target) => !isTarget(target))
  if (wrong === undefined) return policy
  return yield* new TargetsNotAllowed({ message: `${name} must be host:port, separated by commas; not "${wrong}".` })
})

const refused = (reason: string) => new OutboundFailed({ reason, left: false, duration_ms: 0 })

const attempt = Effect.fnUntraced(function* (
  exchange: Exchange,
  address: string,
  time_limit: Duration.Input,
  request: Parameters<Exchange>[1]
) {
  const started = yield* Clock.currentTimeNanos
  const elapsed = Effect.map(Clock.currentTimeNanos, (now) => Math.round(Number(now - started) / 1e6))
  const url = new URL(address)
  // The path is not recorded, because receivers keep secrets in it.
  yield* Effect.annotateCurrentSpan({
    "http.request.method": request.method,
    "server.address": url.hostname,
    "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80))
  })
  const answer = yield* Effect.tryPromise({
    try: (signal) => exchange(url, request, signal),
    catch: (error) => new NoAnswer({ code: codeOf(error) })
  }).pipe(
    Effect.timeoutOrElse({ duration: time_limit, orElse: () => new NoAnswer({ code: "TIME_LIMIT" }) }),
    // The trace shows the error code to the operator; the customer sees one of three messages.
    Effect.tapError(({ code }) => Effect.annotateCurrentSpan({ "error.type": code })),
    Effect.catch(({ code }) =>
      Effect.flatMap(
        elapsed,
        (duration_ms) => new OutboundFailed({ reason: reasonOf(code), left: !unconnected.test(code), duration_ms })
      )
    )
  )
  yield* Effect.annotateCurrentSpan({ "http.response.status_code": answer.status })
  return { ...answer, duration_ms: yield* elapsed }
})

class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly code: string }> {}

/** Error codes of a connection that was never established. */
const unconnected = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|NO_PUBLIC_ADDRESS)$/

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN")

/**
 * Refused connections, private addresses, unknown names and answers that are not HTTP have the same message, so that it
 * reveals nothing.
 */
const reasonOf = (code: string): string => {
  if (code === "TIME_LIMIT" || code === "ETIMEDOUT") return "The target did not answer in time."
  if (certificate.test(code)) return "The certificate of the target is not valid."
  return "The target could not be reached."
}

/** Codes of certificates that OpenSSL or Node refuses, but not of alerts that the other side sends (`ERR_SSL_*`). */
const certificate =
  /^(?!ERR_SSL_).*(CERT|SIGNATURE)|^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/

/**
 * Drops a character that is cut off at the end. U+FFFD, which replaces what cannot be stored, takes three bytes, so the
 * text is cut again.
 */
const textOf = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\u0000", "\ufffd")
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(answer_bytes_kept))
  return text.slice(0, read)
}
