import { NodeHttpServer } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { createServer, request, type IncomingHttpHeaders } from "node:http"
import { gunzipSync } from "node:zlib"
import { docsPage } from "../../../src/platform/http/DocsPage.ts"

class Quotes extends HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.get("get", "/api/v1/quotes/:id", { params: { id: Schema.String }, success: Schema.String })
) {}
const Api = HttpApi.make("test").add(Quotes)

const server = createServer()
const Server = HttpRouter.serve(
  docsPage(() => ({ ...OpenApi.fromApi(Api) })),
  { disableListenLog: true, disableLogger: true }
).pipe(Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Does not use fetch, which would decompress the answer. */
const get = (headers: Record<string, string> = {}) =>
  Effect.callback<Answer>((resume) => {
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    request({ host: "127.0.0.1", port, path: "/docs", headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => {
        const { headers, statusCode: status } = response
        resume(Effect.succeed({ status, headers, body: Buffer.concat(chunks) }))
      })
    }).end()
  })

describe("GET /docs", () => {
  it.live("answers one page with the contract that loads nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* get()
      const page = body.toString("utf8")
      expect(status).toBe(200)
      expect(headers["content-type"]).toBe("text/html; charset=utf-8")
      expect(page).toContain("/api/v1/quotes/{id}")
      expect(page).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=/i)
    }).pipe(Effect.provide(Server))
  )

  it.live("lets exactly its own scripts run and reach only this server", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* get()
      const policy = String(headers["content-security-policy"])
      const scripts = [...body.toString("utf8").matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
      const hashes = scripts.map(
        ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
      )
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain(`script-src ${hashes.join(" ")};`)
      expect(policy).toContain("connect-src 'self'")
      expect(scripts).toHaveLength(2)
    }).pipe(Effect.provide(Server))
  )

  it.live("compresses for clients that accept it", () =>
    Effect.gen(function* () {
      const plain = yield* get()
      const small = yield* get({ "accept-encoding": "br, gzip" })
      expect(small.headers["content-encoding"]).toBe("gzip")
      expect(small.body.length).toBeLessThan(1_000_000)
      expect(gunzipSync(small.body).equals(plain.body)).toBe(true)
      expect(plain.headers["content-encoding"]).toBeUndefined()
      expect((yield* get({ "accept-encoding": "gzip;q=0" })).headers["content-encoding"]).toBeUndefined()
    }).pipe(Effect.provide(Server))
  )

  it.live("answers 304 to a client that has the page already", () =>
    Effect.gen(function* () {
      const { headers } = yield* get()
      const again = yield* get({ "if-none-match": String(headers.etag) })
      expect(again.status).toBe(304)
      expect(again.body).toHaveLength(0)
      expect((yield* get({ "if-none-match": 'W/"other"' })).status).toBe(200)
    }).pipe(Effect.provide(Server))
  )
})
