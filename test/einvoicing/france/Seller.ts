import { Effect } from "effect"
import { afterAll } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { lifecycle } from "./Lifecycle.ts"
import { type Fault, platform } from "./Platform.ts"

export const siren = "732829320"
export const buyer_siren = "552100554"
export const toBuyer = {
  recipient_identifier_scheme: "FR:CTC",
  recipient_identifier_value: buyer_siren,
  recipient_country_code: "FR",
  recipient_name: "ACHETEUR"
}

export const usePlatform = async ({ app, open } = useEinvoicing({ production: true })) => {
  const point = await platform()
  afterAll(() => point.close())

  /**
   * Connects a new organization to the platform. The platform has a single account, so the organization of the previous
   * test is disconnected.
   */
  const connected = async (settings: Readonly<Record<string, string>> = {}, country = "FR") => {
    const books = await open({ country, rates: [20, 5.5] })
    await books.made("PUT", `/organizations/${books.id}`, {
      tax_number: "FR44732829320",
      registration_number: siren,
      address_line1: "1 rue de la Paix",
      city: "Paris",
      postal_code: "75002",
      settings: [{ key: "payment_iban", value: "FR7630006000011234567890189" }]
    })
    await books.made("PUT", `/customers/${books.customer_id}`, {
      country: "FR",
      tax_number: "FR96552100554",
      einvoicing_identifier_scheme: "FR:CTC",
      einvoicing_identifier_value: buyer_siren
    })
    await app.inDatabase("delete from provider_connections where provider = 'fr_ctc'")
    point.faults.length = 0
    point.flows.length = 0
    point.lines.clear()
    for (const line of [siren, buyer_siren])
      point.lines.set(line, { status: "Enabled", entityType: "PrivateVatRegistered" })
    point.state.ack = { status: "Ok" }
    point.state.directory = "up"
    point.state.lost.clear()
    const organization_id = OrganizationId.make(books.id)
    const reconnect = (changed: Readonly<Record<string, string>>) =>
      Connections.use(({ connect }) =>
        connect({ organization_id, adapter: "xp_z12_013", settings: { ...point.settings, ...changed } }, "admin")
      ).pipe(Effect.provide(ConnectedProviders))
    const connect = reconnect(settings)
    const register = (given: object = {}) =>
      books.register({
        country_code: country,
        identifier_scheme: "FR:SIREN",
        identifier_value: siren,
        postal_code: "75002",
        city: "Paris",
        ...given
      })
    return { ...books, organization_id, connect, reconnect, register }
  }

  const seller = async (country = "FR") => {
    const books = await connected({}, country)
    await app.run(books.connect)
    await books.register()
    const drafted = () => books.draft({ operation_nature: "services" })
    const sent = async (...faults: ReadonlyArray<Fault>) => {
      const { id, number, xml_sha256 } = await books.submitted(await drafted(), toBuyer)
      point.faults.push(...faults)
      const transmit = () => books.transmit(id)
      const status = async () => (await books.at(id)).body.data
      return { id, number, xml_sha256, transmit, status, arrived: () => point.sent("UBL") }
    }
    return { ...books, drafted, sent }
  }

  /** Delivers a life cycle message about a document of the organization. */
  const told = (given: Parameters<typeof lifecycle>[0]) => point.receive(lifecycle(given), "CDAR", "CustomerInvoiceLC")

  return { app, point, connected, seller, told }
}
