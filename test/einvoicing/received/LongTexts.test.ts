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
