import { Effect, Exit, Fiber, Option, Schema } from "effect"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { newToken } from "../../platform/crypto/Opaque.ts"
import { IdempotencyRepo } from "../../platform/http/edge/IdempotencyRepo.ts"
import { seeOther } from "../../platform/pages/PageFrame.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Seconds within which a repeated form gets the answer to the first one. Later, it counts as another form. */
const kept_seconds = 60

/** Time after which a repeated form looks again for the answer to the first one. */
const look_again = "100 millis"

const Kept = Schema.fromJsonString(
  Schema.Struct({
    headers: Schema.Record(Schema.String, Schema.String),
    cookies: Schema.Array(Schema.String),
    content_type: Schema.String,
    text: Schema.String
  })
)
const encode = Schema.encodeEffect(Kept)
const decode = Schema.decodeUnknownEffect(Kept)

/** Cookies and headers are part of the body, because only the body is stored sealed. */
const bodyOf = ({ body, cookies, headers }: Response) => {
  const [content_type, bytes] = body._tag === "Uint8Array" ? [body.contentType, body.body] : ["", new Uint8Array()]
  const text = Buffer.from(bytes).toString()
  return Effect.map(encode({ headers, cookies: Cookies.toSetCookieHeaders(cookies), content_type, text }), (json) =>
    Buffer.from(json)
  )
}

const answerIn = Effect.fnUntraced(function* (status: number, body: Uint8Array) {
  const { content_type, cookies, headers, text } = yield* decode(Buffer.from(body).toString())
  const response =
    text === ""
      ? HttpServerResponse.empty({ status, headers })
      : HttpServerResponse.text(text, { status, headers, contentType: content_type })
  return HttpServerResponse.replaceCookies(response, Cookies.fromSetCookie(cookies))
})

/**
 * Runs the work of a form once: a second click on its button, or a form that the browser sends again, gets the answer
 * to the first one. The `csrf` field makes the fields of each page that was shown different. A refused form may be
 * sent again.
 */
export const formsOnce = Effect.gen(function* () {
  const repo = yield* IdempotencyRepo
  const scope = yield* Effect.scope

  return Effect.fnUntraced(function* <E, R>(fields: URLSearchParams, work: Effect.Effect<Response, E, R>) {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const [path = ""] = url.split("?", 1)
    // The path may contain the token of a link, and the fields a password, so only their hash is stored.
    const content = sha256Hex(`${path}\n${fields.toString()}`)
    const key = { organization_id: 0, principal: "browser", route: "form", key: content }
    const owner = yield* newToken("form")

    const settle = Effect.fnUntraced(function* (exit: Exit.Exit<Response, E>) {
      if (Exit.isFailure(exit) || exit.value.status >= 400) return yield* repo.release(key, owner)
      const { status } = exit.value
      yield* repo.answer(key, owner, { status, headers: {}, body: yield* Effect.orDie(bodyOf(exit.value)) })
    })

    const attempt: Effect.Effect<Response, E, R> = Effect.gen(function* () {
      const reserved = yield* repo.reserve(key, content, { owner, operation: owner }, kept_seconds)
      if (Option.isSome(reserved)) return yield* Effect.onExit(repo.whileRenewed(key, owner, work), settle)
      const answer = Option.getOrNull(yield* repo.find(key))?.answer ?? null
      if (answer === "lost") return seeOther(path)
      if (answer !== null) return yield* Effect.orDie(answerIn(answer.status, answer.body))
      // The lease of a process that crashed expires, so this repetition ends.
      return yield* Effect.delay(attempt, look_again)
    })

    // A second click makes the browser give up the first request, whose work goes on all the same.
    return yield* Effect.flatMap(Effect.forkIn(attempt, scope), Fiber.join)
  })
})
