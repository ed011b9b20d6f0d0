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

it("a document that the network does not let us confirm is read once, waits, and is confirmed later", async () => {
  const books = await open()
  const { inbox, state } = countingInbox()
  const arrival = arrivalOf(books, ublInvoice())
  const confirmed: Array<boolean> = []
  const answering = (isUp: boolean) => {
    const down = Effect.fail(new NetworkUnavailable({ message: "down" }))
    const confirm = () => Effect.suspend(() => (confirmed.push(isUp), isUp ? Effect.void : down))
    return app.run(collecting([arrival], { inbox, confirm }))
  }
  for (let run = 1; run <= 3; run++) await answering(false)
  expect([state.reads, await books.made("GET", "/einvoicing/received")]).toMatchObject([1, [{ number: "000123" }]])
  expect(confirmed).toEqual([false])
  const waiting = () =>
    app.inDatabase(`select failed_step, problem from unread_arrivals where organization_id = ${books.id}`)
  expect(await waiting()).toEqual([{ failed_step: "store", problem: "down" }])
  await app.inDatabase(`update unread_arrivals set retry_at = now() where organization_id = ${books.id}`)
  await answering(true)
  expect([confirmed, state.reads, await waiting()]).toEqual([[false, true], 1, []])
})

it("a document that cannot be confirmed does not wait after a pause that the network requests", async () => {
  const books = await open()
  const busy = new NetworkUnavailable({ message: "busy", retry_after_seconds: 60 })
  await app.run(collecting([arrivalOf(books, ublInvoice())], { confirm: () => Effect.fail(busy) }))
  expect(await app.inDatabase(`select 1 from unread_arrivals where organization_id = ${books.id}`)).toEqual([])
})

it("a document in the sandbox arrives although 100 earlier ones of another organization wait", async () => {
  const [supplier, buyer, other] = [await open(), await open(), await open()]
  await app.inDatabase(`
    with sent as (
      insert into network_transmissions (transmission_id, attempts)
      select gen_random_uuid(), 1 from generate_series(1, 100) returning transmission_id
    ), arrived as (
      insert into network_inbox (transmission_id, network, account, document, at)
      select transmission_id, 'peppol', ${other.id}, '', now() - interval '1 hour' from sent returning transmission_id
    )
    insert into unread_arrivals (organization_id, provider, transmission_id, read_attempts, failed_step, problem, retry_at)
    select ${other.id}, 'peppol', transmission_id, 1, 'read', 'killed', now() + interval '1 hour' from arrived`)
  const identifier_value = enterpriseNumber()
  await supplier.register()
  await buyer.register({ identifier_value })
  const recipient = { recipient_identifier_scheme: "0208", recipient_identifier_value: identifier_value }
  const { id } = await supplier.submitted(await supplier.draft(), recipient)
  await supplier.carried(id)
  const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
  await app.run(Inbox.use((inbox) => inbox.collect).pipe(Effect.provide(services)))
  expect(await buyer.made("GET", "/einvoicing/received")).toHaveLength(1)
  await app.inDatabase("delete from network_inbox")
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
