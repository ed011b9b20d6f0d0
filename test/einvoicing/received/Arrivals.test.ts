import { Effect, Layer, Stream } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { NetworkUnavailable, Providers } from "../../../src/einvoicing/providers/Provider.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { arrivalReader, ArrivalReader } from "../../../src/einvoicing/received/reading/ArrivalReader.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { enterpriseNumber } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { arrivalOf, collecting, unreadableInbox } from "./Arriving.ts"

const { app, open } = useEinvoicing()

it("a document is read that embeds a file, or has thousands of lines", async () => {
  const file = Buffer.alloc(4_000_000, "file").toString("base64")
  const embedded = `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject>${file}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`
  const line = `<cac:InvoiceLine><cac:Item><cbc:Name>${"Call ".repeat(100)}</cbc:Name></cac:Item></cac:InvoiceLine>`
  const documents = await Promise.all(
    [embedded, line.repeat(5_000)].map(async (more) => {
      const books = await open()
      return { books, arrival: arrivalOf(books, ublInvoice().replace("</Invoice>", `${more}</Invoice>`)) }
    })
  )
  // One inbox takes both documents, because a process that reads large files takes long to start.
  await app.run(collecting(documents.map(({ arrival }) => arrival)))
  for (const { books } of documents) {
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({ number: "000123", total: 118.4, problem: null })
  }
})

it("a document whose reading was killed waits, does not delay others, and is unreadable after ten attempts", async () => {
  const books = await open()
  const arrival = arrivalOf(books, ublInvoice())
  const { inbox, state } = unreadableInbox()
  const list = () => books.made("GET", "/einvoicing/received")
  const attempt = () => app.run(collecting([arrival], { inbox }))
  await attempt()
  await attempt()
  expect([state.reads, await list()]).toEqual([1, []])
  for (let attempts = 2; attempts <= 10; attempts++) {
    await app.inDatabase(`update unread_arrivals set retry_at = now() where organization_id = ${books.id}`)
    await attempt()
    expect([attempts, state.reads]).toEqual([attempts, attempts])
  }
  expect(await list()).toMatchObject([{ total: null, problem: expect.stringContaining("several attempts") }])
  expect(await app.inDatabase(`select 1 from unread_arrivals where organization_id = ${books.id}`)).toEqual([])
  await app.run(collecting([arrivalOf(books, ublInvoice())]))
  expect(await list()).toHaveLength(2)
})

it("a document is read once although the network does not take its confirmation", async () => {
  const books = await open()
  const { inbox, state } = countingInbox()
  const arrival = arrivalOf(books, ublInvoice())
  const unconfirmed = { inbox, confirm: () => Effect.fail(new NetworkUnavailable({ message: "down" })) }
  for (let run = 1; run <= 3; run++) await app.run(collecting([arrival], unconfirmed))
  expect([state.reads, await books.made("GET", "/einvoicing/received")]).toMatchObject([1, [{ number: "000123" }]])
})

/** An inbox that counts how often it reads a document. */
const countingInbox = () => {
  const state = { reads: 0 }
  const reader = Layer.effect(
    ArrivalReader,
    Effect.map(ArrivalReader, ({ read }) =>
      ArrivalReader.of({ read: (arrival) => Effect.suspend(() => (state.reads++, read(arrival))) })
    )
  ).pipe(Layer.provide(arrivalReader()))
  return { state, inbox: Inbox.readBy(reader) }
}

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
          provider: { ...provider, arrivals: Stream.die("wrong") }
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
