import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { PeppolDirectory } from "../../../src/einvoicing/peppol/PeppolDirectory.ts"
import { recommandAdapter } from "../../../src/einvoicing/peppol/RecommandAdapter.ts"
import { NetworkRefused } from "../../../src/einvoicing/providers/Provider.ts"
import { SubmissionsOnce } from "../../../src/einvoicing/providers/SubmissionsOnce.ts"
import { ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { unreadableInbox } from "../received/Arriving.ts"
import { response_type } from "./AccessPoint.ts"
import { useAccessPoint } from "./PointSeller.ts"
import { details, sellers } from "./Sellers.ts"

const { app, collect, connected, elapse, point, seller } = useAccessPoint()

describe("an organization that is connected to the access point", () => {
  it("registers its addresses there, and is a receiver as long as it chooses", async () => {
    const { call, id } = await seller()
    expect(point().identifiers.at(-1)).toEqual({ scheme: "0208", identifier: expect.stringMatching(/^\d{10}$/) })
    expect(point().state.isSmpRecipient).toBe(true)
    const change = { organization_id: id, acts_as_receiver: false }
    expect((await call("PATCH", "/einvoicing/registration", change)).status).toBe(200)
    expect(point().state.isSmpRecipient).toBe(false)
    expect((await call("GET", "/einvoicing/registration")).body.data.environment).toBe("production")
  })

  it("is not connected with wrong credentials or the company of somebody else, and not registered unverified", async () => {
    const wrong = await connected({ api_secret: "wrong" })
    expect((await app.run(Effect.flip(wrong.connect))).message).toContain("Unauthorized")
    const foreign = await connected({ company_id: "c_other" })
    expect((await app.run(Effect.flip(foreign.connect))).message).toContain("Company not found")
    const unverified = await connected()
    await app.run(unverified.connect)
    point().state.isVerified = false
    await expect(unverified.register()).rejects.toThrow("has not verified")
    point().state.isVerified = true
  })

  it.each(sellers)(
    "sends invoices and credit notes in $country, byte for byte, and follows them until they are delivered",
    async ({ country, customer, organization, recipient, registration }) => {
      const books = await connected({}, { country, rates: [19] })
      await app.run(books.connect)
      await books.made("PUT", `/organizations/${books.id}`, organization)
      await books.made("PUT", `/customers/${books.customer_id}`, customer)
      await books.register(registration)
      const delivered = async ({ id, xml_sha256 }: { id: number; xml_sha256: string }) => {
        expect(await books.transmit(id)).toBe("done")
        const document = point().documents.at(-1)
        expect([sha256(document?.xml ?? ""), document?.direction]).toEqual([xml_sha256, "outgoing"])
        await books.follow(id)
        const { data } = (await books.at(id)).body
        expect(data).toMatchObject({ status: "sent", network_status: "AS4", environment: "production" })
        point().respond(document?.envelopeId ?? null, "AB")
        await collect()
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

  it("is listed among the changes since a time after the access point dated its answer", async () => {
    const books = await seller()
    const { id, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    const createdAt = new Date(Date.now() - 60_000).toISOString()
    Object.assign(point().respond(books.arrived()[0]?.envelopeId ?? null, "AB"), { createdAt })
    await collect()
    const before = new Date().toISOString()
    await books.follow(id)
    const changed = (await books.call("GET", `/einvoicing/invoices?updated_since=${before}`)).body.data
    expect(changed).toMatchObject([{ id, status: "delivered" }])
    const { history } = (await books.at(id, "/status")).body.data
    expect(history.at(-1)).toMatchObject({ code: "AB", at: createdAt })
  })

  it("fails with the refusal of the recipient's access point", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    point().respond(books.arrived()[0]?.envelopeId ?? null, "RE")
    await collect()
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "failed", network_status: "MLS-RE" })
  })
})

describe("a document that a supplier sends to the organization", () => {
  it("is archived byte for byte, listed once, and marked as read there", async () => {
    const books = await seller()
    const document = point().receive(ublInvoice())
    const other_type = response_type.replace("invoice_response", "order_response")
    const others = [point().respond("e_unknown", "AP"), point().receive("<x/>", { docTypeId: other_type })]
    await collect()
    await collect()
    const { data } = (await books.call("GET", "/einvoicing/received")).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ provider: "peppol", environment: "production", sha256: sha256(document.xml) })
    for (const { readAt } of [document, ...others]) expect(readAt).not.toBeNull()
  })

  it("arrives although the access point cannot show an earlier document, or dates it wrongly", async () => {
    const books = await seller()
    const lost = point().receive(ublInvoice())
    const answer = point().receive("<x/>", { docTypeId: response_type, type: "unknown" })
    for (const { id } of [lost, answer]) point().broken.set(id, 500)
    point().receive(ublInvoice(), { createdAt: "0 yesterday" })
    const readable = point().receive(ublInvoice())
    await collect()
    const listed = async (): Promise<ReadonlyArray<{ network_reference: string }>> =>
      (await books.call("GET", "/einvoicing/received")).body.data
    expect([(await listed()).length, readable.readAt]).toEqual([1, expect.any(String)])
    const last_error = `Messages that cannot be fetched: 3, such as ${answer.id}: Failed to fetch transmitted document`
    const health = `select last_error from provider_connections where organization_id = ${books.id}`
    expect(await app.inDatabase(health)).toEqual([{ last_error }])
    point().broken.clear()
    await collect()
    expect((await listed()).length).toBe(1)
    await elapse()
    await collect()
    expect([(await listed()).length, lost.readAt]).toEqual([2, expect.any(String)])
  })

  it("is not stored as unreadable when its first reading fails, although it could not be fetched nine times", async () => {
    const books = await seller()
    const { id } = point().receive(ublInvoice())
    point().broken.set(id, 500)
    for (let failures = 1; failures <= 9; failures++) {
      await collect()
      await elapse()
    }
    point().broken.clear()
    const { inbox, state } = unreadableInbox()
    await collect(inbox)
    const listed = async () => (await books.call("GET", "/einvoicing/received")).body.data
    expect([state.reads, await listed()]).toEqual([1, []])
    await elapse()
    await collect()
    expect(await listed()).toMatchObject([{ problem: null }])
  })

  it("is not reported as a failure of the network while it waits for its next reading", async () => {
    const books = await seller()
    point().receive(ublInvoice())
    const { inbox, state } = unreadableInbox()
    for (let run = 1; run <= 2; run++) await collect(inbox)
    const { data } = (await books.call("GET", "/einvoicing/providers")).body
    const { connection } = data.find(({ code }: { code: string }) => code === "peppol")
    expect([state.reads, connection.last_error]).toEqual([1, null])
  })

  it("arrives although an earlier one is larger than an answer may be", async () => {
    const books = await seller()
    const large = point().receive("x".repeat(31 * 1024 * 1024))
    const next = point().receive(ublInvoice())
    await collect()
    expect((await books.call("GET", "/einvoicing/received")).body.data).toHaveLength(1)
    expect([large.readAt, next.readAt]).toEqual([null, expect.any(String)])
    const { requests } = point().state
    await collect()
    expect(point().state.requests).toBe(requests + 1)
  })

  it("is stored although the access point requests a pause at the next one", async () => {
    const books = await seller()
    const [first, second] = [point().receive(ublInvoice()), point().receive(ublInvoice())]
    point().broken.set(second.id, 429)
    await collect()
    expect((await books.call("GET", "/einvoicing/received")).body.data).toHaveLength(1)
    expect([first.readAt, second.readAt]).toEqual([expect.any(String), null])
    const { requests } = point().state
    await collect()
    expect(point().state.requests).toBe(requests)
  })
})

it("a document arrives although the settings of another organization can no longer be opened", async () => {
  const books = await seller()
  const other = await app.organization()
  // The settings are encrypted for the organization whose row is copied.
  await app.inDatabase(`insert into provider_connections
    select (jsonb_populate_record(c, jsonb_build_object('organization_id', ${other.id}, 'account', 'other'))).*
    from provider_connections c where organization_id = ${books.id}`)
  point().receive(ublInvoice())
  await collect()
  expect((await books.call("GET", "/einvoicing/received")).body.data).toHaveLength(1)
})

/** Lets the time pass in which a pending submission does not count as lost. */
const lose = (id: number, age: string) =>
  app.inDatabase(`update einvoices set next_poll_at = now(), created_at = created_at - interval '${age}'
    where id = ${id}`)
const orders = (id: number) =>
  app.inDatabase(`select 1 from jobs where queue_name = 'einvoices.transmission' and element::text like '%"id":${id}%'`)

describe("a document whose submission was not answered", () => {
  it("is not given up by the last attempt, because the recipient would get it twice", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("reset_after")
    expect(await books.transmit(id, true)).toBe("NetworkUnavailable")
    expect((await status()).status).toBe("pending")
    const before = (await orders(id)).length
    await lose(id, "1 day")
    await books.follow(id)
    expect([(await status()).status, (await orders(id)).length]).toEqual(["pending", before + 1])
    expect(await transmit()).toBe("done")
    expect([(await status()).status, books.arrived().length]).toEqual(["submitted", 1])
  })

  it.each([true, false])("ends after 90 days as failed, but not as retryable (connected: %s)", async (isConnected) => {
    const books = await seller()
    const { id, status } = await books.sent("reset_after")
    expect(await books.transmit(id, true)).toBe("NetworkUnavailable")
    await lose(id, "91 days")
    if (!isConnected) await app.inDatabase("delete from provider_connections where provider = 'peppol'")
    await books.follow(id).catch(() => {})
    expect(await status()).toMatchObject({
      status: "failed",
      retryable: false,
      reason: expect.stringContaining("unknown")
    })
  })

  it("is not reported as failed because its recipient is no longer found", async () => {
    const books = await seller()
    const { number, transmit, xml_sha256: sha256 } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    const unknown = new NetworkRefused({ code: "recipient_unknown", message: "Nobody has this address." })
    const directory = Layer.succeed(PeppolDirectory, { lookup: undefined, requireReceiver: () => Effect.fail(unknown) })
    const submitting = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [{ transmission_id } = expect.fail()] = yield* sql<{ transmission_id: string }>`
        select transmission_id::text from provider_submissions where organization_id = ${books.id}`
      const { connect } = yield* recommandAdapter
      const { submit } = yield* connect(books.organization_id, point().settings)
      const transmission = {
        transmission_id,
        document_type: "invoice",
        number,
        sender: { scheme: "0208", value: "0202239951" },
        recipient: { scheme: "0088", value: books.recipient.recipient_identifier_value },
        xml: new TextEncoder().encode(books.arrived()[0]?.xml),
        sha256
      } as const
      const other = { ...transmission, transmission_id: crypto.randomUUID() }
      return [(yield* submit(transmission)).reference, (yield* Effect.flip(submit(other)))._tag]
    }).pipe(Effect.provide([directory, SubmissionsOnce.layer]))
    expect(await app.run(submitting)).toEqual([books.arrived()[0]?.id, "NetworkRefused"])
    expect(books.arrived()).toHaveLength(1)
  })

  it("is found although the company has sent thousands of documents at the same time", async () => {
    const books = await seller()
    const { status, transmit } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    for (let count = 0; count < 2_001; count++)
      Object.assign(point().receive("<x/>"), { direction: "outgoing", createdAt: new Date().toISOString() })
    expect(await transmit()).toBe("done")
    expect((await status()).status).toBe("submitted")
    expect(books.arrived().filter(({ xml }) => xml !== "<x/>")).toHaveLength(1)
  })
})
