import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/Connections.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/EmbeddedInvoices.ts"
import { here, startService } from "../../support/Service.ts"
import type { SeedOptions } from "../../support/Seed.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { accessPoint, type Fault } from "./AccessPoint.ts"
import { details, sellers } from "./Sellers.ts"

const { app, open } = useEinvoicing({ production: true })
let point: Awaited<ReturnType<typeof accessPoint>>

beforeAll(async () => {
  point = await accessPoint()
})
afterAll(() => point.close())

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex")

/** Opens an organization for the only company of the access point, which no earlier test's organization has any more. */
const connected = async (settings: Readonly<Record<string, string>> = point.settings, options: SeedOptions = {}) => {
  const books = await open(options)
  await app.inDatabase("delete from provider_connections")
  point.faults.length = 0
  point.documents.length = 0
  const organization_id = OrganizationId.make(books.id)
  const connect = Connections.use(({ connect }) =>
    connect({ organization_id, adapter: "recommand", settings }, "admin")
  ).pipe(Effect.provide(ConnectedProviders))
  return { ...books, organization_id, connect }
}

/** An organization that is connected and registered, with requests about its documents. */
const seller = async () => {
  const books = await connected()
  await app.run(books.connect)
  await books.register()
  const sent = async (...faults: ReadonlyArray<Fault>) => {
    const { id, xml_sha256 } = await books.submitted(await books.draft(), {
      recipient_identifier_value: "9520000000011"
    })
    point.faults.push(...faults)
    const known = point.documents.length
    const transmit = () => books.transmit(id)
    const status = async () => (await books.at(id)).body.data
    return { id, xml_sha256, transmit, status, arrived: () => point.documents.slice(known) }
  }
  const resume = () =>
    app.inDatabase(`update provider_submissions set attempted_at = attempted_at - interval '11 minutes'
      where organization_id = ${books.id}`)
  const unpause = () =>
    app.inDatabase(`update provider_connections set paused_until = null where organization_id = ${books.id}`)
  return { ...books, sent, resume, unpause }
}

describe("an organization that is connected to the access point", () => {
  it("registers its addresses there, and is a receiver as long as it wants to be", async () => {
    const { call, id } = await seller()
    expect(point.identifiers.at(-1)).toEqual({ scheme: "0208", identifier: expect.stringMatching(/^\d{10}$/) })
    expect(point.state.isSmpRecipient).toBe(true)
    const change = { organization_id: id, acts_as_receiver: false }
    expect((await call("PATCH", "/einvoicing/registration", change)).status).toBe(200)
    expect(point.state.isSmpRecipient).toBe(false)
    expect((await call("GET", "/einvoicing/registration")).body.data.environment).toBe("production")
  })

  it("is not connected with wrong credentials or the company of somebody else, and not registered unverified", async () => {
    const wrong = await connected({ ...point.settings, api_secret: "wrong" })
    expect((await app.run(Effect.flip(wrong.connect))).message).toContain("Unauthorized")
    const foreign = await connected({ ...point.settings, company_id: "c_other" })
    expect((await app.run(Effect.flip(foreign.connect))).message).toContain("Company not found")
    const unverified = await connected()
    await app.run(unverified.connect)
    point.state.isVerified = false
    await expect(unverified.register()).rejects.toThrow("has not verified")
    point.state.isVerified = true
  })

  it.each(sellers)(
    "sends invoices and credit notes in $country, byte for byte, and follows them until they are delivered",
    async ({ country, customer, organization, recipient, registration }) => {
      const books = await connected(point.settings, { country, rates: [19] })
      await app.run(books.connect)
      await books.made("PUT", `/organizations/${books.id}`, organization)
      await books.made("PUT", `/customers/${books.customer_id}`, customer)
      await books.register(registration)
      const delivered = async ({ id, xml_sha256 }: { id: number; xml_sha256: string }) => {
        expect(await books.transmit(id)).toBe("done")
        const document = point.documents.at(-1)
        expect([sha256(document?.xml ?? ""), document?.direction]).toEqual([xml_sha256, "outgoing"])
        await books.follow(id)
        const { data } = (await books.at(id)).body
        expect(data).toMatchObject({ status: "sent", network_status: "AS4", environment: "production" })
        point.respond(document?.envelopeId ?? null, "AB")
        await books.follow(id)
        expect((await books.at(id)).body.data).toMatchObject({ status: "delivered", network_status: "AB" })
        const evidence = (await books.at(id, "/evidence")).body.data
        expect([evidence.xml_sha256, evidence.receipts.map(({ type }: { type: string }) => type)]).toEqual([
          xml_sha256,
          ["as4_receipt", "message_level_status"]
        ])
        const sent = (await books.call("GET", "/archive/documents?kind=ubl_xml")).body.data
        expect(sent.map((object: { sha256: string }) => object.sha256)).toContain(xml_sha256)
        return { invoice_id: data.invoice_id, type: document?.type, xml: document?.xml ?? "" }
      }
      const invoice = await delivered(await books.submitted(await books.draft(details), recipient))
      const note = await books.made("POST", "/credit-notes", {
        invoice_id: invoice.invoice_id,
        reason: "Returned",
        amount: 10
      })
      const of_note = { ...recipient, invoice_id: null, credit_note_id: note.id }
      const { data } = (await books.submit({ id: 0 }, of_note)).body
      const credit = await delivered(data)
      expect([invoice.type, credit.type]).toEqual(["invoice", "creditNote"])
      for (const { xml } of [invoice, credit]) {
        expect(xml).toContain(
          `schemeID="${recipient.recipient_identifier_scheme}">${recipient.recipient_identifier_value}<`
        )
        expect(xml).toContain(`<cbc:IdentificationCode>${country}</cbc:IdentificationCode>`)
      }
    }
  )

  it("fails with the refusal of the recipient's access point", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    point.respond(arrived()[0]?.envelopeId ?? null, "RE")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "failed", network_status: "MLS-RE" })
  })
})

describe("a failure of the access point", () => {
  it("that is a verdict ends the submission, and the document can be submitted again", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("refused")
    expect(await transmit()).toBe("done")
    const { invoice_id, reason, status: ended } = await status()
    expect([ended, reason]).toEqual(["failed", expect.stringContaining("BR-01")])
    expect(arrived()).toEqual([])
    const again = await books.submitted({ id: invoice_id }, { recipient_identifier_value: "9520000000011" })
    expect(await books.transmit(again.id)).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it("that is temporary is repeated", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("unreachable")
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("done")
    expect([arrived().length, (await status()).status]).toEqual([1, "submitted"])
  })

  it("that asks for silence gets it", async () => {
    const books = await seller()
    const { arrived, transmit } = await books.sent("busy")
    expect(await transmit()).toBe("NetworkUnavailable")
    const before = point.state.requests
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.requests).toBe(before)
    const [provider] = (await books.call("GET", "/einvoicing/providers")).body.data
    expect(provider).toMatchObject({ name: "Recommand", connection: { last_error: expect.stringContaining("wait") } })
    await books.unpause()
    expect(await transmit()).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it.each<Fault>(["reset_after", "garbage_after", "error_after"])(
    "that hides its success is settled by asking, and nothing is sent twice: %s",
    async (fault) => {
      const books = await seller()
      const { arrived, id, status, transmit } = await books.sent(fault)
      expect(await transmit()).toBe("NetworkUnavailable")
      expect((await status()).status).toBe("pending")
      expect(await transmit()).toBe("done")
      await books.follow(id)
      expect([arrived().length, (await status()).status]).toEqual([1, "sent"])
    }
  )

  it("of which nobody knows whether it took the document is repeated only when it must have ended", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("reset_before")
    const before = point.state.sends
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.sends).toBe(before + 1)
    await books.resume()
    expect(await transmit()).toBe("done")
    expect([arrived().length, (await status()).status]).toEqual([1, "submitted"])
  })

  it("is told apart from a process that was killed between the answer and its own record", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent("stopped_after")
    const service = startService(await app.run(here), { ROLE: "worker", DATA_DIR: app.dataDir })
    point.state.stop = () => void service.then(({ kill }) => kill("SIGKILL"))
    const killed = await (await service).ended
    expect(killed).toBe("SIGKILL")
    expect([arrived().length, (await status()).status]).toEqual([1, "pending"])
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect([arrived().length, (await status()).status]).toEqual([1, "sent"])
  }, 200_000)
})

describe("a document that a supplier sends to the organization", () => {
  it("is archived byte for byte, listed once, and marked as read there", async () => {
    await app.inDatabase("delete from provider_connections")
    const books = await seller()
    const document = point.receive(ublInvoice())
    point.respond("e_unknown", "AP")
    const collect = Inbox.use(({ collect }) => collect).pipe(
      Effect.provide(Inbox.layer.pipe(Layer.provide(ConnectedProviders)))
    )
    await app.run(collect)
    await app.run(collect)
    const { data } = (await books.call("GET", "/einvoicing/received")).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ provider: "peppol", environment: "production", sha256: sha256(document.xml) })
    expect(document.readAt).not.toBeNull()
  })
})
