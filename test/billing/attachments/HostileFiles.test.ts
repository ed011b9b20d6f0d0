import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { beforeAll, describe, expect, it } from "vitest"
import type { Books } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import {
  bomb,
  compound,
  contentTypes,
  docx,
  gif,
  jpeg,
  kind,
  officeFile,
  padded,
  part,
  pdf,
  png,
  rawZip,
  text,
  zip
} from "./Files.ts"
import { useAttachments } from "./Uploading.ts"

const { app, attachments, open, send, spooledFiles, storedFiles, upload } = useAttachments()
let books: Books
let invoice: number

beforeAll(async () => {
  books = await open()
  invoice = (await books.draft()).id
})

const mebibyte = 1024 * 1024
const nested = rawZip([part({ content: docx, name: "docx" }), kind])

describe("a file of an allowed type", () => {
  it.each([
    ["a.pdf", "application/pdf", pdf],
    ["a.png", "image/png", png],
    ["a.jpg", "image/jpeg", jpeg],
    ["a.jpeg", "image/jpeg", jpeg],
    ["a.gif", "image/gif", gif],
    ["a.webp", "image/webp", Buffer.from("RIFF\u0010\0\0\0WEBPVP8L\u0004\0\0\0\0\0\0\0", "latin1")],
    ["a.bmp", "image/bmp", Buffer.from("BM\u003a\0\0\0\0\0\0\0\u0036\0\0\0", "latin1")],
    ["a.tif", "image/tiff", Buffer.from("II*\0\u0008\0\0\0", "latin1")],
    ["a.tiff", "image/tiff", Buffer.from("MM\0*\0\0\0\u0008", "latin1")],
    ["a.heic", "image/heic", Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1")],
    ["a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", officeFile("docx")],
    ["a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", officeFile("xlsx")],
    ["a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", officeFile("pptx")],
    [
      "a.odt",
      "application/vnd.oasis.opendocument.text",
      rawZip([
        { name: "mimetype", content: Buffer.from("application/vnd.oasis.opendocument.text"), method: 0 },
        part({ name: "content.xml" })
      ])
    ],
    ["a.doc", "application/msword", compound("WordDocument")],
    ["a.xls", "application/vnd.ms-excel", compound("Workbook")],
    ["a.ppt", "application/vnd.ms-powerpoint", compound("PowerPoint Document")],
    ["a.rtf", "application/rtf", Buffer.from("{\\rtf1 Hello}")],
    ["a.csv", "text/csv", text],
    ["a.csv", "text/csv", Buffer.from("name\ncaf\xe9\n", "latin1")],
    ["a.txt", "text/plain", Buffer.from("\ufeffhello", "utf16le")],
    ["a.txt", "text/plain", Buffer.from("<html><script>alert(1)</script>")],
    ["big.pdf", "application/pdf", padded(pdf, 10 * mebibyte)]
  ])("comes back to the byte: %s as %s", async (name, mime_type, bytes) => {
    const answer = await upload(books, invoice, { name, bytes })
    expect([answer.status, answer.body.data?.mime_type, answer.body.data?.file_size]).toEqual([
      201,
      mime_type,
      bytes.length
    ])
    const file = await attachments.download(books, invoice, answer.body.data.id)
    expect([file.status, file.headers.get("content-type"), file.bytes.equals(bytes)]).toEqual([200, mime_type, true])
    expect(file.headers.get("content-disposition")).toMatch(/^attachment;/)
  })

  it("is a document written by another program's archive writer", async () => {
    const bytes = await zip({ "[Content_Types].xml": contentTypes("docx"), "word/document.xml": "<w/>".repeat(5000) })
    expect((await upload(books, invoice, { name: "streamed.docx", bytes })).status).toBe(201)
  })
})

const refused: ReadonlyArray<readonly [why: string, name: string, bytes: () => Buffer]> = [
  ["0 bytes", "a.pdf", () => Buffer.alloc(0)],
  ["0 bytes of text", "a.txt", () => Buffer.alloc(0)],
  ["11 MB", "a.pdf", () => padded(pdf, 11 * mebibyte)],
  ["one byte over 10 MB", "a.pdf", () => padded(pdf, 10 * mebibyte + 1)],
  ["60 MB", "a.txt", () => Buffer.alloc(60 * mebibyte, "x")],
  ["a program named as PDF", "a.pdf", () => Buffer.from("MZ\u0090\0\u0003\0\0\0", "latin1")],
  ["a PDF named as image", "a.png", () => pdf],
  ["an image named as PDF", "a.pdf", () => png],
  ["a PNG named as JPEG", "a.jpg", () => png],
  ["a PDF that begins late", "a.pdf", () => Buffer.concat([Buffer.from("<html>"), pdf])],
  ["random bytes", "a.jpg", () => randomBytes(5000)],
  ["text named as PDF", "a.pdf", () => text],
  ["a PDF named as text", "a.txt", () => pdf],
  ["an archive named as text", "a.csv", () => docx],
  ["text with NUL", "a.txt", () => Buffer.from("a\0b")],
  ["text whose NUL comes late", "a.txt", () => Buffer.concat([Buffer.alloc(3 * mebibyte, "x"), Buffer.from([0])])],
  ["text with an escape sequence", "a.txt", () => Buffer.from("\u001b[2J\u001b]0;evil\u0007")],
  ["a drawing with script", "a.svg", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>")],
  ["a page", "a.html", () => Buffer.from("<script>alert(1)</script>")],
  ["a document with macros", "a.docm", () => docx],
  ["a plain archive", "a.zip", () => docx],
  ["an archive without a kind", "a.docx", () => rawZip([part()])],
  ["an archive of another kind", "a.docx", () => officeFile("xlsx")],
  [
    "a kind that is only nested",
    "a.docx",
    () => rawZip([part({ name: "a/[Content_Types].xml", content: kind.content })])
  ],
  ["a document within an archive", "a.xlsx", () => nested],
  ["only the magic bytes of an archive", "a.docx", () => Buffer.from("PK\u0003\u0004", "latin1")],
  ["a cut archive", "a.docx", () => docx.subarray(0, docx.length >> 1)],
  ["a broken checksum", "a.docx", () => rawZip([kind, part({ crc: 1 })])],
  ["a wrong length", "a.docx", () => rawZip([kind, part({ size: 100 })])],
  ["an encrypted entry", "a.docx", () => rawZip([kind, part({ flags: 1 })])],
  ["an unknown compression", "a.docx", () => rawZip([kind, part({ method: 99, packed: Buffer.from("x") })])],
  ["garbage for deflated data", "a.docx", () => rawZip([kind, part({ packed: randomBytes(1000) })])],
  ["a zip bomb", "a.docx", () => bomb(1024 * mebibyte)],
  ["a zip bomb that says it is small", "a.xlsx", () => bomb(200 * mebibyte, { size: 1000 })],
  ["a zip bomb of many entries", "a.docx", () => rawZip([kind, ...Array.from({ length: 5001 }, () => part())])],
  [
    "a kind that is a bomb",
    "a.docx",
    () => rawZip([{ ...kind, content: Buffer.concat([kind.content, Buffer.alloc(50 * mebibyte, 0x20)]) }, part()])
  ],
  ["an installer named as document", "a.doc", () => compound("Installer")],
  ["a spreadsheet named as document", "a.doc", () => compound("Workbook")],
  ["only the magic bytes of a compound file", "a.xls", () => Buffer.from("d0cf11e0a1b11ae1", "hex")]
]

describe("a file that differs from what was stored", () => {
  it.each(refused)("is 422 and leaves nothing: %s, as %s", async (_why, name, bytesOf) => {
    const before = [await storedFiles(), (await attachments.list(books, invoice)).body.meta.total]
    const journal = await app.run(verifiedAuditLog(books.id))
    const answer = await upload(books, invoice, { name, bytes: bytesOf() })
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
      422,
      "validation_failed",
      ["file"]
    ])
    expect(await storedFiles()).toEqual(before[0])
    expect((await attachments.list(books, invoice)).body.meta.total).toBe(before[1])
    expect(await app.run(verifiedAuditLog(books.id))).toEqual(journal)
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })
})

const boundary = "----boundary4711"
const header = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` }
const whole = Buffer.concat([Buffer.from(header), pdf, Buffer.from(`\r\n--${boundary}--\r\n`)])

describe("a form that is broken", () => {
  it.each([
    ["nothing at all", Buffer.alloc(0)],
    ["without an end", whole.subarray(0, whole.length - boundary.length - 6)],
    ["cut in the file", whole.subarray(0, whole.length - 90)],
    ["cut in a header", whole.subarray(0, 40)],
    ["of another boundary", Buffer.from(whole.toString("latin1").replaceAll(boundary, "other"), "latin1")],
    ["that is JSON", Buffer.from("{}")],
    ["of one part without a header", Buffer.from(`--${boundary}\r\n\r\n--${boundary}--\r\n`)],
    ["of one part whose header does not end", Buffer.from(`--${boundary}\r\nContent-Type: a\r\n--${boundary}--\r\n`)],
    ["of parts whose headers are none", Buffer.from(`--${boundary}\r\n(\r\n\r\n`.repeat(3))],
    ["that goes on behind its end", Buffer.concat([Buffer.from(`--${boundary}--\r\n`), whole])]
  ])("is 400 and leaves nothing: %s", async (_what, body) => {
    const before = await storedFiles()
    const answer = await send(books, invoice, body, multipart)
    expect([answer.status, answer.body.code]).toEqual([400, "malformed_multipart"])
    const keyed = await send(books, invoice, body, { ...multipart, "idempotency-key": `broken-${_what}` })
    expect([keyed.status, keyed.body.code]).toEqual([400, "malformed_multipart"])
    expect(await storedFiles()).toEqual(before)
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })

  it("without a boundary is 400", async () => {
    const answer = await send(books, invoice, whole, { "content-type": "multipart/form-data" })
    expect([answer.status, answer.body.code]).toEqual([400, "malformed_multipart"])
  })

  it("with two files, two text fields of a name, too many parts or too long a text field is 422 and stores nothing", async () => {
    const before = await storedFiles()
    const two = new FormData()
    two.append("file", new Blob([pdf]), "a.pdf")
    two.append("file", new Blob([pdf]), "b.pdf")
    const many = new FormData()
    for (let index = 0; index < 30; index++) many.append(`field${index}`, "x")
    const long = new FormData()
    long.append("description", "x".repeat(100_000))
    const repeated = new FormData()
    repeated.append("description", "first")
    repeated.append("description", "second")
    repeated.append("file", new Blob([pdf]), "a.pdf")
    for (const form of [two, many, long, repeated]) {
      const answer = await send(books, invoice, form)
      expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"])
    }
    expect(await storedFiles()).toEqual(before)
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })

  it("whose sender hangs up in the middle leaves nothing", async () => {
    const before = await storedFiles()
    const { port } = new URL(app.url)
    for (let round = 0; round < 5; round++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), "127.0.0.1", () => {
          const head = [
            `POST /api/v1/invoices/${invoice}/attachments HTTP/1.1`,
            "Host: localhost",
            `Authorization: Bearer ${books.owner.token}`,
            `X-Organization-Id: ${books.id}`,
            `Content-Type: ${multipart["content-type"]}`,
            "Content-Length: 5000000"
          ]
          socket.write(`${head.join("\r\n")}\r\n\r\n${header}%PDF-${"x".repeat(200_000)}`)
          setTimeout(() => socket.destroy(), 100)
        })
        socket.on("error", () => {})
        socket.on("close", () => resolve())
      })
    }
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
    expect(await storedFiles()).toEqual(before)
  })
})
