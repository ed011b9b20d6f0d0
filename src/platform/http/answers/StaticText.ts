import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { tagOf, unlessKnown } from "./EntityTags.ts"

/** A text that stays the same while the process runs, plain and compressed. */
interface StaticText {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly contentType: string
  readonly headers: { readonly etag: string; readonly [header: string]: string }
}

export const staticText = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {}
): StaticText => ({
  plain: Buffer.from(text),
  gzip: gzipSync(text),
  contentType,
  headers: {
    etag: `W/${tagOf(text)}`,
    "cache-control": "no-cache",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    ...headers
  }
})

/** Sends the text, compressed if the client accepts that, or 304 if the client has the text already. */
export const answerStatic = ({ contentType, gzip, headers, plain }: StaticText) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: asked }) =>
    unlessKnown(asked, headers, () => {
      const isCompressed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(asked["accept-encoding"] ?? "")
      return HttpServerResponse.uint8Array(isCompressed ? gzip : plain, {
        contentType,
        headers: isCompressed ? { ...headers, "content-encoding": "gzip" } : headers
      })
    })
  )
