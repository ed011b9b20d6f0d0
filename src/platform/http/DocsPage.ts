import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { answerStatic, staticText } from "./StaticText.ts"

/**
 * Serves the API reference (Scalar) with the contract in it at `GET /docs`. Page, script and contract are one answer of
 * 0.9 MB compressed, and a browser that has it only asks whether it changed.
 */
export const docsPage = (document: () => Record<string, unknown>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const docs = yield* Effect.cached(Effect.map(reference(document), page))
      yield* router.add("GET", "/docs", Effect.flatMap(docs, answerStatic))
    })
  )

/**
 * Runs Effect's Scalar route, because its HTML is not exported in any other way. The route takes a contract, so the
 * document replaces that of an empty one.
 */
const reference = (document: () => Record<string, unknown>) =>
  Effect.gen(function* () {
    const api = HttpApi.make("reference").annotate(OpenApi.Transform, document)
    const route = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(api, { path: "/docs", scalar: scalar_options }))
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
    const response = yield* Effect.provideService(route, HttpServerRequest.HttpServerRequest, request)
    return yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  }).pipe(Effect.scoped, Effect.orDie)

/** Scalar would load its default fonts from its own servers. */
const scalar_options = { withDefaultFonts: false }

const page = (html: string) =>
  staticText(html, "text/html; charset=utf-8", {
    "content-security-policy": contentSecurityPolicy(html),
    "referrer-policy": "no-referrer"
  })

/** Only the scripts of this page run, and they reach only this server. Scalar styles its elements inline. */
const contentSecurityPolicy = (html: string) => {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${sha256(script)}'`
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

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64")
