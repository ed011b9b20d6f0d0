import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { isKnown } from "./EntityTags.ts"

/** A text that stays the same while the process runs, plain and compressed. */
interface StaticText {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly headers: Readonly<Record<string, string>>
}

export const staticText = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {}
): StaticText => ({
  plain: Buffer.from(text),
  gzip: gzipSync(text),
  headers: {
    "content-type": contentType,
    etag: `W/"${createHash("sha256").update(text).digest("base64url")}"`,
    "cache-control": "no-cache",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    ...headers
  }
})

/** Sends the text, compressed if the client accepts that, or 304 if the client has the text already. */
export const answerStatic = ({ gzip, headers, plain }: StaticText) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: asked }) => {
    const { "content-type": contentType, ...others } = headers
    if (isKnown(asked, headers["etag"] ?? "")) {
      return HttpServerResponse.empty({ status: 304, headers: others })
    }
    const isCompressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(asked["accept-encoding"] ?? "")
    return HttpServerResponse.uint8Array(isCompressed ? gzip : plain, {
      contentType: contentType ?? "text/plain",
      headers: isCompressed ? { ...others, "content-encoding": "gzip" } : others
    })
  })
