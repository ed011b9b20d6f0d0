import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/Connections.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { crossIndustryInvoice, ublInvoice } from "../../expenses/receipts/extraction/EmbeddedInvoices.ts"
import { line } from "../../support/Billing.ts"
import { approved } from "../../support/Network.ts"
import { here, startService } from "../../support/Service.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { brokenRules } from "./OfficialMessages.ts"
import { type Fault, lifecycle, platform } from "./Platform.ts"

const { app, open } = useEinvoicing({ production: true })
let point: Awaited<ReturnType<typeof platform>>

beforeAll(async () => {
  point = await platform()
})
afterAll(() => point.close())

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")

const siren = "732829320"
const buyer_siren = "552100554"
const toBuyer = {
  recipient_identifier_scheme: "FR:CTC",
  recipient_identifier_value: buyer_siren,
  recipient_country_code: "FR",
  recipient_name: "ACHETEUR"
}

/** Opens a French organization for the only account of the platform, which no earlier test's organization has any more. */
const connected = async (settings: Readonly<Record<string, string>> = {}) => {
  const books = await open({ country: "FR", rates: [20, 5.5] })
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
  await app.inDatabase("delete from provider_connections")
  point.faults.length = 0
  point.flows.length = 0
  point.lines.clear()
  for (const line of [siren, buyer_siren])
    point.lines.set(line, { status: "Enabled", entityType: "PrivateVatRegistered" })
  point.state.ack = { status: "Ok" }
  point.state.directory = "up"
  point.state.lost.clear()
  const organization_id = OrganizationId.make(books.id)
  const connect = Connections.use(({ connect }) =>
    connect({ organization_id, adapter: "xp_z12_013", settings: { ...point.settings, ...settings } }, "admin")
  ).pipe(Effect.provide(ConnectedProviders))
  const register = (given: object = {}) =>
    books.register({
      country_code: "FR",
      identifier_scheme: "FR:SIREN",
      identifier_value: siren,
      postal_code: "75002",
      city: "Paris",
      ...given
    })
  return { ...books, organization_id, connect, register }
}

/** An organization that is connected and registered, with requests about its documents. */
const seller = async () => {
  const books = await connected()
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
  const resume = () =>
    app.inDatabase(`update provider_submissions set attempted_at = attempted_at - interval '11 minutes'
      where organization_id = ${books.id}`)
  const unpause = () =>
    app.inDatabase(`update provider_connections set paused_until = null where organization_id = ${books.id}`)
  return { ...books, drafted, sent, resume, unpause }
}

/** A life cycle message about a document of the organization arrives. */
const told = (given: Parameters<typeof lifecycle>[0]) => point.receive(lifecycle(given), "CDAR", "CustomerInvoiceLC")

describe("an organization that is connected to a platform", () => {
  it("is a receiver when the directory has its line, and not before", async () => {
    const { call, connect, id, register } = await connected()
    await app.run(connect)
    point.lines.delete(siren)
    await expect(register()).rejects.toThrow(`no line ${siren}`)
    point.lines.set(siren, { status: "Upcoming", entityType: "PrivateVatRegistered" })
    await app.run(approved(id, (await call("GET", "/einvoicing/registration")).body.data.id))
    expect((await call("GET", "/einvoicing/registration")).body.data).toMatchObject({
      status: "active",
      environment: "production"
    })
    const [provider] = (await call("GET", "/einvoicing/providers")).body.data
    expect(provider).toMatchObject({ code: "fr_ctc", name: "Plateforme agréée", connection: { last_error: null } })
  })

  it("is not connected with wrong credentials", async () => {
    const wrong = await connected({ client_secret: "wrong" })
    expect((await app.run(Effect.flip(wrong.connect))).message).toContain("refuses the credentials")
  })

  it("asks for one token, and for another one when the platform ended it early", async () => {
    const { sent } = await seller()
    const before = point.state.tokens
    const first = await sent()
    expect(await first.transmit()).toBe("done")
    const between = point.state.tokens
    point.state.token = `token-${between}`
    const second = await sent()
    expect(await second.transmit()).toBe("done")
    expect([between - before <= 1, point.state.tokens - between]).toEqual([true, 1])
  })

  it("finds the line of a customer, none when there is none, and 503 when nobody can tell", async () => {
    const { call, customer_id, connect } = await connected()
    await app.run(connect)
    const validate = () => call("GET", `/customers/${customer_id}/validate-network`)
    expect((await validate()).body.data).toMatchObject({ found: true, verified: true, network: "fr_ctc" })
    const query = `country_code=FR&identifier_scheme=FR:SIREN&identifier_value=${buyer_siren}`
    const search = () => call("GET", `/einvoicing/participants/search?${query}`)
    expect((await search()).body.data).toMatchObject({ found: true, name: "ACHETEUR" })
    point.lines.set(buyer_siren, { status: "Disabled", entityType: "PrivateVatRegistered" })
    expect((await search()).status).toBe(404)
    point.lines.delete(buyer_siren)
    expect((await search()).status).toBe(404)
    expect((await validate()).body.data).toMatchObject({ found: false, verified: true })
    point.state.directory = "down"
    expect((await search()).status).toBe(503)
    expect((await validate()).status).toBe(503)
  })
})

describe("a document for a French business", () => {
  it("is judged by the French rules before it leaves", async () => {
    const { draft, validate, submit, drafted } = await seller()
    const bare = await draft()
    const findings = (await validate(bare, toBuyer)).body.data
    expect([findings.profile, findings.errors.map(({ rule }: { rule: string }) => rule)]).toEqual([
      "fr-ctc-ubl",
      ["BR-FR-08"]
    ])
    expect((await submit(bare, toBuyer)).status).toBe(422)
    expect((await validate(await drafted(), toBuyer)).body.data).toMatchObject({ valid: true, errors: [] })
  })

  it("leaves byte for byte and is followed through the life cycle; so does its credit note", async () => {
    const books = await seller()
    const { arrived, id, number, status, transmit, xml_sha256 } = await books.sent()
    point.state.ack = { status: "Pending" }
    expect(await transmit()).toBe("done")
    const [flow] = arrived()
    expect(flow).toMatchObject({ flowSyntax: "UBL", flowProfile: "CIUS", processingRule: "B2B" })
    expect(sha256(flow?.file ?? "")).toBe(xml_sha256)
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: null })
    if (flow !== undefined) point.acknowledge(flow, { status: "Ok" })
    const codes = [
      ["200", "submitted"],
      ["202", "sent"],
      ["203", "delivered"],
      ["207", "delivered"],
      ["205", "accepted"],
      ["211", "accepted"]
    ] as const
    // A message about another document, another kind of document or a document of a supplier changes nothing.
    told({ number: `${number}0`, code: "210", reason: "DOUBLON" })
    told({ number, code: "210", reason: "DOUBLON", type_code: "381" })
    point.receive(lifecycle({ number, code: "210", reason: "DOUBLON" }), "CDAR", "SupplierInvoiceLC")
    for (const [code, expected] of codes) {
      told({ number, code, phase: code >= "204" ? "23" : "305" })
      await books.follow(id)
      expect(await status()).toMatchObject({ status: expected, network_status: code, environment: "production" })
    }
    const evidence = (await books.at(id, "/evidence")).body.data
    const own = point.flows
      .filter(({ file }) => file.includes(`<r:IssuerAssignedID>${number}<`))
      .map(({ file }) => sha256(file))
    const receipts = evidence.receipts.filter(({ type }: { type: string }) => type === "lifecycle_status")
    expect(receipts).toHaveLength(codes.length)
    for (const { archive_object_id, sha256: hash } of receipts) {
      expect(own).toContain(hash)
      const { text } = await books.call("GET", `/archive/documents/${archive_object_id}/download`)
      // The byte order mark is no part of the text.
      expect(sha256(`\ufeff${text}`)).toBe(hash)
    }

    point.state.ack = { status: "Ok" }
    const note = await books.made("POST", "/credit-notes", {
      invoice_id: (await status()).invoice_id,
      reason: "Returned",
      amount: 12,
      operation_nature: "services"
    })
    const { data } = (await books.submit({ id: 0 }, { ...toBuyer, invoice_id: null, credit_note_id: note.id })).body
    expect(await books.transmit(data.id)).toBe("done")
    expect(sha256(arrived()[1]?.file ?? "")).toBe(data.xml_sha256)
    told({ number: data.number, code: "203", type_code: "381" })
    await books.follow(data.id)
    expect((await books.at(data.id)).body.data).toMatchObject({ status: "delivered", network_status: "203" })
  })

  it.each([
    ["210", "rejected", "DOUBLON"],
    ["213", "rejected", "REJ_UNI"],
    ["221", "rejected", "ROUTAGE_ERR"],
    ["501", "failed", "IRR_SYNTAX"]
  ] as const)("ends with status %s as %s, with the reason", async (code, expected, reason) => {
    const books = await seller()
    const { id, number, status, transmit } = await books.sent()
    await transmit()
    told({ number, code, reason })
    await books.follow(id)
    expect(await status()).toMatchObject({ status: expected, network_status: code, reason: `${reason}: Motif` })
    // The corrected document has the number of the one that failed, and not its fate.
    point.flows.find(({ flowDirection }) => flowDirection === "Out")?.file.fill(0)
    const again = await books.submitted({ id: (await status()).invoice_id }, toBuyer)
    await books.transmit(again.id)
    await books.follow(again.id)
    expect((await books.at(again.id)).body.data).toMatchObject({ number, status: "submitted", network_status: "Ok" })
  })

  it("fails with the technical verdict of the platform", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    const details = [{ level: "Error", item: "file", reasonCode: "VirusFound", reasonMessage: "A virus." }]
    point.state.ack = { status: "Error", details }
    await transmit()
    await books.follow(id)
    expect(await status()).toMatchObject({
      status: "failed",
      network_status: "VirusFound",
      reason: "VirusFound: A virus."
    })
  })

  it("does not leave for a recipient without a line, and waits while the directory is down", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent()
    point.state.directory = "down"
    expect(await transmit()).toBe("NetworkUnavailable")
    point.state.directory = "up"
    point.lines.delete(buyer_siren)
    expect(await transmit()).toBe("done")
    expect([arrived().length, await status()]).toMatchObject([
      0,
      { status: "failed", reason: expect.stringContaining(buyer_siren) }
    ])
  })

  it("is business to government when the recipient is a public body", async () => {
    const books = await seller()
    point.lines.set(buyer_siren, { status: "Enabled", entityType: "Public" })
    const { arrived, transmit } = await books.sent()
    await transmit()
    expect(arrived()).toMatchObject([{ processingRule: "B2G" }])
  })
})

describe("a payment", () => {
  it("for services is reported by the seller once, by rate, with the message as evidence", async () => {
    const books = await seller()
    const [standard, reduced] = books.tax_rate_ids
    const items = [line(100, { tax_rate_ids: [standard] }), line(200, { tax_rate_ids: [reduced] })]
    const draft = await books.draft({ operation_nature: "mixed", items })
    const { id, invoice_id, number } = await books.submitted(draft, toBuyer)
    await books.transmit(id)
    told({ number, code: "203" })
    await books.follow(id)
    await books.pay(await books.invoice(invoice_id), 100)
    await books.pay(await books.invoice(invoice_id))
    await books.follow(id)
    await books.follow(id)
    const messages = point.sent("CDAR").map(({ file }) => file)
    expect(
      messages.map((file) =>
        [...file.toString().matchAll(/Amount currencyID="EUR">([^<]+)<.*?Percent>([^<]+)</g)].map(([, ...of]) => of)
      )
    ).toEqual([
      [
        ["36.25", "20"],
        ["63.75", "5.5"]
      ],
      [
        ["83.75", "20"],
        ["147.25", "5.5"]
      ]
    ])
    for (const file of messages) expect(brokenRules(file)).toEqual([])
    expect((await books.at(id)).body.data).toMatchObject({ status: "delivered", network_status: "212" })
    const { receipts } = (await books.at(id, "/evidence")).body.data
    const reported = receipts.filter(({ type }: { type: string }) => type === "payment_status")
    expect(reported.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(messages.map(sha256))
  })

  it("for goods is not reported", async () => {
    const books = await seller()
    const { id, invoice_id } = await books.submitted(await books.draft({ operation_nature: "goods" }), toBuyer)
    await books.transmit(id)
    await books.follow(id)
    await books.pay(await books.invoice(invoice_id))
    await books.follow(id)
    expect(point.sent("CDAR")).toEqual([])
  })
})

describe("a failure of the platform", () => {
  it("that is a verdict ends the submission, and the document can be submitted again", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("malformed")
    expect(await transmit()).toBe("done")
    const { invoice_id, reason, status: ended } = await status()
    expect([ended, reason, arrived()]).toEqual(["failed", "The file is no invoice.", []])
    const again = await books.submitted({ id: invoice_id }, toBuyer)
    expect(await books.transmit(again.id)).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it("that asks for silence gets it", async () => {
    const books = await seller()
    const { arrived, transmit } = await books.sent("busy")
    expect(await transmit()).toBe("NetworkUnavailable")
    const before = point.state.requests
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.requests).toBe(before)
    const [provider] = (await books.call("GET", "/einvoicing/providers")).body.data
    expect(provider.connection.last_error).toContain("wait")
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
      expect([arrived().length, (await status()).network_status]).toEqual([1, "Ok"])
    }
  )

  it("of which nobody knows whether it took the document is repeated only when it must have ended", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("reset_before")
    const before = point.state.submissions
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.submissions).toBe(before + 1)
    await books.resume()
    expect(await transmit()).toBe("done")
    expect([arrived().length, (await status()).status]).toEqual([1, "submitted"])
  })

  it("that is forgotten, as after a restored backup, does no harm, because it refuses a file that it has", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    await app.inDatabase(`delete from provider_submissions where organization_id = ${books.id}`)
    expect(await transmit()).toBe("done")
    expect(arrived().map(({ ack }) => ack.status)).toEqual(["Ok", "Error"])
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: "Ok" })
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
    expect([arrived().length, (await status()).network_status]).toEqual([1, "Ok"])
  }, 200_000)
})

describe("a document that a supplier sends to the organization", () => {
  const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
  const collect = () => app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(services)))

  /** A supplier's invoice to the organization. */
  const invoice = (number: string) =>
    ublInvoice()
      .replace(/<cbc:ID>[^<]*</, `<cbc:ID>${number}<`)
      .replace(/<cac:AccountingSupplierParty>.*<\/cac:AccountingSupplierParty>/s, parties)

  const party = (name: string, id: string) =>
    `<cac:Party><cbc:EndpointID schemeID="0225">${id}_STATUTS</cbc:EndpointID><cac:PartyLegalEntity>` +
    `<cbc:RegistrationName>${name}</cbc:RegistrationName><cbc:CompanyID schemeID="0002">${id}</cbc:CompanyID>` +
    `</cac:PartyLegalEntity></cac:Party>`
  const parties =
    `<cac:AccountingSupplierParty>${party("VENDEUR", buyer_siren)}</cac:AccountingSupplierParty>` +
    `<cac:AccountingCustomerParty>${party("ACHETEUR", siren)}</cac:AccountingCustomerParty>`

  const received = async () => {
    const books = await seller()
    const list = async () => (await books.call("GET", "/einvoicing/received?sort=id")).body.data
    return { ...books, list }
  }

  it("is archived byte for byte in any syntax, listed once and taken in charge", async () => {
    const { call, list } = await received()
    const files = [
      point.receive(invoice("F-1")),
      point.receive(crossIndustryInvoice(), "CII"),
      point.receive("<broken", "Factur-X")
    ]
    await collect()
    await collect()
    const listed = await list()
    expect(listed.map((one: { sha256: string }) => one.sha256)).toEqual(files.map(({ file }) => sha256(file)))
    expect(listed.map(({ syntax }: { syntax: string | null }) => syntax)).toEqual(["ubl", "cii", null])
    expect(listed[0]).toMatchObject({ number: "F-1", provider: "fr_ctc", environment: "production" })
    const { id } = listed[0]
    const { expense_id } = (await call("POST", `/einvoicing/received/${id}/create-expense`, {})).body.data
    const expense = (await call("GET", `/expenses/${expense_id}`)).body.data
    expect([expense.amount, expense.reference]).toEqual([listed[0].total, "F-1"])
    const [message] = point.sent("CDAR")
    expect(message?.file.toString()).toContain("<ram:ProcessConditionCode>204<")
    expect(brokenRules(message?.file ?? Buffer.alloc(0))).toEqual([])
  })

  it("is approved and refused by life cycle messages, once each", async () => {
    const { call, list } = await received()
    point.receive(invoice("F-1"))
    point.receive(invoice("F-2"))
    point.receive(invoice("F-3"))
    await collect()
    const [first, second, third] = await list()
    const answer = (id: number, verb: string, body?: object) => call("POST", `/einvoicing/received/${id}/${verb}`, body)
    point.faults.push("reset_after")
    expect((await answer(first.id, "accept")).status).toBe(503)
    expect((await answer(first.id, "accept")).body.data.status).toBe("accepted")
    expect((await answer(second.id, "refuse", { reason: "DOUBLE_FACT: already invoiced" })).status).toBe(200)
    expect((await answer(third.id, "refuse", { reason: "The goods were not ordered." })).status).toBe(200)
    const messages = point
      .sent("CDAR")
      .map(({ file }) => file)
      .slice(3)
    expect(
      messages.map((file) => [
        /IssuerAssignedID>([^<]+)/.exec(file.toString())?.[1],
        /ConditionCode>([^<]+)/.exec(file.toString())?.[1],
        /ReasonCode>([^<]+)/.exec(file.toString())?.[1]
      ])
    ).toEqual([
      ["F-1", "205", undefined],
      ["F-2", "210", "DOUBLE_FACT"],
      ["F-3", "210", "NON_CONFORME"]
    ])
    for (const file of messages) expect(brokenRules(file)).toEqual([])
  })

  it("tells the reason when the platform refuses an answer", async () => {
    const { call, list } = await received()
    point.receive(invoice("F-1"))
    await collect()
    const [{ id }] = await list()
    point.state.ack = {
      status: "Error",
      details: [{ level: "Error", item: "status", reasonCode: "InvoiceLCInvalidStatus", reasonMessage: "Too late." }]
    }
    const { body, status } = await call("POST", `/einvoicing/received/${id}/accept`)
    expect([status, body.code, body.message]).toEqual([422, "answer_refused", "Too late."])
  })

  it("arrives although another one cannot be downloaded, and the platform forgets the page to go on with", async () => {
    const { list } = await received()
    point.state.page_max = 1
    const numbers = Array.from({ length: 12 }, (_, index) => `F-${index + 1}`)
    const [first] = numbers.map((number) => point.receive(invoice(number)))
    point.state.lost.add(first?.flowId ?? "")
    const count = async () => (await list()).length
    await collect()
    expect(await count()).toBe(9)
    point.state.isForgetful = true
    await collect()
    point.state.isForgetful = false
    point.state.page_max = 100
    expect(await count()).toBe(9)
    await collect()
    expect(await count()).toBe(11)
    point.state.lost.clear()
    await collect()
    expect((await list()).map(({ number }: { number: string }) => number).toSorted()).toEqual(numbers.toSorted())
  })
})
