import { getDocumentProxy } from "unpdf"
import { describe, expect, it } from "vitest"
import { useArchive } from "../../archive/DocumentArchiver.ts"
import { line } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { sellerOf } from "../documents/Submitting.ts"
import { one, read } from "../ubl/XmlReader.ts"

const mails = await smtp()
const { app, archiveAll, documents, open } = useArchive(mails.settings)
const to = { recipients: "a@beta.example" }

type Seller = Awaited<ReturnType<typeof open>>
const seller = async () => {
  const books = await open()
  await sellerOf(app, books)
  return books
}

const mailed = () => {
  const part = /Content-Type: application\/pdf[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/i.exec(
    mails.received.at(-1)?.raw ?? ""
  )
  return Buffer.from(part?.[1] ?? "", "base64")
}

/** The document number in the XML that another PDF library finds in the file; undefined for a PDF without XML. */
const embeddedNumber = async (bytes: Uint8Array) => {
  const document = await getDocumentProxy(Uint8Array.from(bytes))
  const [id] = [...((await document.getAttachments()) ?? [])].map(([key]) => key)
  if (id === undefined) return undefined
  const content = await document.getAttachmentContent(id)
  return one(read(new TextDecoder().decode(content ?? undefined)), "ExchangedDocument/ID")
}

const download = async (books: Seller, path: string) => {
  const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  const response = await fetch(`${app.url}/api/v1${path}`, { headers })
  return Buffer.from(await response.arrayBuffer())
}

const archived = async (books: Seller, kind: string, id: number) => {
  await archiveAll(books)
  const objects: ReadonlyArray<{ readonly id: number; readonly document_type: string; readonly document_id: number }> =
    await documents(books)
  const object = objects.find(({ document_id, document_type }) => document_type === kind && document_id === id)
  return download(books, `/archive/documents/${object?.id}/download`)
}

describe("the PDF of a mailed document", () => {
  it("is a hybrid invoice, which the archive and the download have byte for byte", async () => {
    const books = await seller()
    const { id } = await books.draft()
    await books.made("POST", `/invoices/${id}/send`, to)
    const { number } = await books.invoice(id)
    expect(await embeddedNumber(mailed())).toBe(number)
    expect((await download(books, `/invoices/${id}/pdf`)).equals(mailed())).toBe(true)
    expect((await archived(books, "invoice", id)).equals(mailed())).toBe(true)
  })

  it("is a hybrid credit note likewise", async () => {
    const books = await seller()
    const invoice = await books.issued()
    const { id } = await books.made("POST", "/credit-notes", {
      invoice_id: invoice.id,
      amount: 12.1,
      reason: "Returned"
    })
    await books.made("POST", `/credit-notes/${id}/send`, to)
    const { number } = await books.made("GET", `/credit-notes/${id}`)
    expect(await embeddedNumber(mailed())).toBe(number)
    expect((await download(books, `/credit-notes/${id}/pdf`)).equals(mailed())).toBe(true)
    expect((await archived(books, "credit_note", id)).equals(mailed())).toBe(true)
  })

  it("is a plain one if the document breaks a rule, or if the organization has chosen plain ones", async () => {
    const books = await seller()
    const odd = await books.draft({ items: [line(1, { unit: "ZZ9" })] })
    const plain = await books.draft()
    for (const { id } of [odd, plain]) {
      await books.made("POST", `/invoices/${id}/send`, to)
      expect(mailed().subarray(0, 5).toString()).toBe("%PDF-")
      expect(await embeddedNumber(mailed())).toBe(id === odd.id ? undefined : "INV-2026-0002")
      expect((await archived(books, "invoice", id)).equals(mailed())).toBe(true)
    }
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "pdf_format", value: "pdf" }] })
    await books.made("POST", `/invoices/${plain.id}/send`, { ...to, resend: true })
    expect(mailed().subarray(0, 5).toString()).toBe("%PDF-")
    expect(await embeddedNumber(mailed())).toBeUndefined()
    expect(await embeddedNumber(await download(books, `/invoices/${plain.id}/facturx`))).toBe("INV-2026-0002")
  })

  it("is a plain one of a draft", async () => {
    const books = await seller()
    const { id } = await books.draft()
    expect(await embeddedNumber(await download(books, `/invoices/${id}/pdf`))).toBeUndefined()
  })
})
