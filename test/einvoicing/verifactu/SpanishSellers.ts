import { Effect, Layer } from "effect"
import { afterAll, beforeAll, expect } from "vitest"
import { RecordedDocuments } from "../../../src/einvoicing/recording/RecordedDocuments.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { type Fault, taxAgency } from "./TaxAgency.ts"

let persons = 10_000_000
/** Returns the NIF of a person; no other test uses it. */
const nextNif = (): string => {
  const number = ++persons
  return `${number}${"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]}`
}

export const spanish = {
  recipient_identifier_scheme: "9920",
  recipient_identifier_value: "ES54362315K",
  recipient_country_code: "ES"
}

/** The service, the tax agency, and the organizations that are connected to it. */
export const useTaxAgency = ({ app, open } = useEinvoicing({ production: true })) => {
  let agency: Awaited<ReturnType<typeof taxAgency>> | undefined
  beforeAll(async () => {
    agency = await taxAgency()
  })
  afterAll(async () => {
    expect(agency?.mistakes).toEqual([])
    await agency?.close()
  })
  const required = () => {
    if (agency === undefined) throw new Error("The agency starts before the first test.")
    return agency
  }

  const seller = async ({ facts = {} }: { readonly facts?: object } = {}) => {
    const books = await open({ country: "ES", rates: [21] })
    const nif = nextNif()
    await books.made("PUT", `/organizations/${books.id}`, {
      tax_number: `ES${nif}`,
      address_line1: "Calle Mayor 1",
      city: "Madrid",
      postal_code: "28013",
      settings: [{ key: "payment_iban", value: "ES9121000418450200051332" }]
    })
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "ES", tax_number: "54362315K" })
    const organization_id = OrganizationId.make(books.id)
    const connectingTo = (adapter: string, changes: Readonly<Record<string, string>> = {}) =>
      Connections.use(({ connect }) =>
        connect(
          { organization_id, adapter, settings: { ...required().settings, taxpayer_nif: nif, ...changes } },
          "admin"
        )
      ).pipe(Effect.provide(ConnectedProviders))
    const connecting = (changes: Readonly<Record<string, string>> = {}) => connectingTo("aeat", changes)
    await app.run(connecting())
    const identifier = { country_code: "ES", identifier_scheme: "9920", identifier_value: `ES${nif}` }
    await books.register({ ...identifier, es_sii_registered: false, ...facts })

    const submitted = async (document: { readonly id: number }, given: object = {}) =>
      books.submitted(document, { ...spanish, ...given })
    const sent = async (...faults: ReadonlyArray<Fault>) => {
      const { id, xml_sha256 } = await submitted(await books.draft())
      required().faults.push(...faults)
      return { id, xml_sha256, transmit: () => books.transmit(id), status: async () => (await books.at(id)).body.data }
    }
    const proceed = () =>
      app.inDatabase(`update verifactu_chains set next_send_at = null, leased_until = null
        where organization_id = ${books.id}`)
    const unpause = () =>
      app.inDatabase(`update provider_connections set paused_until = null where organization_id = ${books.id}`)
    const arrived = () => required().arrived.filter(({ issuer }) => issuer === nif)
    const record = (document_type: "invoice" | "credit_note", document_id: number) =>
      app.run(
        RecordedDocuments.use((recorded) => recorded.record({ organization_id, document_type, document_id })).pipe(
          Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders)))
        )
      )
    return { ...books, nif, connecting, connectingTo, submitted, sent, proceed, unpause, arrived, record }
  }

  return { app, seller, required }
}
