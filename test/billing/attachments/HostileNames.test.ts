import { beforeAll, describe, expect, it } from "vitest"
import type { Books } from "../../support/Billing.ts"
import { pdf } from "./Files.ts"
import { useAttachments } from "./Uploading.ts"

const { attachments, open, send, spooledFiles, storedFiles } = useAttachments()
let books: Books
let invoice: number

beforeAll(async () => {
  books = await open()
  invoice = (await books.draft()).id
})

const rtl_override = "\u202e"
const emoji = "\u{1f4c4}"

/** File names as the header of the upload quotes them, each with the name to return; null if the upload is refused. */
const names: ReadonlyArray<readonly [raw: string, kept: string | null]> = [
  ["a.pdf", "a.pdf"],
  ["A.PDF", "A.PDF"],
  ["two words.pdf", "two words.pdf"],
  [" leading.pdf", " leading.pdf"],
  ["a%22b.pdf", 'a"b.pdf'],
  ['a\\"b.pdf', 'a"b.pdf'],
  ["a'b.pdf", "a'b.pdf"],
  ["a;b.pdf", "a;b.pdf"],
  ["a; filename=evil.exe.pdf", "a; filename=evil.exe.pdf"],
  ["a,b.pdf", "a,b.pdf"],
  ["a=b.pdf", "a=b.pdf"],
  ["100%.pdf", "100%.pdf"],
  ["%2e%2e%2fetc%2fpasswd.pdf", "%2e%2e%2fetc%2fpasswd.pdf"],
  ["a%00.pdf", "a%00.pdf"],
  ["a%E2%82%AC.pdf", "a%E2%82%AC.pdf"],
  ["a%0d%0aX-Evil: 1.pdf", null],
  ["a%0D%0ASet-Cookie: a=b%0D%0A.pdf", null],
  ["a%0A.pdf", null],
  ["a\u0000.pdf", null],
  ["a.pdf\u0000.exe", null],
  ["a\u0007.pdf", null],
  ["a\u007f.pdf", null],
  ["a\t.pdf", null],
  ["a\r\nX-Evil: 1.pdf", null],
  ["../../../../etc/passwd.pdf", "passwd.pdf"],
  ["/etc/cron.d/job.pdf", "job.pdf"],
  ["....//....//x.pdf", "x.pdf"],
  ["C:/Windows/win.pdf", "win.pdf"],
  ["C:\\\\Windows\\\\win.pdf", "win.pdf"],
  ["\\\\\\\\server\\\\share\\\\x.pdf", "x.pdf"],
  ["..%2f..%2fx.pdf", "..%2f..%2fx.pdf"],
  ["folder/", null],
  ["..", null],
  [".", null],
  ["...", null],
  ["", null],
  [" ", null],
  [".pdf", ".pdf"],
  ["pdf", "pdf"],
  ["scan 4", "scan 4"],
  ["../passwd", "passwd"],
  ["a.pdf.", null],
  ["a.pdf ", null],
  ["a.pdf::$DATA", null],
  ["a.pdf.exe", null],
  ["a.exe", null],
  ["a.html", null],
  ["a.svg", null],
  ["a.php.pdf", "a.php.pdf"],
  ["a.__proto__", null],
  ["a.constructor", null],
  ["CON.pdf", "CON.pdf"],
  ["NUL.pdf", "NUL.pdf"],
  ["COM1.pdf", "COM1.pdf"],
  ["-rf.pdf", "-rf.pdf"],
  ["$(reboot).pdf", "$(reboot).pdf"],
  ["`id`|x&y.pdf", "`id`|x&y.pdf"],
  ["<script>alert(1)<.pdf", "<script>alert(1)<.pdf"],
  ["'; drop table invoices; --.pdf", "'; drop table invoices; --.pdf"],
  [`Rechnung für März ${emoji}.pdf`, `Rechnung für März ${emoji}.pdf`],
  ["請求書.pdf", "請求書.pdf"],
  ["فاتورة.pdf", "فاتورة.pdf"],
  ["e\u0301te\u0301.pdf", "e\u0301te\u0301.pdf"],
  [`invoice${rtl_override}fdp.exe`, null],
  [`invoice${rtl_override}exe.pdf`, null],
  ["\u2066a\u2069.pdf", null],
  ["\ufeffa.pdf", "\ufeffa.pdf"],
  ["a\u200bb.pdf", "a\u200bb.pdf"],
  [`${"x".repeat(251)}.pdf`, `${"x".repeat(251)}.pdf`],
  [`${"x".repeat(252)}.pdf`, null],
  [`${"請".repeat(251)}.pdf`, `${"請".repeat(251)}.pdf`],
  [`${"x".repeat(3000)}.pdf`, null],
  [`${"../".repeat(300)}a.pdf`, "a.pdf"]
]

const boundary = "----boundary4711"
const form = (disposition: string) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n`),
    Buffer.from("Content-Type: application/x-msdownload\r\n\r\n"),
    pdf,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
const sendForm = (disposition: string) =>
  send(books, invoice, form(disposition), { "content-type": `multipart/form-data; boundary=${boundary}` })

/** The name as a client that knows RFC 8187 reads it. */
const exactName = (disposition: string) =>
  decodeURIComponent(/; filename\*=UTF-8''([A-Za-z0-9%!#$&+.^_`|~-]+)$/.exec(disposition)?.[1] ?? "%00none")

describe("an attachment's name", () => {
  it(`comes back to the character or is 422 or 400, for ${names.length} hostile ones, and is nowhere on disk`, async () => {
    expect(names.length).toBeGreaterThanOrEqual(60)
    const headerNames = new Set<string>()
    for (const [raw, kept] of names) {
      const files = await storedFiles()
      const answer = await sendForm(`filename="${raw}"`)
      if (kept === null) {
        expect([raw, [400, 422].includes(answer.status), answer.body.success]).toEqual([raw, true, false])
        expect([raw, await storedFiles()]).toEqual([raw, files])
        continue
      }
      expect([raw, answer.status, answer.body.data?.file_name]).toEqual([raw, 201, kept])
      const file = await attachments.download(books, invoice, answer.body.data.id)
      expect([raw, file.status, file.bytes.equals(pdf)]).toEqual([raw, 200, true])
      const disposition = file.headers.get("content-disposition") ?? ""
      expect(exactName(disposition)).toBe(kept)
      expect(disposition).toMatch(/^attachment; filename="[\x20\x21\x23-\x24\x26-\x5b\x5d-\x7e]*"; filename\*=/)
      headerNames.add([...file.headers.keys()].toSorted().join())
      expect(file.headers.get("content-type")).toBe("application/pdf")
      expect((await attachments.remove(books, invoice, answer.body.data.id)).status).toBe(200)
      expect(await storedFiles()).toEqual(files)
    }
    expect([...headerNames]).toHaveLength(1)
    await expect.poll(spooledFiles, { timeout: 60_000 }).toEqual([])
  })

  it("in filename* wins over filename, and a wrong one is 400 or 422", async () => {
    const { body, status } = await sendForm(`filename="old.pdf"; filename*=UTF-8''%e2%82%ac.pdf`)
    expect([status, body.data.file_name]).toEqual([201, "€.pdf"])
    for (const wrong of ["UTF-8''%ff%fe.pdf", "UTF-8''%0d%0a.pdf", "nonsense''a.pdf"]) {
      expect([400, 422]).toContain((await sendForm(`filename="a.exe"; filename*=${wrong}`)).status)
    }
  })

  it("is part of no path in the storage", async () => {
    const { status } = await sendForm('filename="needle-in-the-storage.pdf"')
    expect(status).toBe(201)
    const paths = await storedFiles()
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) expect(path).toMatch(/\/objects\/attachments\/\d+\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
  })
})
