import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { fileSize } from "../../../src/billing/portal/FileSize.ts"
import { type Books, line } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { pdf, png } from "../attachments/Files.ts"
import { useAttachments } from "../attachments/Uploading.ts"

const mails = await smtp()
const { app, attachments, open, storedFiles, upload } = useAttachments(mails.settings)
let books: Books

beforeAll(async () => {
  books = await open()
})

const link = async (owner: Books, path: string) => {
  await owner.made("POST", `${path}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
  return new URL(mails.received.at(-1)?.link ?? "").pathname
}
const attach = async (owner: Books, invoice: number, name: string, bytes: Uint8Array = pdf): Promise<number> =>
  (await upload(owner, invoice, { name, bytes })).body.data.id
const sent = async (owner: Books, name = "Report.pdf") => {
  const { id } = await owner.draft()
  const file = await attach(owner, id, name)
  return { id, file, path: await link(owner, `/invoices/${id}`) }
}
/** Returns the answer without the headers that differ between requests. */
const get = async (path: string) => {
  const { headers, status, text } = await app.call("GET", path, { headers: { "accept-language": "en" } })
  const { date: _, "x-request-id": __, "x-ratelimit-remaining": ___, ...same } = Object.fromEntries(headers)
  return { status, text, headers: same }
}
const closeLinks = ({ id }: Books, column: string) =>
  app.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.orDie(sql`update document_links set ${sql(column)} = now() where organization_id = ${id}`)
    )
  )

describe("GET /d/{token}", () => {
  it("lists the attachments of the invoice with name and size, and each link gives the file", async () => {
    const { id } = await books.draft()
    const [small, large] = [
      await attach(books, id, "Rapport <été>.pdf"),
      await attach(books, id, "scan.png", Buffer.concat([png, Buffer.alloc(1500 - png.length)]))
    ]
    const path = await link(books, `/invoices/${id}`)
    const page = await get(path)
    expect(page.text).toContain("<h2>Attachments</h2>")
    expect(page.text).toContain(`<a href="${path}/attachments/${small}"><bdi>Rapport &lt;été&gt;.pdf</bdi></a>`)
    expect(page.text).toContain(`<a href="${path}/attachments/${large}"><bdi>scan.png</bdi></a>`)
    expect(page.text).toContain(`<small>${pdf.length} bytes</small>`)
    expect(page.text).toMatch(/<small>1[.,]5 kB<\/small>/)
    expect(page.text).not.toMatch(/<script|<form|https?:/)
  })

  it("says so in each of the six languages", async () => {
    const { id, path } = await sent(books)
    expect(id).toBeGreaterThan(0)
    for (const [language, words] of [
      ["en", "Attachments"],
      ["fr", "Pièces jointes"],
      ["nl", "Bijlagen"],
      ["de", "Anhänge"],
      ["es", "Archivos adjuntos"],
      ["it", "Allegati"]
    ] as const) {
      const own = await open({ name: `In ${language}` })
      await own.made("PUT", `/customers/${own.customer_id}`, { language })
      const page = await get((await sent(own)).path)
      expect(page.text).toContain(`<html lang="${language}">`)
      expect(page.text).toContain(`<h2>${words}</h2>`)
    }
    expect((await get(path)).status).toBe(200)
  })

  it("lists all 100 an invoice may have, and no heading when there is none or the last one is deleted", async () => {
    const { id } = await books.draft()
    const path = await link(books, `/invoices/${id}`)
    expect((await get(path)).text).not.toContain("Attachments")
    const ids = await Promise.all(Array.from({ length: 100 }, (_, index) => attach(books, id, `${index}.pdf`)))
    expect((await get(path)).text.match(/\/attachments\/\d+"/g)).toHaveLength(100)
    for (const file of ids) await attachments.remove(books, id, file)
    expect((await get(path)).text).not.toContain("Attachments")
  })
})

describe("GET /d/{token}/attachments/{id}", () => {
  it("returns the exact bytes under the original name, only for saving, and changes nothing in the books", async () => {
    const { file, path } = await sent(books, "Rapport été.pdf")
    const before = await app.run(verifiedAuditLog(books.id))
    const answer = await fetch(`${app.url}${path}/attachments/${file}`)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(pdf.length),
      "content-disposition": `attachment; filename="Rapport _t_.pdf"; filename*=UTF-8''Rapport%20%C3%A9t%C3%A9.pdf`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      "cache-control": "private, no-store"
    })
    expect(await app.run(verifiedAuditLog(books.id))).toEqual(before)
  })

  it("answers every other id exactly as a link that never was: 404", async () => {
    const own = await sent(books)
    const other = await sent(books)
    const foreign = await sent(await open({ name: "Theirs" }))
    const gone = await attach(books, own.id, "gone.pdf")
    await attachments.remove(books, own.id, gone)
    const never = await get(`/d/doc_${"A".repeat(43)}/attachments/${own.file}`)
    expect(never.status).toBe(404)
    expect(never.text).toContain("This link is not valid.")
    expect(never).toEqual(await get(`/d/doc_${"A".repeat(43)}`))
    const ids = [other.file, foreign.file, gone, 2_147_483_647, 9_999_999_999, 0, -1, `0${own.file}`, "1e0", "x", "%00"]
    for (const id of ids) expect(await get(`${own.path}/attachments/${id}`), String(id)).toEqual(never)
    expect(await get(`/d/nonsense/attachments/${own.file}`)).toEqual(never)
    expect((await get(`${own.path}/attachments/${own.file}`)).status).toBe(200)
  })

  it.each([
    ["expires_at", "This link has expired."],
    ["revoked_at", "This link has been withdrawn."]
  ])("answers 410 when %s has passed, the same for every id", async (column, words) => {
    const theirs = await open({ name: "Closing" })
    const { file, path } = await sent(theirs)
    const other = await sent(books)
    await closeLinks(theirs, column)
    const closed = await get(path)
    expect([closed.status, closed.text.includes(words)]).toEqual([410, true])
    for (const id of [file, other.file, 2_147_483_647, "x"]) {
      expect(await get(`${path}/attachments/${id}`)).toEqual(closed)
    }
  })

  it("gives nothing through the link of a quote or a credit note, whatever ids they share", async () => {
    const { file, id } = await sent(books)
    const { due_date: _, ...body } = books.body({ items: [line(10)], valid_until: "2999-03-31" })
    const quote = await link(books, `/quotes/${(await books.made("POST", "/quotes", body)).id}`)
    const note = await books.made("POST", "/credit-notes", { invoice_id: id, amount: 5, reason: "Broken" })
    for (const path of [quote, await link(books, `/credit-notes/${note.id}`)]) {
      const page = await get(path)
      expect([page.status, page.text.includes("Attachments")]).toEqual([200, false])
      expect((await get(`${path}/attachments/${file}`)).status).toBe(404)
    }
  })

  it("shows the page with an apology and 503 when the storage has lost the file", async () => {
    const before = new Set(await storedFiles())
    const { file, path } = await sent(books)
    const [stored = ""] = (await storedFiles()).filter((name) => !before.has(name))
    attachments.damage(stored, undefined)
    const page = await get(`${path}/attachments/${file}`)
    expect(page.status).toBe(503)
    expect(page.headers["content-type"]).toContain("text/html")
    expect(page.text).toContain("The file cannot be fetched right now.")
    expect(page.text).toContain("Report.pdf")
  })
})

describe("The size of a file", () => {
  it.each([
    [1, "en-GB", "1 byte"],
    [999, "en-GB", "999 bytes"],
    [1000, "en-GB", "1 kB"],
    [999_949, "en-GB", "999.9 kB"],
    [999_950, "en-GB", "1 MB"],
    [10_485_760, "fr-BE", "10,5 Mo"]
  ])("of %i bytes reads in %s as %s", (bytes, locale, words) => {
    expect(fileSize(bytes, locale).replace(/\s/g, " ")).toBe(words)
  })
})
