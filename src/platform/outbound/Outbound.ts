import { Clock, Context, Data, type Duration, Effect, Layer, Option, Semaphore } from "effect"
import { Resolver } from "node:dns/promises"
import { Agent, type Dispatcher } from "undici"
import { AppConfig } from "../config/AppConfig.ts"
import { publicConnector } from "./PublicConnector.ts"
import { isTarget, refusalOf, type TargetPolicy } from "./TargetUrl.ts"

/** A connection for each request that may be under way: slow ones of a host do not delay another customer's there. */
const requests_max = 1024
const origins_max = 4096
/** Shorter than most servers wait, so that they seldom close a connection that is about to be used. */
const idle_timeout_ms = 2_000
const idle_timeout_ms_max = 10_000
const answer_headers_bytes_max = 16_384
/** Read so far and no further, so that a connection with an ordinary answer can be kept. */
const answer_bytes_max = 65_536
const answer_bytes_kept = 2_048
const retry_after_characters_max = 100
const lookup_timeout_ms = 2_000
const lookups_max = 2

interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** From the first byte sent to the last one received, looking up the name included. */
  readonly time_limit: Duration.Input
}

interface Answer {
  readonly status: number
  readonly headers: { readonly retry_after: Option.Option<string> }
  /** The first 2 KiB as text that a database takes: well-formed, without U+0000. */
  readonly body: string
  readonly duration_ms: number
}

/** There was no answer. The reason is for the customer and does not tell what lives at an address. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{
  readonly reason: string
  readonly duration_ms: number
}> {}

class TargetsNotAllowed extends Data.TaggedError("TargetsNotAllowed")<{ readonly message: string }> {}

/**
 * Requests to addresses that customers choose. Only https to the public internet (`TargetUrl`, `PublicConnector`);
 * redirects are answers and not followed; nothing that comes back is unpacked, and little of it is read.
 */
export class Outbound extends Context.Service<
  Outbound,
  {
    /** Why this URL may not be a target, for a 422; looks up no name, so `post` may still find it private. */
    readonly refusal: (url: string) => Option.Option<string>
    /** Interrupting it ends the request. */
    readonly post: (message: Message) => Effect.Effect<Answer, OutboundFailed>
  }
>()("invoicing/platform/outbound/Outbound") {
  /** Over the name servers of `resolver`. */
  static readonly via = (resolver: Resolver) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { production, webhooks } = yield* AppConfig
        const policy = yield* checked(webhooks, production)
        const agent = yield* agentOf(policy, resolver)
        const admitted = yield* Semaphore.make(requests_max)

        const post = Effect.fn("Outbound.post", { kind: "client" })(function* (message: Message) {
          const refusal = refusalOf(message.url, policy)
          if (Option.isSome(refusal)) return yield* new OutboundFailed({ reason: refusal.value, duration_ms: 0 })
          return yield* admitted.withPermits(1)(attempt(agent, message))
        })

        return Outbound.of({ refusal: (url) => refusalOf(url, policy), post })
      })
    )

  static readonly layer = Layer.unwrap(
    Effect.sync(() => this.via(new Resolver({ timeout: lookup_timeout_ms, tries: lookups_max })))
  )
}

/** What may be private on a developer's machine must not be in production, nor may a typing error go unnoticed. */
const checked = Effect.fnUntraced(function* (policy: TargetPolicy, production: boolean) {
  const name = "WEBHOOKS_ALLOWED_TARGETS"
  if (production && policy.allowedTargets.length > 0) {
    return yield* new TargetsNotAllowed({ message: `${name} must not be set in production.` })
  }
  const wrong = policy.allowedTargets.find((target) => !isTarget(target))
  if (wrong === undefined) return policy
  return yield* new TargetsNotAllowed({ message: `${name} must be host:port, separated by commas; not "${wrong}".` })
})

const agentOf = (policy: TargetPolicy, resolver: Resolver) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect: publicConnector(policy, resolver),
          connections: requests_max,
          maxOrigins: origins_max,
          keepAliveTimeout: idle_timeout_ms,
          keepAliveMaxTimeout: idle_timeout_ms_max,
          maxHeaderSize: answer_headers_bytes_max,
          // One limit for the whole attempt replaces the ones between its parts.
          headersTimeout: 0,
          bodyTimeout: 0
        })
    ),
    (agent) => Effect.promise(() => agent.destroy()).pipe(Effect.ensuring(Effect.sync(() => resolver.cancel())))
  )

const attempt = Effect.fnUntraced(function* (agent: Agent, message: Message) {
  const started = yield* Clock.currentTimeNanos
  const elapsed = Effect.map(Clock.currentTimeNanos, (now) => Math.round(Number(now - started) / 1e6))
  const url = new URL(message.url)
  yield* Effect.annotateCurrentSpan({ "server.address": url.hostname, "http.request.method": "POST" })
  const answer = yield* Effect.tryPromise({
    try: (signal) => exchange(agent, url, message, signal),
    catch: (error) => new NoAnswer({ code: codeOf(error) })
  }).pipe(
    Effect.timeoutOrElse({
      duration: message.time_limit,
      orElse: () => new NoAnswer({ code: "TIME_LIMIT" })
    }),
    // The code is for the operator; the customer is told one of three sentences.
    Effect.tapError(({ code }) => Effect.annotateCurrentSpan({ "error.type": code })),
    Effect.catch(({ code }) =>
      Effect.flatMap(elapsed, (duration_ms) => new OutboundFailed({ reason: reasonOf(code), duration_ms }))
    )
  )
  yield* Effect.annotateCurrentSpan({ "http.response.status_code": answer.status })
  return { ...answer, duration_ms: yield* elapsed }
})

class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly code: string }> {}

const exchange = async (agent: Agent, url: URL, { body, headers }: Message, signal: AbortSignal) => {
  const path = `${url.pathname}${url.search}`
  const answer = await agent.request({ origin: url.origin, path, method: "POST", headers, body, signal })
  const retryAfter = [answer.headers["retry-after"]].flat()[0]?.slice(0, retry_after_characters_max)
  return {
    status: answer.statusCode,
    headers: { retry_after: Option.fromUndefinedOr(retryAfter) },
    body: textOf(await beginningOf(answer.body))
  }
}

/** Leaving the loop early closes the connection: of an endless answer nothing more arrives. */
const beginningOf = async (body: Dispatcher.ResponseData["body"]): Promise<Uint8Array> => {
  const kept = new Uint8Array(answer_bytes_kept)
  let bytes = 0
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue
    if (bytes < kept.length) kept.set(chunk.subarray(0, kept.length - bytes), bytes)
    bytes += chunk.length
    if (bytes >= answer_bytes_max) break
  }
  return kept.subarray(0, bytes)
}

/** A character cut in two at the end is left out; each replacement takes three bytes, so the limit is kept once more. */
const textOf = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\u0000", "\ufffd")
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(answer_bytes_kept))
  return text.slice(0, read)
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN")

/** A refused connection, a private address, a name that does not exist and an answer that is no HTTP sound alike. */
const reasonOf = (code: string): string => {
  if (timeouts.has(code)) return "The target did not answer in time."
  if (certificate.test(code)) return "The certificate of the target is not valid."
  return "The target could not be reached."
}

const timeouts = new Set(["TIME_LIMIT", "UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"])
/** OpenSSL's verification and Node's comparison of names; not the alerts that the other side sends (`ERR_SSL_*`). */
const certificate = /^(?!ERR_SSL_).*CERT|^INVALID_CA$/
