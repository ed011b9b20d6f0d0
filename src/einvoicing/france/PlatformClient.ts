import { Cache, Data, Duration, Effect, Exit, Option, Redacted, Schema } from "effect"
import type { Outbound, WholeAnswer } from "../../platform/outbound/Outbound.ts"
import { busy, json_type, temporary, Unanswered, Unexpected } from "../providers/RestAnswer.ts"
import { Problem, TokenAnswer } from "./PlatformApi.ts"

const time_limit = "45 seconds"
const answer_bytes_max = 30 * 1024 * 1024
const tokens_max = 10_000
/** A token is renewed this long before it expires, because the request that uses the token takes time. */
const renewal_seconds = 30
const token_seconds_default = 300

export class Credentials extends Data.Class<{
  readonly token_url: string
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}> {}

interface Account {
  readonly credentials: Credentials
  /** The organization's id at a platform that serves several organizations with the same credentials. */
  readonly organization: string | null
}

interface Call {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly content_type?: string
  readonly body?: Uint8Array | string
}

/** Gets access tokens with the credentials of a client (RFC 6749, 4.4), and caches each until it expires. */
export const accessTokens = (outbound: Outbound["Service"]) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(TokenAnswer))
  const request = Effect.fn("PlatformClient.token")(function* ({ client_id, client_secret, token_url }: Credentials) {
    const [name, secret] = [client_id, Redacted.value(client_secret)].map(encodeURIComponent)
    const given = yield* outbound
      .request({
        method: "POST",
        url: token_url,
        headers: {
          authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`,
          accept: json_type,
          "content-type": "application/x-www-form-urlencoded"
        },
        body: "grant_type=client_credentials",
        time_limit,
        answer_bytes_max,
        trusted: true
      })
      // The request that needs the token was not sent.
      .pipe(Effect.mapError(({ reason }) => new Unanswered({ message: reason, left: false })))
    if (given.status === 429) return yield* busy(given)
    const token = yield* Effect.option(decode(new TextDecoder().decode(given.bytes)))
    if (given.status === 200 && Option.isSome(token)) return token.value
    const isRefused = given.status === 400 || given.status === 401 || given.status === 403
    if (!isRefused)
      return yield* new Unanswered({ message: "The platform does not issue an access token.", left: false })
    const message = "The platform refuses the credentials."
    return yield* new Unexpected({ status: 401, message, fields: [], answer: given })
  })
  return Cache.makeWith(request, {
    capacity: tokens_max,
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: ({ expires_in }) => Duration.seconds((expires_in ?? token_seconds_default) - renewal_seconds)
    })
  })
}

export const platformClient = (
  outbound: Outbound["Service"],
  tokens: Effect.Success<ReturnType<typeof accessTokens>>,
  { credentials, organization }: Account
) => {
  const authorized = Effect.fnUntraced(function* ({ body, content_type = json_type, method, url }: Call) {
    const { access_token } = yield* Cache.get(tokens, credentials)
    return yield* outbound
      .request({
        method,
        url,
        headers: {
          authorization: `Bearer ${access_token}`,
          accept: "*/*",
          ...(body === undefined ? {} : { "content-type": content_type }),
          ...(organization === null ? {} : { "organization-id": organization })
        },
        ...(body === undefined ? {} : { body }),
        time_limit,
        answer_bytes_max,
        // An operator chose the address, so it may be in a private network.
        trusted: true
      })
      .pipe(Effect.mapError(({ left, reason }) => new Unanswered({ message: reason, left })))
  })

  /** Returns the bytes of a successful answer. A platform may revoke a token early, so a 401 is retried once. */
  const read = Effect.fn("PlatformClient.read")(function* (request: Call) {
    yield* Effect.annotateCurrentSpan({ "http.request.method": request.method })
    const first = yield* authorized(request)
    if (first.status === 401) yield* Cache.invalidate(tokens, credentials)
    const given = first.status === 401 ? yield* authorized(request) : first
    if (given.status === 429) return yield* busy(given)
    return given.status === 200 || given.status === 202 ? given.bytes : yield* unexpected(given)
  })

  /**
   * Fails with `Unexpected` if the platform answers with an error or with a body that cannot be decoded. Each caller
   * decides what that means.
   */
  const call = <A>(answer: Schema.Codec<A, unknown>, request: Call) => {
    const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(answer))
    return Effect.flatMap(read(request), (bytes) =>
      decode(new TextDecoder().decode(bytes)).pipe(
        Effect.map((value) => ({ value, bytes })),
        Effect.mapError(() => new Unexpected({ ...unreadable, answer: { ...nothing, bytes } }))
      )
    )
  }

  /** Makes a call that may be repeated, and therefore treats every failure as temporary. */
  const ask = <A>(answer: Schema.Codec<A, unknown>, request: Call) =>
    temporary(Effect.map(call(answer, request), ({ value }) => value))

  const authorize = Effect.asVoid(Cache.get(tokens, credentials))

  return { authorize, read, call, ask }
}
export type PlatformClient = ReturnType<typeof platformClient>

const unreadable = { status: 200, message: "The platform answers 200 with an unreadable body.", fields: [] }
const nothing = { status: 200, content_type: "", retry_after: Option.none() }

const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

const unexpected = (answer: WholeAnswer) => {
  const problem = decodeProblem(new TextDecoder().decode(answer.bytes))
  const { errorCode, errorMessage } = Option.getOrElse(problem, () => ({ errorCode: null, errorMessage: null }))
  const message = errorMessage ?? errorCode ?? `The platform answers ${answer.status} with an unreadable body.`
  const fields = errorCode === null ? [] : [errorCode]
  return new Unexpected({ status: answer.status, message, fields, answer })
}
