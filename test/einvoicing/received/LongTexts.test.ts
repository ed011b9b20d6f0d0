import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { useEinvoicing } from "../documents/Submitting.ts"

const { app, open } = useEinvoicing()

const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))

it("a document is kept whose name and description have an emoji at their maximum length, without the emoji", async () => {
  const books = await open()
  const [name, item] = ["a".repeat(254), "b".repeat(499)]
  const lines = `<cac:InvoiceLine><cac:Item><cbc:Name>${item}\u{1f600}</cbc:Name></cac:Item></cac:InvoiceLine></Invoice>`
  const xml = ublInvoice().replace("Café Zürich &amp; Söhne", `${name}\u{1f600}`).replace("</Invoice>", lines)
  const arrival = {
    transmission_id: "external-1",
    organization_id: OrganizationId.make(books.id),
    at: Timestamp.make("2026-03-01T10:00:00.000Z"),
    bytes: new TextEncoder().encode(xml)
  }
  const taking = Inbox.use((inbox) => inbox.take("peppol", "sandbox", arrival))
  await app.run(Effect.provide(taking, services))
  const [received] = await books.made("GET", "/einvoicing/received")
  expect([received.supplier.name, received.description]).toEqual([name, item])
})
