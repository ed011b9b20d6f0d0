import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Schema, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { BlobKey, BlobStore } from "../../../src/platform/storage/BlobStore.ts"
import { blobStoreDisk } from "../../../src/platform/storage/BlobStoreDisk.ts"
import { openDisk, openS3, put, recordingS3, someKey, startS3, tagOf } from "./Stores.ts"

const s3 = await startS3()
if (s3 === undefined) console.warn("SKIPPED: @20minutes/s3rver is not installed, so no S3 server was tested.")

const disk = openDisk()
const bucket = s3 === undefined ? undefined : openS3(s3.port, undefined, s3.kept, s3.close)
afterAll(() => Promise.all([disk.close(), bucket?.close()]))

const get = (key: BlobKey) =>
  Effect.gen(function* () {
    const { bytes, size } = yield* (yield* BlobStore).get(key)
    return { size, content: Buffer.concat(yield* Stream.runCollect(bytes)) }
  }).pipe(Effect.scoped)
const remove = (key: BlobKey) => Effect.flatMap(BlobStore, (store) => store.remove(key))

const mebibyte = 1024 * 1024

describe.each([
  ["a folder", disk],
  ["an S3 bucket", bucket]
] as const)("objects in %s", (_name, opened) => {
  const store = opened ?? disk
  const test = it.skipIf(opened === undefined)

  test.each([1, 65_535, 65_536, 65_537, 10 * mebibyte])("of %i bytes come back unchanged", async (size) => {
    const bytes = randomBytes(size)
    const key = someKey()
    await store.run(put(key, store.fileOf(bytes)))
    const found = await store.run(get(key))
    expect(found.size).toBe(size)
    expect(found.content.equals(bytes)).toBe(true)
  })

  test("are written once: a second write is refused and changes nothing", async () => {
    const key = someKey()
    await store.run(put(key, store.fileOf(Buffer.from("first"))))
    expect(tagOf(await store.exit(put(key, store.fileOf(Buffer.from("second")))))).toBe("BlobExists")
    expect((await store.run(get(key))).content.toString()).toBe("first")
  })

  test("are missing before they are written and after they are removed, which may be repeated", async () => {
    const key = someKey()
    expect(tagOf(await store.exit(get(key)))).toBe("BlobMissing")
    await store.run(remove(key))
    const before = store.files()
    await store.run(put(key, store.fileOf(Buffer.from("here"))))
    await store.run(remove(key))
    await store.run(remove(key))
    expect(tagOf(await store.exit(get(key)))).toBe("BlobMissing")
    expect(store.files()).toEqual(before)
  })

  test("can be read to the end by a reader that opened them before they were removed", async () => {
    const content = randomBytes(mebibyte)
    const key = someKey()
    await store.run(put(key, store.fileOf(content)))
    const found = Effect.gen(function* () {
      const { bytes } = yield* (yield* BlobStore).get(key)
      yield* remove(key)
      return Buffer.concat(yield* Stream.runCollect(bytes))
    })
    expect((await store.run(Effect.scoped(found))).equals(content)).toBe(true)
    expect(tagOf(await store.exit(get(key)))).toBe("BlobMissing")
  })

  test("of many simultaneous writers do not mix", async () => {
    const keys = Array.from({ length: 40 }, someKey)
    await Promise.all(keys.map((key, index) => store.run(put(key, store.fileOf(Buffer.from(`${index}`))))))
    const found = await Promise.all(keys.map((key) => store.run(get(key))))
    expect(found.map(({ content }) => content.toString())).toEqual(keys.map((_, index) => `${index}`))
  })

  test("whose source vanished are reported as an outage, and leave nothing behind", async () => {
    const before = store.files()
    const file = store.fileOf(Buffer.from("gone"))
    rmSync(file.path)
    expect(tagOf(await store.exit(put(someKey(), file)))).toBe("StorageUnavailable")
    expect(store.files()).toEqual(before)
  })
})

describe("a key", () => {
  const valid = Schema.is(BlobKey)

  it("consists of harmless words, and differs each time", () => {
    const keys = Array.from({ length: 1000 }, someKey)
    expect(new Set(keys).size).toBe(1000)
    for (const key of keys) expect(key).toMatch(/^attachments\/7\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
    for (const key of ["a", "/a/b", "a//b", "a/../b", "a/./b", "a/b/", "A/b", "a/b c", "a/b\0", "a/é", "a\\b/c"]) {
      expect([key, valid(key)]).toEqual([key, false])
    }
  })
})

describe("a folder", () => {
  it("keeps the content of the first of several writes to one name", async () => {
    const key = someKey()
    const exits = await Promise.all(
      Array.from({ length: 12 }, (_, index) => disk.exit(put(key, disk.fileOf(Buffer.from(`writer ${index}`)))))
    )
    const winners = exits.flatMap((exit, index) => (Exit.isSuccess(exit) ? [index] : []))
    expect(winners).toHaveLength(1)
    expect(exits.map(tagOf).filter((tag) => tag === "BlobExists")).toHaveLength(11)
    expect((await disk.run(get(key))).content.toString()).toBe(`writer ${winners[0]}`)
  })

  it("lets only its owner read an object, and does not let anybody write it", async () => {
    const before = new Set(disk.files())
    const source = disk.fileOf(Buffer.from("private"))
    await disk.run(put(someKey(), source))
    rmSync(source.path)
    const [file = ""] = disk.files().filter((name) => !before.has(name))
    expect(statSync(file).mode & 0o777).toBe(0o400)
    expect(statSync(file).nlink).toBe(1)
  })

  it("on another file system than the file gets a copy of it, and leaves nothing incomplete", async () => {
    const apart = openDisk({ apart: true })
    const key = someKey()
    const source = apart.fileOf(randomBytes(mebibyte))
    await apart.run(put(key, source))
    expect(tagOf(await apart.exit(put(key, source)))).toBe("BlobExists")
    const files = apart.files()
    expect(files).toHaveLength(1)
    expect(statSync(files[0] ?? "").ino).not.toBe(statSync(source.path).ino)
    expect((await apart.run(get(key))).content.equals(readFileSync(source.path))).toBe(true)
    await apart.close()
  })

  it("is cleared at the start of incomplete files of a killed process, and of nothing else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "invoicing-leftovers-"))
    const incoming = join(folder, "incoming")
    mkdirSync(incoming)
    for (const name of ["old", "young"]) writeFileSync(join(incoming, name), name)
    const two_hours_ago = Date.now() / 1000 - 2 * 60 * 60
    utimesSync(join(incoming, "old"), two_hours_ago, two_hours_ago)
    const started = Layer.build(blobStoreDisk(folder).pipe(Layer.provide(NodeServices.layer)))
    await Effect.runPromise(Effect.scoped(started))
    expect(readdirSync(incoming)).toEqual(["young"])
    rmSync(folder, { recursive: true })
  })
})

describe("an S3 bucket", () => {
  it("receives length, checksum, signature and a condition with each write, and a lock on request", async () => {
    const server = await recordingS3()
    const store = openS3(server.port)
    const file = store.fileOf(Buffer.from("evidence"))
    const key = someKey()
    await store.run(
      Effect.flatMap(BlobStore, ({ put }) => put(key, file, { retain_until: "2036-01-01T00:00:00.000Z" }))
    )
    await store.run(put(someKey(), file))
    const [head, locked, , plain] = server.received
    expect([head?.method, head?.url]).toEqual(["HEAD", `/objects/live/${key}`])
    expect(locked).toMatchObject({
      method: "PUT",
      url: `/objects/live/${key}`,
      body: Buffer.from("evidence"),
      headers: {
        "content-length": "8",
        "if-none-match": "*",
        "x-amz-content-sha256": file.sha256,
        "x-amz-checksum-sha256": Buffer.from(file.sha256, "hex").toString("base64"),
        "x-amz-object-lock-mode": "COMPLIANCE",
        "x-amz-object-lock-retain-until-date": "2036-01-01T00:00:00.000Z"
      }
    })
    expect(locked?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/eu-west-1\/s3\//)
    expect(locked?.headers.authorization).toContain("x-amz-object-lock-mode")
    expect(Object.keys(plain?.headers ?? {}).filter((name) => name.includes("object-lock"))).toEqual([])
    await store.close()
    await server.close()
  })

  it("that answers 412 to the condition says that the object exists", async () => {
    const server = await recordingS3({ PUT: 412 })
    const store = openS3(server.port)
    expect(tagOf(await store.exit(put(someKey(), store.fileOf(Buffer.from("x")))))).toBe("BlobExists")
    await store.close()
    await server.close()
  })

  it("whose connection is lost before an answer is retried, twice at most", async () => {
    const content = randomBytes(100_000)
    for (const { asked, lost, outcome } of [
      { lost: [1], asked: ["HEAD", "HEAD", "PUT"], outcome: undefined },
      { lost: [2, 3], asked: ["HEAD", "PUT", "PUT", "PUT"], outcome: undefined },
      { lost: [2, 3, 4], asked: ["HEAD", "PUT", "PUT", "PUT"], outcome: "StorageUnavailable" }
    ]) {
      const server = await recordingS3({}, { lost })
      const store = openS3(server.port)
      expect(tagOf(await store.exit(put(someKey(), store.fileOf(content))))).toBe(outcome)
      expect(server.received.map(({ method }) => method)).toEqual(asked)
      expect(server.received.at(-1)?.body.equals(content)).toBe(true)
      await store.close()
      await server.close()
    }
    for (const request of [get, remove]) {
      const server = await recordingS3({}, { lost: [1] })
      const store = openS3(server.port)
      expect(tagOf(await store.exit(request(someKey())))).not.toBe("StorageUnavailable")
      expect(server.received).toHaveLength(2)
      await store.close()
      await server.close()
    }
  })

  it("that stored a write and lost its answer accepts the retry with the same content", async () => {
    const content = randomBytes(100_000)
    const checksum = createHash("sha256").update(content).digest("base64")
    for (const [stored, outcome] of [
      [checksum, undefined],
      ["another", "BlobExists"]
    ] as const) {
      const server = await recordingS3({ PUT: 412 }, { headers: { "x-amz-checksum-sha256": stored } })
      const store = openS3(server.port)
      expect(tagOf(await store.exit(put(someKey(), store.fileOf(content))))).toBe(outcome)
      const [, written, asked] = server.received
      expect(written?.body.equals(content)).toBe(true)
      expect([asked?.method, asked?.headers["x-amz-checksum-mode"]]).toEqual(["HEAD", "ENABLED"])
      await store.close()
      await server.close()
    }
  })

  it("that cannot be reached, refuses or fails is reported as an outage", async () => {
    for (const status of [403, 500]) {
      const server = await recordingS3({ HEAD: status, GET: status, DELETE: status })
      const store = openS3(server.port)
      const file = store.fileOf(Buffer.from("x"))
      const exits = [
        await store.exit(put(someKey(), file)),
        await store.exit(get(someKey())),
        await store.exit(remove(someKey()))
      ]
      expect(exits.map(tagOf)).toEqual(exits.map(() => "StorageUnavailable"))
      await store.close()
      await server.close()
    }
    const nobody = await recordingS3()
    await nobody.close()
    const store = openS3(nobody.port)
    expect(tagOf(await store.exit(get(someKey())))).toBe("StorageUnavailable")
    await store.close()
  })

  it("that does not exist is an outage, and not a loss of its objects", async () => {
    for (const [code, read, removed] of [
      ["NoSuchBucket", "StorageUnavailable", "StorageUnavailable"],
      ["NoSuchKey", "BlobMissing", undefined]
    ]) {
      const content = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`
      const server = await recordingS3({ GET: 404, DELETE: 404, PUT: 404 }, { content })
      const store = openS3(server.port)
      expect([code, tagOf(await store.exit(get(someKey())))]).toEqual([code, read])
      expect([code, tagOf(await store.exit(remove(someKey())))]).toEqual([code, removed])
      expect(tagOf(await store.exit(put(someKey(), store.fileOf(Buffer.from("x")))))).toBe("StorageUnavailable")
      await store.close()
      await server.close()
    }
  })

  it("reports where its bytes are", async () => {
    const store = openS3(9000)
    const place = { bucket: "objects", account: "127.0.0.1:9000", region: "eu-west-1" }
    expect(await store.run(Effect.map(BlobStore, (blobs) => blobs.place))).toEqual(place)
    await store.close()
  })

  it.skipIf(s3 === undefined)("with another secret refuses the signature", async () => {
    const store = openS3(s3?.port ?? 0, "WRONG")
    expect(tagOf(await store.exit(get(someKey())))).toBe("StorageUnavailable")
    await store.close()
  })
})
