import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { approved } from "../../support/counterparts/Network.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { lifecycle } from "./Lifecycle.ts"
import { buyer_siren, siren, toBuyer, usePlatform } from "./Seller.ts"

const { app, connected, point, seller, told } = await usePlatform()

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

  it("is left alone as long as it asks instead of giving a token", async () => {
    const { connect, id } = await connected()
    const former = point.state.token
    point.state.token = "busy"
    expect((await app.run(connect)).last_error).toContain("asks to wait")
    point.state.token = former
    const paused = "select paused_until > now() + interval '1 minute' as is_paused from provider_connections where"
    expect(await app.inDatabase(`${paused} organization_id = ${id}`)).toEqual([{ is_paused: true }])
  })

  it("requests one token, and another one if the platform ended it early", async () => {
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

  it("finds the line of a customer, finds none if there is none, and answers 503 if the directory fails", async () => {
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
  it.each(["GP", "MQ", "RE"])("overseas (%s) has the French format", async (country) => {
    const books = await seller()
    await books.made("PUT", `/customers/${books.customer_id}`, { country, city: "Saint-Denis", postal_code: "97400" })
    const sent = await books.submitted(await books.drafted(), { ...toBuyer, recipient_country_code: country })
    expect(sent).toMatchObject({ profile: "fr-ctc-ubl", recipient: { identifier_scheme: "0225" } })
  })

  it.each(["GP", "MQ", "RE"])("may come from a seller overseas (%s), whose SIREN is stated", async (country) => {
    const books = await seller(country)
    await books.made("PUT", `/customers/${books.customer_id}`, { country, city: "Saint-Denis", postal_code: "97400" })
    expect((await books.validate(await books.drafted(), toBuyer)).body.data).toMatchObject({ valid: true, errors: [] })
    expect(await books.made("GET", `/customers/${books.customer_id}/validate-network`)).toMatchObject({
      provider: "fr_ctc",
      found: true
    })
    const query = `country_code=${country}&identifier_scheme=FR:CTC&identifier_value=${buyer_siren}`
    expect(await books.made("GET", `/einvoicing/participants/search?${query}`)).toMatchObject({ network: "fr_ctc" })
    expect(await books.made("GET", `/einvoicing/identifiers/requirements?country_code=${country}`)).toMatchObject({
      provider: "fr_ctc"
    })
  })

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

  it("fails for a recipient without a line, and is retryable if the line starts on a later day", async () => {
    const books = await seller()
    const line = { entityType: "PrivateVatRegistered" }
    const sentTo = async (status: string) => {
      point.lines.set(buyer_siren, { ...line, status })
      const { status: of, transmit } = await books.sent()
      expect(await transmit()).toBe("done")
      return of()
    }
    expect(await sentTo("Disabled")).toMatchObject({ status: "failed", retryable: false })
    const upcoming = await sentTo("Upcoming")
    point.lines.set(buyer_siren, { ...line, status: "Enabled" })
    expect(upcoming).toMatchObject({
      status: "failed",
      network_status: "recipient_unknown",
      reason: expect.stringContaining("is not in force yet"),
      retryable: true
    })
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
      // Decoding has removed the byte order mark from the text, but the hash includes it.
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
    // The corrected document has the number of the failed one, but not its status.
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

  it("is found at the platform although the line of its recipient was removed since", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    point.lines.delete(buyer_siren)
    expect(await transmit()).toBe("done")
    expect([arrived().length, (await status()).status]).toEqual([1, "submitted"])
  })

  it("is business to government when the recipient is a public body", async () => {
    const books = await seller()
    point.lines.set(buyer_siren, { status: "Enabled", entityType: "Public" })
    const { arrived, transmit } = await books.sent()
    await transmit()
    expect(arrived()).toMatchObject([{ processingRule: "B2G" }])
  })

  it("does no harm when its hand-over is forgotten, as after a restored backup: the platform refuses a file it has", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    await app.inDatabase(`delete from provider_submissions where organization_id = ${books.id}`)
    expect(await transmit()).toBe("done")
    expect(arrived().map(({ ack }) => ack.status)).toEqual(["Ok", "Error"])
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: "Ok" })
  })

  it("is found again when the platform's answer states a time that cannot be read", async () => {
    const books = await seller()
    const { arrived, transmit } = await books.sent("odd_time_after")
    expect([await transmit(), await transmit()]).toEqual(["NetworkUnavailable", "done"])
    expect(arrived()).toHaveLength(1)
  })
})
