import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Providers } from "../../../src/einvoicing/providers/Provider.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { enterpriseNumber } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "../documents/Submitting.ts"

const { app, open } = useEinvoicing()

it("a document is read that embeds a file, or has thousands of lines", async () => {
  const file = Buffer.alloc(4_000_000, "file").toString("base64")
  const embedded = `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject>${file}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`
  const line = `<cac:InvoiceLine><cac:Item><cbc:Name>${"Call ".repeat(100)}</cbc:Name></cac:Item></cac:InvoiceLine>`
  const documents = await Promise.all(
    [embedded, line.repeat(5_000)].map(async (more) => {
      const books = await open()
      const arrival = {
        transmission_id: "large",
        organization_id: OrganizationId.make(books.id),
        at: Timestamp.make("2026-03-01T10:00:00.000Z"),
        bytes: new TextEncoder().encode(ublInvoice().replace("</Invoice>", `${more}</Invoice>`))
      }
      return { books, arrival }
    })
  )
  // One inbox takes both documents, because a process that reads large files takes long to start.
  const taking = Inbox.use(({ take }) =>
    Effect.forEach(documents, ({ arrival }) => take("peppol", "sandbox", arrival), { discard: true })
  )
  await app.run(taking.pipe(Effect.provide(Inbox.layer.pipe(Layer.provide(ConnectedProviders)))))
  for (const { books } of documents) {
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({ number: "000123", total: 118.4, problem: null })
  }
})

it("documents arrive although the answer of another provider is a defect", async () => {
  const [supplier, buyer] = [await open(), await open()]
  const identifier_value = enterpriseNumber()
  await supplier.register()
  await buyer.register({ identifier_value })
  const recipient = { recipient_identifier_scheme: "0208", recipient_identifier_value: identifier_value }
  const { id } = await supplier.submitted(await supplier.draft(), recipient)
  await supplier.carried(id)
  const partlyDefective = Layer.effect(
    Providers,
    Effect.map(Providers, (providers) => {
      const inboxes = Effect.map(providers.inboxes, (found) => [
        ...found.map(({ provider, ...inbox }) => ({
          ...inbox,
          provider: { ...provider, arrivals: Effect.die("wrong") }
        })),
        ...found
      ])
      return Providers.of({ ...providers, inboxes })
    })
  ).pipe(Layer.provide(ConnectedProviders))
  const services = Inbox.layer.pipe(Layer.provide(partlyDefective))
  await app.run(Inbox.use((inbox) => inbox.collect).pipe(Effect.provide(services)))
  expect(await buyer.made("GET", "/einvoicing/received")).toHaveLength(1)
})
