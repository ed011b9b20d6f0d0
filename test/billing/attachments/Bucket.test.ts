import { Option, Redacted } from "effect"
import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { startS3 } from "../../platform/storage/Stores.ts"
import { pdf } from "./Files.ts"
import { useAttachments } from "./Uploading.ts"

const s3 = await startS3()
if (s3 === undefined) console.warn("SKIPPED: @20minutes/s3rver is not installed, so no S3 server was tested.")

const { attachments, open, spooledFiles, upload } = useAttachments(
  s3 === undefined
    ? {}
    : {
        storageUrl: Option.some(new URL(`s3://objects?endpoint=http://127.0.0.1:${s3.port}`)),
        storageCredentials: Option.some({
          accessKeyId: "S3RVER",
          secretAccessKey: Redacted.make("S3RVER"),
          sessionToken: Option.none()
        })
      }
)

const objects = () =>
  readdirSync(s3?.kept ?? ".", { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{32}/.test(name))

describe.skipIf(s3 === undefined)("attachments with STORAGE_URL", () => {
  it("are stored in the bucket, come back to the byte, and leave it when they are deleted", async () => {
    const books = await open()
    const { id } = await books.draft()
    const big = Buffer.concat([pdf, Buffer.alloc(5_000_000, " ")])
    const answer = await upload(books, id, { name: "big.pdf", bytes: big })
    expect(answer.status).toBe(201)
    expect(objects().length).toBeGreaterThan(0)
    const file = await attachments.download(books, id, answer.body.data.id)
    expect([file.status, file.headers.get("content-length"), file.bytes.equals(big)]).toEqual([
      200,
      String(big.length),
      true
    ])
    expect((await attachments.remove(books, id, answer.body.data.id)).status).toBe(200)
    expect(objects()).toEqual([])
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })

  it("are 503 while the bucket cannot be reached, and no row is left of them", async () => {
    const books = await open()
    const { id } = await books.draft()
    const kept = (await upload(books, id, { name: "a.pdf", bytes: pdf })).body.data.id
    await s3?.close()
    const refused = await upload(books, id, { name: "b.pdf", bytes: pdf })
    expect([refused.status, refused.body.code]).toEqual([503, "storage_unavailable"])
    expect((await attachments.download(books, id, kept)).status).toBe(503)
    expect((await attachments.list(books, id)).body.meta.total).toBe(1)
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })
})
