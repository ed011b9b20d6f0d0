import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { PreconditionFailed } from "../../kernel/Refusal.ts"
import { RequestFacts } from "./Security.ts"

const tagOf = (version: number) => `"v${version}"`

/** Fails with 412 when `If-Match` names another version than the record has (RFC 9110, 13.1.1). */
export const requireVersion = Effect.fnUntraced(function* (version: number) {
  const { if_match } = yield* RequestFacts
  if (if_match === undefined || if_match.trim() === "*") return
  const tags = if_match.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  if (!tags.includes(tagOf(version))) return yield* PreconditionFailed.of(version)
})

/** Sends the version of the record that a handler answers with as its `ETag`. */
export const withETag = <A extends { readonly version: number }, E, R>(record: Effect.Effect<A, E, R>) =>
  Effect.tap(record, ({ version }) =>
    HttpEffect.appendPreResponseHandler((_request, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "etag", tagOf(version)))
    )
  )
