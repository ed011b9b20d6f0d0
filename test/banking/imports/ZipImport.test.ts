import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect } from "effect"
import JSZip from "jszip"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { contentOf } from "../../../src/banking/imports/session/ImportForm.ts"

const folder = mkdtempSync(join(tmpdir(), "statement-"))
afterAll(() => rmSync(folder, { recursive: true }))

const stored = (bytes: Uint8Array) => {
  const path = join(folder, "statement")
  writeFileSync(path, bytes)
  return { path, size: bytes.length, sha256: "" }
}
const content = (file: Parameters<typeof contentOf>[0]) =>
  Effect.runPromise(contentOf(file).pipe(Effect.provide(NodeFileSystem.layer)))

describe("the content of a statement file", () => {
  it("is read here if the file is small, and left to a child process if it is a ZIP or large", async () => {
    const small = Buffer.from("Date;Amount\n2026-01-05;1,00\n")
    assert.deepEqual(await content(stored(small)), new Uint8Array(small))
    const large = stored(Buffer.alloc(70_000, "2026-01-05;1,00\n"))
    assert.equal(await content(large), large)
    const archive = new JSZip().file("large.csv", Buffer.alloc(20_000_000, "2026-01-05;1,00\n"))
    const bytes = await archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
    assert.isBelow(bytes.length, 64 * 1024)
    const bomb = stored(bytes)
    assert.equal(await content(bomb), bomb)
  })
})
