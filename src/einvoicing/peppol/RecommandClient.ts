import { Effect, Option, Redacted, Schema } from "effect"
import type { Outbound, WholeAnswer } from "../../platform/outbound/Outbound.ts"
import { busy, json_type, temporary, Unanswered, Unexpected } from "../providers/RestAnswer.ts"
import { Refusal } from "./RecommandApi.ts"

/** Sending waits for the access point of the recipient, so this limit is long. */
const time_limit = "45 seconds"
const answer_bytes_max = 30 * 1024 * 1024

interface Account {
  readonly url: string
  readonly api_key: string
  readonly api_secret: Redacted.Redacted
}

interface Call {
  readonly method: "GET" | "POST" | "PUT"
  /** The path without the prefix `/api/v1`. */
  readonly path: string
  readonly body?: Schema.Json
}

export const recommandClient = (outbound: Outbound["Service"], { api_key, api_secret, url }: Account) => {
  const credentials = Buffer.from(`${api_key}:${Redacted.value(api_secret)}`).toString("base64")
  const headers = { authorization: `Basic ${credentials}`, accept: json_type, "content-type": json_type }
  const base = `${url.replace(/\/+$/, "")}/api/v1`

  /**
   * Fails with `Unexpected` if the access point answers with an error or with a body that cannot be decoded. Each
   * caller decides what that means.
   */
  const call = <A>(answer: Schema.Codec<A, unknown>, { body, method, path }: Call) => {
    const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(answer))
    return Effect.gen(function* () {
      const given = yield* outbound
        .request({
          method,
          url: `${base}${path}`,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          time_limit,
          answer_bytes_max,
          // An operator chose the address, and may run the access point in a private network.
          trusted: true
        })
        .pipe(Effect.mapError(({ left, reason }) => new Unanswered({ message: reason, left })))
      if (given.status === 429) return yield* busy(given)
      if (given.status !== 200) return yield* unexpected(given)
      const decoded = yield* Effect.option(decode(new TextDecoder().decode(given.bytes)))
      return Option.isSome(decoded) ? { value: decoded.value, bytes: given.bytes } : yield* unexpected(given)
    }).pipe(Effect.withSpan("RecommandClient.call", { attributes: { "http.request.method": method } }))
  }

  /** Makes a call that may be repeated, and therefore treats every failure as temporary. */
  const ask = <A>(answer: Schema.Codec<A, unknown>, request: Call) =>
    temporary(Effect.map(call(answer, request), ({ value }) => value))

  return { call, ask }
}

const decodeRefusal = Schema.decodeUnknownEffect(Schema.fromJsonString(Refusal))

const unexpected = Effect.fnUntraced(function* (answer: WholeAnswer) {
  const refusal = yield* Effect.option(decodeRefusal(new TextDecoder().decode(answer.bytes)))
  const errors = Option.match(refusal, { onNone: () => ({}), onSome: ({ errors }) => errors })
  const sentences = Object.values(errors).flat()
  const message =
    sentences.length === 0 ? `The access point answers ${answer.status} with an unreadable body.` : sentences.join(" ")
  return yield* new Unexpected({ status: answer.status, message, fields: Object.keys(errors), answer })
})
