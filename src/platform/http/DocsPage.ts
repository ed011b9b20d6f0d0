import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"

/**
 * Serves the API reference (Scalar) with the contract in it at `GET /docs`. Page, script and contract are one answer of
 * 0.9 MB compressed, and a browser that has it only asks whether it changed.
 */
export const docsPage = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const page = yield* Effect.cached(Effect.map(reference(api), compress))
      yield* router.add(
        "GET",
        "/docs",
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          return answer(yield* page, headers["if-none-match"], headers["accept-encoding"])
        })
      )
    })
  )

/** Runs Effect's Scalar route, because its HTML is not exported in any other way. */
const reference = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  Effect.gen(function* () {
    const route = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: "/docs", scalar: scalar_options }))
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    const response = yield* Effect.provideService(route, HttpServerRequest.HttpServerRequest, request)
    return yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  }).pipe(Effect.scoped, Effect.orDie)

/** Scalar would load its default fonts from its own servers. */
const scalar_options = { withDefaultFonts: false }

const compress = (html: string) => ({
  plain: Buffer.from(html),
  gzip: gzipSync(html),
  etag: `W/"${sha256(html, "base64url")}"`,
  policy: contentSecurityPolicy(html)
})

/** Only the scripts of this page run, and they reach only this server. Scalar styles its elements inline. */
const contentSecurityPolicy = (html: string) => {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${sha256(script, "base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

const sha256 = (text: string, encoding: "base64" | "base64url") => createHash("sha256").update(text).digest(encoding)

const answer = (page: ReturnType<typeof compress>, known: string | undefined, encodings = "") => {
  const headers = {
    etag: page.etag,
    "cache-control": "no-cache",
    vary: "accept-encoding",
    "content-security-policy": page.policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer"
  }
  if (known?.includes(page.etag)) return HttpServerResponse.empty({ status: 304, headers })
  const compressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(encodings)
  return HttpServerResponse.uint8Array(compressed ? page.gzip : page.plain, {
    contentType: "text/html; charset=utf-8",
    headers: compressed ? { ...headers, "content-encoding": "gzip" } : headers
  })
}
