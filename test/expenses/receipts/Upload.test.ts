import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { statuses } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"
import { beginnings, nothing, receiptFile, useReceipts } from "./Uploading.ts"

const { app, filesOf, open, query, reader, spooled } = useReceipts()

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe("POST /api/v1/expenses/upload-receipt", () => {
  it("stores the file, a receipt and a job, and answers 202 with the URL to poll", async () => {
    const { id, kept, upload } = await open()
    const bytes = receiptFile(5_000)
    const { body, status } = await upload({ bytes, name: "../../Café 1.PDF" })
    expect(status).toBe(202)
    const { receipt_ref } = body.data
    expect(receipt_ref).toMatch(uuid)
    expect(body).toEqual({
      success: true,
      data: {
        receipt_ref,
        status: "processing",
        receipt_path: expect.stringMatching(new RegExp(`^receipts/${id}/\\d{4}/(0[1-9]|1[0-2])/${receipt_ref}\\.pdf$`)),
        expense_id: null,
        poll_url: `/api/v1/expenses/ocr/${receipt_ref}`
      }
    })
    expect(await kept()).toEqual({ rows: 1, files: 1, jobs: 1 })
    const [file = ""] = filesOf(id)
    expect(readFileSync(file)).toEqual(bytes)
    // The storage key contains nothing that a client sent.
    expect(file).toMatch(/objects\/receipts\/\d+\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
    const { entries } = await app.run(verifiedAuditLog(id))
    expect(entries.at(-1)).toMatchObject({
      action: "receipt.uploaded",
      data: { receipt_ref, file_name: "../../Café 1.PDF", file_size: 5_000 }
    })
  })

  it.each(Object.entries(beginnings))(
    "accepts %s by its content, whatever the name of its part is",
    async (kind, bytes) => {
      const { poll, upload } = await open()
      for (const part of ["receipt", "file", "document"]) {
        const { body, status } = await upload({ bytes, part, name: "scan.txt" })
        expect(status).toBe(202)
        expect(body.data.receipt_path.endsWith(`.${kind}`)).toBe(true)
        expect((await poll(body.data.receipt_ref)).status).toBe(202)
      }
    }
  )

  it.each([
    ["text", Buffer.from("Total 12.00")],
    ["XML that is no invoice", Buffer.from('<?xml version="1.0"?><Order><Invoice/></Order>')],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0")],
    ["a ZIP", Buffer.from("PK\x03\x04")],
    ["a script", Buffer.from("#!/bin/sh\nrm -rf /\n%PDF-1.7")],
    ["a sound", Buffer.concat([Buffer.from("RIFF"), Buffer.alloc(4), Buffer.from("WAVE")])],
    ["an AVIF", Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1avif", "latin1")],
    ["an AVIF that calls itself HEIF", Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0miafavif", "latin1")],
    ["a video", Buffer.concat([Buffer.alloc(4), Buffer.from("ftypmp42")])],
    ["a single byte", Buffer.from([0xff])]
  ])("answers 422 for %s, whatever its name, and stores nothing", async (_, bytes) => {
    const { kept, upload } = await open()
    const { body, status } = await upload({ bytes, name: "receipt.pdf" })
    expect(status).toBe(422)
    expect(body).toMatchObject({ success: false, code: "validation_failed" })
    expect(body.errors.receipt[0]).toContain("must be a file of type")
    expect(await kept()).toEqual(nothing)
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
  })

  it("answers 422 for HEIC without its decoder, and stores nothing", async () => {
    const { kept, upload } = await open()
    reader.readsHeic = false
    const { body, status } = await upload({ bytes: beginnings.heic })
    expect([status, body.errors]).toEqual([
      422,
      { receipt: ["The receipt field may not be HEIC here, which cannot be read; send it as JPEG."] }
    ])
    expect(await kept()).toEqual(nothing)
    expect((await upload({ bytes: beginnings.jpg })).status).toBe(202)
  })

  it("answers 422 for an empty file, no file, or two files", async () => {
    const { kept, send, upload } = await open()
    expect((await upload({ bytes: new Uint8Array() })).body.errors.receipt).toEqual([
      "The receipt field may not be empty."
    ])
    const none = new FormData()
    none.set("note", "none")
    for (const answer of [await send(none), await send("{}")]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors.receipt).toEqual(["The receipt field is required."])
    }
    const two = new FormData()
    for (const part of ["receipt", "picture"]) two.set(part, new Blob([receiptFile()]), "a.pdf")
    expect((await send(two)).status).toBe(422)
    expect(await kept()).toEqual(nothing)
  })

  it("accepts 10,240 KB, and answers 422 for one byte more", async () => {
    const { kept, upload } = await open()
    expect((await upload({ bytes: receiptFile(10 * 1024 * 1024) })).status).toBe(202)
    const { body, status } = await upload({ bytes: receiptFile(10 * 1024 * 1024 + 1) })
    expect(status).toBe(422)
    expect(body.errors.receipt).toEqual(["The receipt field may not be greater than 10240 kilobytes."])
    expect(await kept()).toEqual({ rows: 1, files: 1, jobs: 1 })
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
  })

  it("answers 422 for a file that is far too large, without storing any of it", async () => {
    const { kept, upload } = await open()
    const { body, status } = await upload({ bytes: receiptFile(30 * 1024 * 1024) })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["receipt"]])
    expect(await kept()).toEqual(nothing)
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
  })

  it("stores nothing when the client disconnects during an upload", async () => {
    const { kept, send } = await open()
    const stop = new AbortController()
    const endless = new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.from('--x\r\nContent-Disposition: form-data; name="receipt"; filename="a.pdf"\r\n\r\n'))
        stream.enqueue(receiptFile(100_000))
      }
    })
    const answer = send(
      endless,
      { "content-type": "multipart/form-data; boundary=x" },
      { duplex: "half", signal: stop.signal }
    )
    await expect.poll(spooled, { timeout: 60_000 }).toHaveLength(1)
    stop.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
    expect(await kept()).toEqual(nothing)
  })

  it("answers 400 for an incomplete form", async () => {
    const { kept, send } = await open()
    const headers = { "content-type": "multipart/form-data; boundary=x" }
    const cut = '--x\r\nContent-Disposition: form-data; name="receipt"; filename="a.pdf"\r\n\r\n%PDF-1.7'
    const withoutHeader = "--x\r\n\r\n--x--"
    for (const form of [cut, withoutHeader]) {
      const { body, status } = await send(form, headers)
      expect([status, body.code]).toEqual([400, "malformed_multipart"])
    }
    expect(await kept()).toEqual(nothing)
  })

  it("accepts file names of any kind", async () => {
    const { id, upload } = await open()
    const names = ["a\u202efdp.exe", "x".repeat(400), "\u{1f9fe}.pdf", ".", "CON", "a\tb", "%0d%0aX: y.pdf"]
    for (const name of names) expect((await upload({ name })).status).toBe(202)
    const rows = await query(
      (sql) => sql<{ file_name: string }>`
      select file_name from receipts where organization_id = ${id} order by id`
    )
    expect(rows.map(({ file_name }) => file_name)).toEqual([
      "afdp.exe",
      "x".repeat(255),
      "\u{1f9fe}.pdf",
      ".",
      "CON",
      "ab",
      "X: y.pdf"
    ])
  })
})

describe("the storage quota", () => {
  it("answers 413 for a file that exceeds it, counts attachments, too, and stores nothing", async () => {
    const { call, id, kept, owner, upload } = await open({ settings: { stored_bytes_quota: 3_000 } })
    expect((await upload({ bytes: receiptFile(1_000) })).status).toBe(202)
    const customer = await call("POST", "/customers", { name: "Beta" })
    const invoice = await call("POST", "/invoices", {
      customer_id: customer.body.data.id,
      issue_date: "2026-03-01",
      due_date: "2026-03-31",
      currency: "EUR",
      items: [{ description: "Consulting", unit_price: 100 }]
    })
    const form = new FormData()
    form.set("file", new Blob([receiptFile(1_500)]), "a.pdf")
    const attached = await fetch(`${app.url}/api/v1/invoices/${invoice.body.data.id}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) },
      body: form
    })
    expect(attached.status).toBe(201)
    const { body, status } = await upload({ bytes: receiptFile(501) })
    expect(status).toBe(413)
    expect(body).toMatchObject({
      success: false,
      code: "storage_quota_exceeded",
      details: { quota_bytes: 3_000, stored_bytes: 2_500, file_bytes: 501 }
    })
    expect(await kept()).toEqual({ rows: 1, files: 1, jobs: 1 })
    expect((await upload({ bytes: receiptFile(500) })).status).toBe(202)
  })

  it("is checked before the size, so that a file over both limits is answered with 413", async () => {
    const { kept, upload } = await open({ settings: { stored_bytes_quota: 10 * 1024 * 1024 } })
    const bytes = receiptFile(10 * 1024 * 1024 + 1)
    const { body, status } = await upload({ bytes })
    expect([status, body.code, body.details.file_bytes]).toEqual([413, "storage_quota_exceeded", bytes.length])
    expect((await upload({ bytes: receiptFile(30 * 1024 * 1024) })).status).toBe(413)
    expect(await kept()).toEqual(nothing)
    await expect.poll(spooled, { timeout: 60_000 }).toEqual([])
  })

  it("gives the last bytes to one of eight concurrent uploads", async () => {
    const { kept, upload } = await open({ settings: { stored_bytes_quota: 5_000 } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload({ bytes: receiptFile(2_000) })))
    expect(statuses(answers)).toEqual({ 202: 2, 413: 6 })
    expect(await kept()).toEqual({ rows: 2, files: 2, jobs: 2 })
  })
})

describe("an upload in an outage", () => {
  it("answers 503 with Retry-After while images cannot be read, and stores nothing", async () => {
    const { kept, upload } = await open()
    reader.isAvailable = false
    const image = { bytes: beginnings.jpg, headers: { "idempotency-key": "one" } }
    const { body, headers, status } = await upload(image)
    expect([status, body.code]).toEqual([503, "ocr_unavailable"])
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await kept()).toEqual(nothing)
    // These files may contain their text, so that they can be read nevertheless.
    for (const bytes of [beginnings.xml, beginnings.pdf]) expect((await upload({ bytes })).status).toBe(202)
    reader.isAvailable = true
    expect((await upload(image)).status).toBe(202)
  })

  it("answers 503 with Retry-After while the storage fails, and stores nothing", async () => {
    const { id, kept, upload } = await open()
    const folder = join(app.dataDir, "objects", "receipts", String(id))
    mkdirSync(dirname(folder), { recursive: true })
    // Simulates a disk that is not mounted.
    symlinkSync(join(app.dataDir, "away", "receipts"), folder)
    const { body, headers, status } = await upload({ headers: { "idempotency-key": "one" } })
    expect([status, body.code]).toEqual([503, "storage_unavailable"])
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await kept()).toEqual(nothing)
    rmSync(folder)
    expect((await upload({ headers: { "idempotency-key": "one" } })).status).toBe(202)
    expect(await kept()).toEqual({ rows: 1, files: 1, jobs: 1 })
  })
})

describe("the permission to upload", () => {
  it("belongs to everybody who may create expenses, in their own organization", async () => {
    const ours = await open()
    const theirs = await open()
    const viewer = await app.run(seedMember(ours.id, "viewer"))
    const reading = await app.run(seedToken(ours.owner.id, ["expenses:read"]))
    const denied = [
      await ours.upload({ token: viewer.token }),
      await ours.upload({ token: reading }),
      await ours.upload({ token: theirs.owner.token }),
      await ours.upload({ token: "pat_unknown" })
    ]
    expect(denied.map(({ status }) => status)).toEqual([403, 403, 403, 401])
    expect(await ours.kept()).toEqual(nothing)
    const member = await app.run(seedMember(ours.id, "member"))
    expect((await ours.upload({ token: member.token })).status).toBe(202)
  })
})
