import { expect, it } from "vitest"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { arrivalOf, collecting } from "./Arriving.ts"

const { app, open } = useEinvoicing()

it("a document is kept whose name and description have an emoji at their maximum length, without the emoji", async () => {
  const books = await open()
  const [name, item] = ["a".repeat(254), "b".repeat(499)]
  const lines = `<cac:InvoiceLine><cac:Item><cbc:Name>${item}\u{1f600}</cbc:Name></cac:Item></cac:InvoiceLine></Invoice>`
  const xml = ublInvoice().replace("Café Zürich &amp; Söhne", `${name}\u{1f600}`).replace("</Invoice>", lines)
  await app.run(collecting([arrivalOf(books, xml)]))
  const [received] = await books.made("GET", "/einvoicing/received")
  expect([received.supplier.name, received.description]).toEqual([name, item])
})

const long = "x".repeat(10_000)
const subtotal = /<cac:TaxSubtotal>.*<\/cac:TaxSubtotal>/s

/** An invoice in which the supplier states long fields, in texts and in attributes. */
const verbose = () =>
  ublInvoice()
    .replace(
      "<cac:AccountingSupplierParty><cac:Party>",
      `$&<cbc:EndpointID schemeID="${long}">${long}</cbc:EndpointID><cac:PostalAddress><cac:Country>` +
        `<cbc:IdentificationCode>${long}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>` +
        `<cac:PartyTaxScheme><cbc:CompanyID>${long}</cbc:CompanyID>` +
        "<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>"
    )
    .replace("</cac:PaymentMeans>", `<cac:PayeeFinancialAccount><cbc:ID>${long}</cbc:ID></cac:PayeeFinancialAccount>$&`)

it("a document is kept with the beginning of the supplier's long fields, and becomes an expense", async () => {
  const books = await open()
  await app.run(collecting([arrivalOf(books, verbose())]))
  const [received] = await books.made("GET", "/einvoicing/received")
  const { name, ...fields } = received.supplier
  expect([name, Object.values(fields)]).toEqual(["Café Zürich & Söhne", Array<string>(5).fill("x".repeat(255))])
  const { id } = await books.made("POST", `/einvoicing/received/${received.id}/create-expense`, {})
  const expense = await books.made("GET", `/expenses/${id}`)
  expect(expense).toMatchObject({ country: null, notes: expect.stringMatching(/^IBAN: x{255}\n.*: x{255}$/) })
})

it("a document that is no invoice, but has a long name, is kept with a short problem", async () => {
  const books = await open()
  await app.run(collecting([arrivalOf(books, `<${long}/>`)]))
  const [received] = await books.made("GET", "/einvoicing/received")
  expect(received.problem.length).toBeLessThan(400)
})

it("a document with more than 100 tax rates is kept without them, and does not become an expense", async () => {
  const books = await open()
  const documents = [101, 100].map((count) => ublInvoice().replace(subtotal, (row) => row.repeat(count)))
  await app.run(collecting(documents.map((document) => arrivalOf(books, document))))
  const [some, many] = await books.made("GET", "/einvoicing/received")
  expect([some.tax_rates.length, many.tax_rates]).toEqual([100, []])
  expect(many.problem).toBe("The document states more than 100 tax rates.")
  const refused = await books.call("POST", `/einvoicing/received/${many.id}/create-expense`, {})
  expect([refused.status, refused.body.code]).toEqual([422, "document_unreadable"])
})

it("a document whose long fields an earlier version stored in full is listed with their beginning", async () => {
  const books = await open()
  await app.run(collecting([arrivalOf(books, ublInvoice())]))
  await app.inDatabase(`update received_documents set problem = repeat('p', 100000),
    supplier = supplier
      || jsonb_build_object('tax_number', repeat('x', 100000), 'identifier_scheme', repeat('x', 100000)),
    signature = jsonb_build_object('status', 'invalid', 'signer', repeat('x', 100000), 'certificate_valid_until', null,
      'trust', 'unchecked', 'note', null),
    tax_rates = (select jsonb_agg(n) from generate_series(1, 1000) n) where organization_id = ${books.id}`)
  const { body, text } = await books.call("GET", "/einvoicing/received")
  const [{ supplier, ...received }] = body.data
  expect(text.length).toBeLessThan(5_000)
  expect(received).toMatchObject({ tax_rates: [], signature: { signer: "x".repeat(255), note: null } })
  expect(supplier).toMatchObject({ tax_number: "x".repeat(255), iban: null, identifier_scheme: "x".repeat(255) })
  expect((await books.made("GET", `/einvoicing/received/${received.id}`)).supplier).toEqual(supplier)
})
