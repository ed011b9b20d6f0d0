import { Effect, Layer } from "effect"
import { afterAll, beforeAll } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import type { SeedOptions } from "../../support/database/Seed.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { accessPoint, type Fault } from "./AccessPoint.ts"

export const useAccessPoint = ({ app, open } = useEinvoicing({ production: true })) => {
  let point: Awaited<ReturnType<typeof accessPoint>>
  beforeAll(async () => {
    point = await accessPoint()
  })
  afterAll(() => point.close())

  /**
   * Connects a new organization to the access point. The access point has a single company, so the organization of the
   * previous test is disconnected.
   */
  const connected = async (settings: Readonly<Record<string, string>> = {}, options: SeedOptions = {}) => {
    const books = await open(options)
    await app.inDatabase("delete from provider_connections where provider = 'peppol'")
    point.faults.length = 0
    point.documents.length = 0
    point.silent.clear()
    point.broken.clear()
    const organization_id = OrganizationId.make(books.id)
    const connect = Connections.use(({ connect }) =>
      connect({ organization_id, adapter: "recommand", settings: { ...point.settings, ...settings } }, "admin")
    ).pipe(Effect.provide(ConnectedProviders))
    return { ...books, organization_id, connect }
  }

  const arrived = () => point.documents.filter(({ direction }) => direction === "outgoing")

  const seller = async () => {
    const books = await connected()
    await app.run(books.connect)
    await books.register()
    const recipient = { recipient_identifier_value: "9520000000011" }
    const sent = async (...faults: ReadonlyArray<Fault>) => {
      const { id, number, xml_sha256 } = await books.submitted(await books.draft(), recipient)
      point.faults.push(...faults)
      const transmit = () => books.transmit(id)
      const status = async () => (await books.at(id)).body.data
      return { id, number, xml_sha256, transmit, status }
    }
    return { ...books, recipient, sent, arrived }
  }

  const collect = (inbox = Inbox.layer) =>
    app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox.pipe(Layer.provide(ConnectedProviders)))))

  /** Ends the pauses after failed attempts to fetch documents. */
  const elapse = () => app.inDatabase("update unread_arrivals set retry_at = now()")

  return { app, collect, connected, elapse, seller, point: () => point }
}
