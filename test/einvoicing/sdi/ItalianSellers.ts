import { Effect, Layer } from "effect"
import { afterAll, beforeAll } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { hasDovecot } from "./Dovecot.ts"
import { type Fault, pecNetwork } from "./PecNetwork.ts"

let sellers = 0
let networks = 0

/** Returns a partita IVA that no other test has: ten digits and a check digit. */
const partitaIva = () => {
  const digits = String(6_000_000_000 + ++sellers)
  const sum = Array.from(digits, Number).reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? digit : digit * 2
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export const recipient = {
  recipient_identifier_scheme: "IT:SDI",
  recipient_identifier_value: "M5UXCR1",
  recipient_country_code: "IT"
}

/** A public office with its code in the index of the public administration (IPA). */
export const office = { ...recipient, recipient_identifier_scheme: "0201", recipient_identifier_value: "UF5UXC" }

export const useSdi = ({ app, open } = useEinvoicing({ production: true })) => {
  const domain = `pec${++networks}.example`
  let network: Awaited<ReturnType<typeof pecNetwork>>

  beforeAll(async () => {
    if (hasDovecot) network = await pecNetwork()
  })
  afterAll(() => network?.close())

  const collect = () =>
    app.run(
      Inbox.use(({ collect }) => collect).pipe(Effect.provide(Inbox.layer.pipe(Layer.provide(ConnectedProviders))))
    )

  const connected = async (changes: Readonly<Record<string, string>> = {}) => {
    const books = await open({ country: "IT", rates: [22] })
    await app.inDatabase(`delete from provider_connections where provider = 'it_sdi' and account like '%${domain}'`)
    network.faults.length = 0
    const number = partitaIva()
    const address = `fatture${number}@${domain}`
    const settings = { ...network.settings(address), ...changes }
    const organization_id = OrganizationId.make(books.id)
    const connect = Connections.use(({ connect }) =>
      connect({ organization_id, adapter: "sdi_pec", settings }, "admin")
    ).pipe(Effect.provide(ConnectedProviders))
    await books.made("PUT", `/organizations/${books.id}`, {
      tax_number: `IT${number}`,
      address_line1: "Via Roma 1",
      city: "Roma",
      postal_code: "00184"
    })
    const place = { country: "IT", address_line1: "Via Po 2", city: "Torino", postal_code: "10123" }
    await books.made("PUT", `/customers/${books.customer_id}`, { ...place, tax_number: "IT12345670017" })
    return { ...books, number, address, connect }
  }

  const seller = async (changes: Readonly<Record<string, string>> = {}) => {
    const books = await connected(changes)
    await app.run(books.connect)
    await books.register({ country_code: "IT", identifier_scheme: "0211", identifier_value: `IT${books.number}` })
    const known = network.issued.length
    const state = async (id: number) => (await books.at(id)).body.data
    const sent = async (...faults: ReadonlyArray<Fault>) => {
      const draft = await books.draft()
      const { id } = await books.submitted(draft, recipient)
      network.faults.push(...faults)
      return { id, invoice_id: draft.id }
    }
    const toOffice = async (changes: object = {}) => {
      const draft = await books.draft({ purchase_order: "CIG Z1234567AB", ...changes })
      return { ...(await books.submitted(draft, office)), invoice_id: draft.id as number }
    }
    const unsigned = async (id: number): Promise<string> => {
      const { receipts } = (await books.at(id, "/evidence")).body.data
      const kept = receipts.find(({ type }: { readonly type: string }) => type === "unsigned_document")
      return (await books.call("GET", `/archive/documents/${kept.archive_object_id}/download`)).text
    }
    const handIn = async (id: number, content: string | Uint8Array, name = "signed.xml.p7m") => {
      const body = new FormData()
      body.append("file", new Blob([Buffer.from(content)]), name)
      const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
      const url = `${app.url}/api/v1/einvoicing/invoices/${id}/signed-document`
      const answer = await fetch(url, { method: "POST", headers, body })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    }
    /** Reads the mailbox, asks the network for the document's state as the worker does, and returns the document. */
    const news = async (id: number) => {
      await collect()
      await books.follow(id)
      return state(id)
    }
    const issued = () => network.issued.slice(known)
    const answer = (
      code: Parameters<typeof network.notify>[2],
      ...errors: ReadonlyArray<readonly [string, string]>
    ) => {
      const file = issued().at(-1)
      if (file === undefined) throw new Error("The SdI has no file.")
      return network.notify(books.address, file, code, errors)
    }
    const later = () =>
      app.inDatabase(`update provider_submissions set attempted_at = attempted_at - interval '11 minutes'
        where organization_id = ${books.id}`)
    const ignored = () =>
      app.inDatabase(
        `select reason from sdi_messages where kind = 'ignored' and organization_id = ${books.id} order by reason`
      )
    return { ...books, sent, state, news, issued, answer, later, ignored, toOffice, unsigned, handIn }
  }

  return { app, collect, connected, seller, network: () => network }
}
