import { Effect } from "effect"
import { createHash } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { BlobKey, BlobStore } from "../../../src/platform/storage/BlobStore.ts"
import { locked_bucket, openDisk, openS3, recordingS3, startS3 } from "./Stores.ts"

const s3 = await startS3()
if (s3 === undefined) console.warn("SKIPPED: @20minutes/s3rver is not installed, so no S3 server was tested.")

const disk = openDisk()
const real = s3 === undefined ? undefined : openS3(s3.port, undefined, s3.kept, s3.close)
afterAll(() => Promise.all([disk.close(), real?.close()]))

const locks = Effect.flatMap(BlobStore, (store) => store.locks)
const unavailable = { _tag: "StorageUnavailable" }

describe("a bucket", () => {
  it.each([
    ["with Object Lock locks", 200, locked_bucket, true],
    [
      "without Object Lock locks nothing",
      404,
      "<Error><Code>ObjectLockConfigurationNotFoundError</Code></Error>",
      false
    ],
    ["that never heard of it locks nothing", 501, "<Error><Code>NotImplemented</Code></Error>", false],
    ["that answers something else locks nothing", 200, "<ListBucketResult/>", false]
  ])("%s, and is asked once", async (_name, status, content, expected) => {
    const server = await recordingS3({ GET: status }, { content })
    const store = openS3(server.port)
    expect(await store.run(locks)).toBe(expected)
    const asked = server.received.length
    expect(server.received[0]).toMatchObject({ method: "GET", url: "/objects?object-lock" })
    expect(await store.run(locks)).toBe(expected)
    expect(server.received).toHaveLength(asked)
    await store.close()
    await server.close()
  })

  it.each([
    [403, ""],
    [500, ""],
    [404, "<Error><Code>NoSuchBucket</Code></Error>"]
  ])("that answers %i %s does not say whether it locks, and is asked again", async (status, content) => {
    const server = await recordingS3({ GET: status }, { content })
    const store = openS3(server.port)
    expect(await store.run(Effect.flip(locks))).toMatchObject(unavailable)
    const asked = server.received.length
    expect(await store.run(Effect.flip(locks))).toMatchObject(unavailable)
    expect(server.received.length).toBeGreaterThan(asked)
    await store.close()
    await server.close()
  })

  it.skipIf(real === undefined)("of a real server without Object Lock locks nothing", async () => {
    expect(await real?.run(locks)).toBe(false)
  })
})

describe("the lock of a stored object", () => {
  const [earlier, later] = ["2030-01-01T00:00:00.000Z", "2040-01-01T00:00:00.000Z"]
  const key = BlobKey.make("archive/1/ab/abcd")
  const retain = Effect.flatMap(BlobStore, (store) => store.retain(key, later))

  const asked = async (until: string | undefined) => {
    const headers = until === undefined ? {} : { "x-amz-object-lock-retain-until-date": until }
    const server = await recordingS3({ HEAD: 200 }, { headers })
    const store = openS3(server.port)
    await store.run(retain)
    await store.close()
    await server.close()
    return server.received.filter(({ method }) => method === "PUT")
  }

  it.each([earlier, undefined])("that ends at %s is extended", async (until) => {
    const [put] = await asked(until)
    expect(put).toMatchObject({
      url: "/objects/live/archive/1/ab/abcd?retention",
      headers: {
        "x-amz-checksum-sha256": createHash("sha256")
          .update(put?.body ?? "")
          .digest("base64")
      }
    })
    expect(put?.body.toString()).toContain(
      `<Mode>COMPLIANCE</Mode><RetainUntilDate>${later}</RetainUntilDate></Retention>`
    )
  })

  it("that already lasts longer is left alone", async () => {
    expect(await asked("2041-01-01T00:00:00Z")).toEqual([])
  })

  it("that cannot be extended is an outage", async () => {
    const server = await recordingS3({ HEAD: 200, PUT: 403 })
    const store = openS3(server.port)
    expect(await store.run(Effect.flip(retain))).toMatchObject(unavailable)
    await store.close()
    await server.close()
  })
})

describe("a folder", () => {
  it("locks nothing", async () => {
    expect(await disk.run(locks)).toBe(false)
  })
})
