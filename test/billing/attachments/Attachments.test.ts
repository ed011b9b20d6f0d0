import { Client } from "pg"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, race, statuses } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { docx, pdf, png } from "./Files.ts"
import { useAttachments } from "./Uploading.ts"

const { app, attachments, open, storedFiles, upload } = useAttachments()
let books: Books
let id: number

beforeAll(async () => {
  books = await open()
})

const { inDatabase } = app
const draft = async () => (await books.draft()).id as number

describe("POST /api/v1/invoices/{id}/attachments", () => {
  it("answers 201 with the metadata, and the download gives the bytes back under the original name", async () => {
    id = await draft()
    const answer = await upload(books, id, { name: "Rapport été.pdf", bytes: pdf, fields: { description: "Signed" } })
    expect(answer.status).toBe(201)
    const { created_at, ...metadata } = answer.body.data
    expect(metadata).toEqual({
      id: metadata.id,
      invoice_id: id,
      file_name: "Rapport été.pdf",
      file_size: pdf.length,
      mime_type: "application/pdf",
      description: "Signed"
    })
    expect(Date.parse(created_at)).toBeGreaterThan(Date.now() - 60_000)
    const file = await attachments.download(books, id, metadata.id)
    expect(file.status).toBe(200)
    expect(file.bytes.equals(pdf)).toBe(true)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(pdf.length),
      "content-disposition": `attachment; filename="Rapport _t_.pdf"; filename*=UTF-8''Rapport%20%C3%A9t%C3%A9.pdf`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store"
    })
  })

  it("accepts a part of any name, a draft and an issued invoice, and writes an audit entry and one event", async () => {
    const issued = await books.issued()
    const before = await app.run(verifiedAuditLog(books.id))
    const answer = await upload(books, issued.id, { part: "document", name: "scan.png", bytes: png })
    expect([answer.status, answer.body.data.mime_type, answer.body.data.description]).toEqual([201, "image/png", null])
    const after = await app.run(verifiedAuditLog(books.id))
    expect(after.events.slice(before.events.length)).toMatchObject([
      { type: "attachment.created", data: { object: "attachment", attributes: answer.body.data } }
    ])
    expect(after.entries.slice(before.entries.length)).toMatchObject([
      { action: "attachment.created", actor: `user:${books.owner.id}`, data: { file_name: "scan.png" } }
    ])
    expect(await books.invoice(issued.id)).toEqual(issued)
  })

  it("answers 422 for the 101st attachment, also when they race, and keeps no file of it", async () => {
    const full = await draft()
    const before = (await storedFiles()).length
    const all = await race(99, () => upload(books, full, { name: "a.png", bytes: png }))
    expect(statuses(all)).toEqual({ 201: 99 })
    const last = await race(6, () => upload(books, full, { name: "a.png", bytes: png }))
    expect(statuses(last)).toEqual({ 201: 1, 422: 5 })
    expect(last.find(({ status }) => status === 422)?.body.code).toBe("too_many_attachments")
    expect((await storedFiles()).length).toBe(before + 100)
  })

  it("answers the same 201 to a repeated Idempotency-Key, and 422 to another file under it", async () => {
    const target = await draft()
    const headers = { "idempotency-key": "upload-1" }
    const first = await upload(books, target, { name: "a.docx", bytes: docx, headers })
    const again = await upload(books, target, { name: "a.docx", bytes: docx, headers })
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"])
    expect(again.body).toEqual(first.body)
    const other = await upload(books, target, { name: "a.docx", bytes: Buffer.concat([docx, docx]), headers })
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"])
    expect((await attachments.list(books, target)).body.meta.total).toBe(1)
  })

  it("answers 404 before it reads a form for an invoice that is missing, foreign or deleted", async () => {
    const theirs = await open({ name: "Theirs" })
    const foreign = (await theirs.draft()).id
    const deleted = await draft()
    await books.call("DELETE", `/invoices/${deleted}`)
    const before = await storedFiles()
    for (const invoice of [foreign, deleted, 2_147_483_647]) {
      const answer = await upload(books, invoice, { name: "a.pdf", bytes: pdf })
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"])
      const empty = await books.call("POST", `/invoices/${invoice}/attachments`, {})
      expect(empty.status).toBe(404)
    }
    expect(await storedFiles()).toEqual(before)
  })

  it("answers 422 without a file, whatever the body is instead", async () => {
    const target = await draft()
    for (const body of [{}, { file: "x" }, undefined]) {
      const answer = await books.call("POST", `/invoices/${target}/attachments`, body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["file"]])
    }
    for (const name of ["notes", "a.pdf."]) {
      const answer = await upload(books, target, { name, bytes: name === "notes" ? Buffer.from("text") : pdf })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["file"]])
    }
    const described = await upload(books, target, {
      name: "a.pdf",
      bytes: pdf,
      fields: { description: "x".repeat(1001) }
    })
    expect([described.status, Object.keys(described.body.errors)]).toEqual([422, ["description"]])
    expect((await attachments.list(books, target)).body.data).toEqual([])
  })
})

describe("GET /api/v1/invoices/{id}/attachments", () => {
  it("lists the metadata, newest first, in pages", async () => {
    const target = await draft()
    const ids: Array<number> = []
    for (const name of ["1.pdf", "2.pdf", "3.pdf"]) {
      ids.unshift((await upload(books, target, { name, bytes: pdf })).body.data.id)
    }
    const all = await attachments.list(books, target)
    expect(all.body.data.map((row: { id: number }) => row.id)).toEqual(ids)
    expect(Object.keys(all.body.data[0])).not.toContain("object_key")
    const second = await attachments.list(books, target, "?per_page=2&page=2")
    expect([second.body.data.length, second.body.meta.total]).toEqual([1, 3])
  })
})

describe("DELETE /api/v1/invoices/{id}/attachments/{attachmentId}", () => {
  it("answers 200, removes the file, keeps the record, and is 404 from then on", async () => {
    const target = (await books.issued()).id as number
    const before = await storedFiles()
    const { id: attachment } = (await upload(books, target, { name: "a.pdf", bytes: pdf })).body.data
    expect((await storedFiles()).length).toBe(before.length + 1)
    const removed = await race(5, () => attachments.remove(books, target, attachment))
    expect(statuses(removed)).toEqual({ 200: 1, 404: 4 })
    expect(removed.find(({ status }) => status === 200)?.body.data).toEqual({ id: attachment })
    expect(await storedFiles()).toEqual(before)
    expect((await attachments.download(books, target, attachment)).status).toBe(404)
    expect((await attachments.list(books, target)).body.data).toEqual([])
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)).toMatchObject({ action: "attachment.deleted", data: { attachment_id: attachment } })
  })

  it("leaves a download that races it the whole file or 404", async () => {
    const target = await draft()
    const large = Buffer.concat([pdf, Buffer.alloc(1024 * 1024, 0x20)])
    for (let round = 0; round < 6; round++) {
      const { id: attachment } = (await upload(books, target, { name: "a.pdf", bytes: large })).body.data
      const [removed, ...downloads] = await Promise.all([
        attachments.remove(books, target, attachment),
        ...Array.from({ length: 4 }, () => attachments.download(books, target, attachment))
      ])
      expect(removed.status).toBe(200)
      for (const { bytes, status } of downloads) {
        expect([200, 404]).toContain(status)
        if (status === 200) expect(bytes.equals(large)).toBe(true)
      }
    }
  })

  it("answers 404 for an attachment of another invoice or another organization, which stays", async () => {
    const [one, other] = [await draft(), await draft()]
    const { id: attachment } = (await upload(books, one, { name: "a.pdf", bytes: pdf })).body.data
    const theirs = await open({ name: "Theirs" })
    const foreign = (await theirs.draft()).id
    for (const [caller, invoice] of [
      [books, other],
      [theirs, foreign],
      [theirs, one]
    ] as const) {
      for (const answer of [
        await attachments.remove(caller, invoice, attachment),
        await attachments.download(caller, invoice, attachment)
      ]) {
        expect([answer.status, answer.text]).toEqual([
          404,
          '{"success":false,"message":"Not found.","code":"not_found"}'
        ])
      }
    }
    expect((await attachments.download(books, one, attachment)).bytes.equals(pdf)).toBe(true)
  })

  it("needs invoices:write and a role that may change invoices; a viewer may read", async () => {
    const target = await draft()
    const { id: attachment } = (await upload(books, target, { name: "a.pdf", bytes: pdf })).body.data
    const viewer = await app.run(seedMember(books.id, "viewer"))
    const reader = { token: await app.run(seedToken(books.owner.id, ["invoices:read"])) }
    for (const { token } of [viewer, reader]) {
      expect((await upload(books, target, { name: "b.pdf", bytes: pdf, token })).status).toBe(403)
      expect((await attachments.remove(books, target, attachment, token)).status).toBe(403)
      expect((await attachments.download(books, target, attachment, token)).status).toBe(200)
    }
    expect((await attachments.list(books, target)).body.meta.total).toBe(1)
  })
})

describe("the sweep", () => {
  it("removes what a crash left behind and the files of a deleted draft, and nothing else", async () => {
    const [kept, gone] = [await draft(), await draft()]
    const before = (await storedFiles()).length
    const { id: attachment } = (await upload(books, kept, { name: "a.pdf", bytes: pdf })).body.data
    await upload(books, gone, { name: "b.pdf", bytes: pdf })
    await upload(books, gone, { name: "c.pdf", bytes: pdf })
    await books.call("DELETE", `/invoices/${gone}`)
    const crashed = (await upload(books, kept, { name: "d.pdf", bytes: pdf })).body.data.id
    await app.run(attachments.pretendCrash(crashed))
    expect((await storedFiles()).length).toBe(before + 4)
    expect(await app.run(attachments.sweep)).toBeGreaterThanOrEqual(3)
    expect((await storedFiles()).length).toBe(before + 1)
    expect((await attachments.download(books, kept, attachment)).bytes.equals(pdf)).toBe(true)
    expect(await app.run(attachments.sweep)).toBe(0)
  })

  it("removes the file of an upload that takes too long, and answers 503", async () => {
    const target = await draft()
    const before = await storedFiles()
    const client = new Client({ connectionString: urlOf(await app.run(here)) })
    await client.connect()
    // The upload waits for this row after it has stored the file.
    await client.query("begin")
    await client.query("select from invoices where id = $1 for no key update", [target])
    const uploading = upload(books, target, { name: "a.pdf", bytes: pdf })
    await expect.poll(async () => (await storedFiles()).length).toBe(before.length + 1)
    await inDatabase(`update invoice_attachments set created_at = now() - interval '61 minutes'
      where invoice_id = ${target}`)
    await app.run(attachments.sweep)
    await client.query("commit")
    await client.end()
    const { body, status } = await uploading
    expect([status, body.code]).toEqual([503, "storage_unavailable"])
    expect((await attachments.list(books, target)).body.meta.total).toBe(0)
    expect(await storedFiles()).toEqual(before)
  })

  it("answers what was attached although it was removed before the lost answer was requested again", async () => {
    const target = await draft()
    const send = () => upload(books, target, { name: "a.pdf", bytes: pdf, headers: { "idempotency-key": "removed" } })
    const first = await send()
    await inDatabase(`update idempotency_keys set status = null, headers = null, sealed_body = null,
      leased_until = now() - interval '1 second' where key = 'removed'`)
    expect((await attachments.remove(books, target, first.body.data.id)).status).toBe(200)
    const again = await send()
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await attachments.list(books, target)).body.meta.total).toBe(0)
  })

  it("attaches one file although the answer was lost after it: the same Idempotency-Key finds the attachment", async () => {
    const target = await draft()
    const before = await storedFiles()
    const send = () => upload(books, target, { name: "a.pdf", bytes: pdf, headers: { "idempotency-key": "lost" } })
    await inDatabase("alter table idempotency_keys add constraint refuses check (key <> 'lost' or status is null)")
    expect((await send()).status).toBe(500)
    await inDatabase("alter table idempotency_keys drop constraint refuses")
    const [attached] = (await attachments.list(books, target)).body.data
    const again = await send()
    expect([again.status, again.body.data.id]).toEqual([201, attached.id])
    expect((await attachments.list(books, target)).body.meta.total).toBe(1)
    await app.run(attachments.sweep)
    expect((await storedFiles()).length).toBe(before.length + 1)
  })
})

describe("a storage out of order", () => {
  it("answers 503 for a file that is missing or cut, never 200", async () => {
    const target = await draft()
    const before = new Set(await storedFiles())
    const { id: attachment } = (await upload(books, target, { name: "a.pdf", bytes: pdf })).body.data
    const [file = ""] = (await storedFiles()).filter((name) => !before.has(name))
    attachments.damage(file, pdf.subarray(0, 20))
    const cut = await attachments.download(books, target, attachment)
    expect([cut.status, JSON.parse(cut.text).code]).toEqual([503, "storage_unavailable"])
    attachments.damage(file, undefined)
    expect((await attachments.download(books, target, attachment)).status).toBe(503)
  })
})
