import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { openS3, put, recordingS3, someKey, tagOf } from "./Stores.ts"

const mebibyte = 1024 * 1024

describe("an S3 bucket", () => {
  it("has a second for each mebibyte of a write, in addition to the 20 seconds of each request", async () => {
    for (const [mebibytes, outcome] of [
      [1, "StorageUnavailable"],
      [10, undefined]
    ] as const) {
      const writable = Promise.withResolvers<void>()
      const server = await recordingS3({}, { writable: writable.promise })
      const store = openS3(server.port)
      const file = store.fileOf(randomBytes(mebibytes * mebibyte))
      const late = Effect.gen(function* () {
        const writing = yield* Effect.forkChild(put(someKey(), file))
        yield* Effect.promise(() => expect.poll(() => server.received.length, { timeout: 10_000 }).toBe(2))
        yield* TestClock.adjust("25 seconds")
        writable.resolve()
        yield* Fiber.join(writing)
      }).pipe(Effect.provide(TestClock.layer()))
      expect(tagOf(await store.exit(late))).toBe(outcome)
      await store.close()
      await server.close()
    }
  })

  it("is not sent a file that is larger than S3 accepts", async () => {
    const server = await recordingS3()
    const store = openS3(server.port)
    const file = { ...store.fileOf(Buffer.from("x")), size: 5 * 1024 * mebibyte + 1 }
    expect(tagOf(await store.exit(put(someKey(), file)))).toBe("StorageUnavailable")
    expect(server.received.map(({ method }) => method)).toEqual(["HEAD"])
    await store.close()
    await server.close()
  })
})
