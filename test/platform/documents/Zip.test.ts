import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { zipped } from "../../../src/platform/documents/Zip.ts"
import { unzipped } from "../../support/files/ZipReader.ts"

const read = async (entries: Parameters<typeof zipped<never>>[0]) =>
  unzipped(await Effect.runPromise(Stream.mkUint8Array(zipped(entries))))

const modified_at = "2026-03-01T10:00:00.000Z"
const encoder = new TextEncoder()

describe("a ZIP", () => {
  it("holds more than 65,535 entries, for a reader that supports ZIP64", async () => {
    const count = 70_000
    const entries = Stream.map(Stream.range(1, count), (index) => {
      return { path: `objects/${index}`, modified_at, content: encoder.encode(String(index)) }
    })
    const found = await read(entries)
    expect(found.size).toBe(count)
    expect(found.get("objects/69999")?.toString()).toBe("69999")
  })

  it("holds streamed files, or no file at all", async () => {
    const piece = encoder.encode("piece ".repeat(10_000))
    const found = await read(
      Stream.make(
        { path: "a", modified_at, content: Stream.make(piece, piece) },
        { path: "b", modified_at, content: new Uint8Array(0) }
      )
    )
    expect(found.get("a")?.toString()).toBe("piece ".repeat(20_000))
    expect(found.get("b")?.length).toBe(0)
    expect((await read(Stream.empty)).size).toBe(0)
  })
})
