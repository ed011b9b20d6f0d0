import { getDocumentProxy } from "unpdf"
import { beforeAll, describe, expect, it } from "vitest"
import { seedMember } from "../../support/database/Seed.ts"
import { line } from "../../support/Billing.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { all, one, read } from "../ubl/XmlReader.ts"

const { app, open } = useEinvoicing()
let books: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  books = await open()
})

const network = { einvoicing_identifier_scheme: "9930", einvoicing_identifier_value: "DE136695976" }
const sums =
  "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation"

const download = async (path: string, of = books) => {
  const response = await fetch(`${app.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${of.owner.token}`, "x-organization-id": String(of.id) }
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status: response.status, headers: response.headers, bytes, text }
}

/** Reads the file with another PDF library. */
const opened = async (bytes: Uint8Array) => {
  const document = await getDocumentProxy(Uint8Array.from(bytes))
  const attachments = [...((await document.getAttachments()) ?? [])]
  const files = attachments.map(
    async ([id, { filename }]) => [filename, await document.getAttachmentContent(id)] as const
  )
  const { metadata } = await document.getMetadata()
  return { pages: document.numPages, files: await Promise.all(files), metadata }
}

const credited = async (invoice: { readonly id: number }) => {
  const draft = { invoice_id: invoice.id, amount: 12.1, reason: "Returned & <refunded>" }
  const { id } = await books.made("POST", "/credit-notes", draft)
  await books.made("POST", `/credit-notes/${id}/send`, { recipients: "ap@beta.example" })
  return books.made("GET", `/credit-notes/${id}`)
}

describe("GET /api/v1/invoices/{id}/ubl and /cii", () => {
  it("answers both forms of an issued invoice as files named by its number", async () => {
    const invoice = await books.issued({ notes: "Größe & <Form>" })
    const [ubl, cii] = [await download(`/invoices/${invoice.id}/ubl`), await download(`/invoices/${invoice.id}/cii`)]
    for (const [file, ending] of [
      [ubl, "ubl.xml"],
      [cii, "cii.xml"]
    ] as const) {
      expect(file.status).toBe(200)
      expect(file.headers.get("content-type")).toBe("application/xml")
      expect(file.headers.get("content-disposition")).toContain(`attachment; filename="${invoice.number}.${ending}"`)
      expect(file.text).toContain("Größe &amp; &lt;Form&gt;")
    }
    expect(one(read(ubl.text), "LegalMonetaryTotal/PayableAmount")).toBe("121.00")
    expect(one(read(cii.text), `${sums}/DuePayableAmount`)).toBe("121.00")
  })

  it("state the terms for late and early payment, as the PDF does", async () => {
    const seller = await open()
    const [late, early] = ["8 % per year after the due date", "2 % within 10 days"]
    await seller.made("PUT", `/organizations/${seller.id}`, {
      late_payment_penalty: late,
      early_payment_discount: early
    })
    const { id } = await seller.issued({ terms: "Retention of title" })
    const { text } = await download(`/invoices/${id}/ubl`, seller)
    expect(one(read(text), "PaymentTerms/Note")).toBe(["Retention of title", late, early].join("\n"))
  })

  it("name the payee as the holder of the account, as the PDF does", async () => {
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "payment_iban", value: "BE71096123456769" }]
    })
    const { id } = await books.issued({ payee: { name: "Factor NV" } })
    const { text } = await download(`/invoices/${id}/ubl`)
    expect(one(read(text), "PaymentMeans/PayeeFinancialAccount/Name")).toBe("Factor NV")
  })

  it("state the account of the payee instead of that of the organization", async () => {
    const payment_means = { method: "bank_transfer", iban: "BE68539007547034", bic: "KREDBEBB" }
    const { id } = await books.issued({ payee: { name: "Factor NV" }, payment_means })
    const [ubl, cii] = [await download(`/invoices/${id}/ubl`), await download(`/invoices/${id}/cii`)]
    const account = "PaymentMeans/PayeeFinancialAccount"
    expect(one(read(ubl.text), `${account}/ID`)).toBe("BE68539007547034")
    expect(one(read(ubl.text), `${account}/FinancialInstitutionBranch/ID`)).toBe("KREDBEBB")
    expect(cii.text).toContain("<ram:IBANID>BE68539007547034</ram:IBANID>")
    expect(ubl.text + cii.text).not.toContain("BE71096123456769")
  })

  it("follows Peppol once both parties have an address there, and EN 16931 before", async () => {
    const books = await open()
    const invoice = await books.issued()
    const specification = async () =>
      one(read((await download(`/invoices/${invoice.id}/ubl`, books)).text), "CustomizationID")
    expect(await specification()).toBe("urn:cen.eu:en16931:2017")
    await books.register()
    expect(await specification()).toBe("urn:cen.eu:en16931:2017")
    await books.made("PUT", `/customers/${books.customer_id}`, network)
    expect(await specification()).toContain("urn:fdc:peppol.eu:2017:poacc:billing:3.0")
    const { body } = await books.validate(invoice, {
      recipient_identifier_scheme: "9930",
      recipient_identifier_value: "DE136695976"
    })
    expect(body.data).toMatchObject({ valid: true, errors: [] })
  })

  it("answers 422 with the findings for a draft and for a document that breaks a rule", async () => {
    const draft = await books.draft()
    const odd = await books.issued({ items: [line(1, { unit: "ZZ9" })] })
    for (const [id, rule] of [
      [draft.id, "BR-02"],
      [odd.id, "BR-CL-23"]
    ] as const) {
      for (const form of ["ubl", "cii", "facturx"]) {
        const { body, status } = await books.call("GET", `/invoices/${id}/${form}`)
        expect([status, body.code]).toEqual([422, "invalid_document"])
        expect(body.details.errors).toMatchObject([{ rule }])
      }
    }
  })

  it("answers 404 for another organization's documents, and 403 without the permission", async () => {
    const other = await open()
    const invoice = await books.issued()
    const note = await credited(invoice)
    const narrow = await app.run(seedMember(books.id, "owner", ["contacts:read"]))
    for (const path of [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`]) {
      for (const form of ["ubl", "cii", "facturx"]) {
        expect((await other.call("GET", `${path}/${form}`)).status).toBe(404)
        expect((await books.call("GET", `${path}/${form}`, undefined, { token: narrow.token })).status).toBe(403)
      }
    }
  })
})

describe("GET /api/v1/credit-notes/{id}/ubl and /cii", () => {
  it("answers a sent note with the invoice that it corrects, and 422 for a draft", async () => {
    const invoice = await books.issued()
    const note = await credited(invoice)
    const ubl = await download(`/credit-notes/${note.id}/ubl`)
    expect(ubl.headers.get("content-disposition")).toContain(`${note.number}.ubl.xml`)
    const xml = read(ubl.text)
    expect(one(xml, "CreditNoteTypeCode")).toBe("381")
    expect(one(xml, "BillingReference/InvoiceDocumentReference/ID")).toBe(invoice.number)
    expect(one(xml, "Note")).toMatch(/^Returned & <refunded>\nVAT to be repaid to the State /)
    expect(one(xml, "LegalMonetaryTotal/PayableAmount")).toBe("12.10")
    const cii = read((await download(`/credit-notes/${note.id}/cii`)).text)
    expect([one(cii, "ExchangedDocument/TypeCode"), one(cii, `${sums}/DuePayableAmount`)]).toEqual(["381", "12.10"])

    const draft = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "Later" })
    const refused = await books.call("GET", `/credit-notes/${draft.id}/ubl`)
    expect(refused.body.details.errors).toMatchObject([{ rule: "BR-02", pointer: "/credit_note/number" }])
  })
})

describe("the e-invoice of a credit note by lines", () => {
  it("has the quantity, the price and the discount of the invoice's line", async () => {
    const invoice = await books.issued({ items: [line(20, { quantity: 3, unit: "hour", discount: 10 }), line(5)] })
    const items = [{ invoice_item_id: invoice.items[0].id, quantity: 2 }]
    const { id } = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, items, reason: "Not worked" })
    await books.made("POST", `/credit-notes/${id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    const xml = read((await download(`/credit-notes/${id}/ubl`)).text)
    const fields = ["CreditedQuantity", "Price/PriceAmount", "AllowanceCharge/Amount", "LineExtensionAmount"]
    expect(fields.map((field) => one(xml, `CreditNoteLine/${field}`))).toEqual(["2", "20", "4.00", "36.00"])
    expect(all(xml, "CreditNoteLine/ID")).toEqual(["1"])
  })
})

describe("GET /api/v1/invoices/{id}/facturx", () => {
  it("answers the printed invoice with the same XML inside, which its metadata names", async () => {
    const invoice = await books.issued({ notes: "Für Łódź, 東京 and 😀" })
    const { bytes, headers, status } = await download(`/invoices/${invoice.id}/facturx`)
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(headers.get("content-disposition")).toContain(`attachment; filename="${invoice.number}.pdf"`)
    const { files, metadata, pages } = await opened(bytes)
    const { bytes: cii } = await download(`/invoices/${invoice.id}/cii`)
    expect([pages, files]).toEqual([1, [["factur-x.xml", cii]]])
    const raw = new TextDecoder("latin1").decode(bytes)
    expect(raw).toContain("/AFRelationship /Alternative")
    expect(["pdfaid:part", "pdfaid:conformance"].map((name) => metadata?.get(name))).toEqual(["3", "A"])
    const stated = ["documentfilename", "documenttype", "version", "conformancelevel"]
    expect(stated.map((name) => metadata?.get(`fx:${name}`))).toEqual(["factur-x.xml", "INVOICE", "1.0", "EN 16931"])
    const again = await download(`/invoices/${invoice.id}/facturx`)
    expect(Buffer.from(again.bytes).equals(Buffer.from(bytes))).toBe(true)
  })

  it("answers a credit note likewise", async () => {
    const note = await credited(await books.issued())
    const { bytes } = await download(`/credit-notes/${note.id}/facturx`)
    const [[, content] = []] = (await opened(bytes)).files
    const xml = read(new TextDecoder().decode(content ?? undefined))
    expect(one(xml, "ExchangedDocument/ID")).toBe(note.number)
    expect(all(xml, "ExchangedDocument/TypeCode")).toEqual(["381"])
  })
})
