import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { formWithFiles } from "../../../src/platform/http/Upload.ts"

const kib = 1024

/** Reads a form with a file of this size, in the middle of two texts. */
const read = (size: number) => {
  const body = new FormData()
  body.set("csrf", "x.y")
  body.set("logo", new Blob([new Uint8Array(size)], { type: "image/png" }), "logo.png")
  body.set("name", "Acme")
  return formWithFiles(HttpServerRequest.fromWeb(new Request("http://localhost/", { method: "POST", body })))
}

const bytesIn = (url: string | null) => Buffer.from(url?.split(",", 2)[1] ?? "", "base64").length

describe("a form of a page with a file", () => {
  it.effect("has the whole file if a page may accept it", () =>
    Effect.gen(function* () {
      const fields = yield* read(512 * kib)
      assert.match(fields.get("logo") ?? "", /^data:image\/png;base64,/)
      assert.strictEqual(bytesIn(fields.get("logo")), 512 * kib)
      assert.strictEqual(fields.get("name"), "Acme")
    })
  )

  it.effect("holds only the beginning of a larger file in memory, which is still too large for every page", () =>
    Effect.gen(function* () {
      const fields = yield* read(9 * 1024 * kib)
      assert.strictEqual(bytesIn(fields.get("logo")), 600 * kib)
      assert.deepStrictEqual([fields.get("csrf"), fields.get("name")], ["x.y", "Acme"])
    })
  )
})
