import { describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { pdf } from "./Files.ts"
import { useAttachments } from "./Uploading.ts"

const { app, attachments, open, storedFiles, upload } = useAttachments()

/** Returns a PDF file of this many bytes. */
const bytesOf = (length: number) => Buffer.concat([pdf, Buffer.alloc(length - pdf.length, "\n")])

describe("the storage quota", () => {
  it("refuses an attachment that exceeds it with 413, and stores nothing, until another one was removed", async () => {
    const books = await open({ settings: { stored_bytes_quota: 5_000 } })
    const { id } = await books.draft()
    const before = await storedFiles()
    const first = await upload(books, id, { name: "a.pdf", bytes: bytesOf(3_000) })
    expect(first.status).toBe(201)
    const { body, status } = await upload(books, id, { name: "b.pdf", bytes: bytesOf(2_001) })
    expect([status, body]).toMatchObject([
      413,
      { code: "storage_quota_exceeded", details: { quota_bytes: 5_000, stored_bytes: 3_000, file_bytes: 2_001 } }
    ])
    expect((await storedFiles()).length).toBe(before.length + 1)
    expect((await attachments.list(books, id)).body.meta.total).toBe(1)
    await attachments.remove(books, id, first.body.data.id)
    expect((await upload(books, id, { name: "c.pdf", bytes: bytesOf(5_000) })).status).toBe(201)
  })

  it("gives the last bytes to as many of eight concurrent attachments and receipts as fit", async () => {
    const books = await open({ settings: { stored_bytes_quota: 5_000 } })
    const { id } = await books.draft()
    const receipt = async (index: number) => {
      const form = new FormData()
      form.set("receipt", new Blob([Uint8Array.from(bytesOf(2_000 + index))]), "r.pdf")
      const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
      return fetch(`${app.url}/api/v1/expenses/upload-receipt`, { method: "POST", headers, body: form })
    }
    const answers = await race<{ readonly status: number }>(8, (index) =>
      index % 2 === 0 ? receipt(index) : upload(books, id, { name: "a.pdf", bytes: bytesOf(2_000) })
    )
    const { 413: refused = 0, ...stored } = statuses(answers)
    expect([refused, Object.values(stored).reduce((sum, count) => sum + count, 0)]).toEqual([6, 2])
  })
})
