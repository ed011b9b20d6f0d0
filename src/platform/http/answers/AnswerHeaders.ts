import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"

/** Adds headers to the answer of the request, also if it is a refusal. */
export const withHeaders = (headers: Record<string, string>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )

export const retryAfter = (seconds: number) => withHeaders({ "retry-after": String(seconds) })
