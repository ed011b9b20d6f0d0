import { Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import { envelopedSignature } from "../../../src/platform/crypto/signatures/XmlSignature.ts"
import { signedMessage } from "../../../src/platform/documents/XmlBytes.ts"
import { isCoded } from "../../../src/platform/http/edge/RequestBody.ts"

/** A regular expression that takes quadratic time needs many seconds for these texts. */
const ms_max = 1_000

const blank = "\u00a0"

describe("a text that a stranger sends", () => {
  it.each([
    [
      "XML with a comment about signatures",
      () => Option.isSome(envelopedSignature(`<Invoice><!-- ${"<Signature ".repeat(100_000)} --></Invoice>`))
    ],
    ["a file that almost is base64", () => Option.isSome(signedMessage(Buffer.from(`MI${" ".repeat(500_000)}!`)))],
    [
      "a header that begins with blanks",
      () => {
        const headers = { "content-encoding": `${blank.repeat(100_000)}a`, "content-length": "0" }
        return isCoded(HttpServerRequest.fromWeb(new Request("http://localhost", { method: "POST", headers })))
      }
    ]
  ])("takes linear time: %s", (_, read) => {
    const started = performance.now()
    expect(read()).toBe(false)
    expect(performance.now() - started).toBeLessThan(ms_max)
  })
})
