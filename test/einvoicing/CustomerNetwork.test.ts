import { describe, expect, it } from "vitest"
import { inLine } from "../customers/Contention.ts"
import { useApp } from "../support/App.ts"
import { digestOf } from "../support/files/Digest.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"
import { magic, participant } from "../support/counterparts/Network.ts"

const app = useApp()

const known = { einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: "0202239951" }
const unknown = { einvoicing_identifier_scheme: "0208", einvoicing_identifier_value: "0403170701" }

const withCustomer = async (details: object) => {
  const ours = await participant(app)
  const { id } = (await ours.call("POST", "/customers", { name: "Beta", ...details })).body.data
  const validate = () => ours.call("GET", `/customers/${id}/validate-network`)
  const customer = async () => (await ours.call("GET", `/customers/${id}`)).body.data
  const change = (changes: object) => ours.call("PUT", `/customers/${id}`, changes)
  return { ...ours, customer_id: id, validate, customer, change }
}

describe("GET /api/v1/customers/{id}/validate-network", () => {
  it("asks the network once whether it knows the customer, and stores the answer", async () => {
    const { customer, customer_id, id, validate } = await withCustomer({ country: "BE", ...known })
    const { body, status } = await validate()
    expect(status).toBe(200)
    expect(body.data).toEqual({
      customer_id,
      scheme: "0208",
      value: "0202239951",
      found: true,
      verified: true,
      verified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      provider: "peppol",
      environment: "sandbox",
      network: "peppol",
      document_types: ["invoice", "credit_note"]
    })
    const stored = await customer()
    expect([stored.einvoicing_identifier_verified, stored.updated_at]).toEqual([true, body.data.verified_at])
    const { entries, events } = await app.run(verifiedAuditLog(id))
    expect(entries.at(-1)).toMatchObject({
      action: "customer.identifier_verified",
      data: { customer_id, scheme: "0208", value: "0202239951" }
    })
    expect(events.at(-1)).toMatchObject({ type: "customer.updated", data: { attributes: stored } })
    const before = await app.run(digestOf(id))
    expect((await validate()).body).toEqual(body)
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it.each([
    ["a viewer", async (id: number) => (await app.run(seedMember(id, "viewer"))).token],
    [
      "a token that may only read",
      (id: number) => app.run(seedOrganizationToken(id, ["customers:read", "einvoicing:read"]))
    ]
  ])("keeps a success also for %s", async (_, tokenOf) => {
    const { call, customer, customer_id, id } = await withCustomer({ country: "BE", ...known })
    const token = await tokenOf(id)
    const { body, status } = await call("GET", `/customers/${customer_id}/validate-network`, undefined, { token })
    expect([status, body.data]).toMatchObject([200, { found: true, verified: true }])
    expect((await customer()).einvoicing_identifier_verified).toBe(true)
  })

  it("answers a member of an archived organization, and stores nothing", async () => {
    const { id, validate } = await withCustomer({ country: "BE", ...known })
    await app.inDatabase(`update organizations set archived_at = now() where id = ${id}`)
    const before = await app.run(digestOf(id))
    const { body, status } = await validate()
    expect([status, body.data]).toMatchObject([200, { found: true, verified: false, verified_at: null }])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("keeps it once when asked many times at once", async () => {
    const { id, validate } = await withCustomer({ country: "BE", ...known })
    const answers = await Promise.all([validate(), validate(), validate()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { entries } = await app.run(verifiedAuditLog(id))
    expect(entries.filter(({ action }) => action === "customer.identifier_verified")).toHaveLength(1)
  })

  it("says so when the network does not know the customer, and changes nothing", async () => {
    const { id, validate } = await withCustomer({ country: "BE", ...unknown })
    const before = await app.run(digestOf(id))
    const { body, status } = await validate()
    expect([status, body.data]).toMatchObject([
      200,
      { found: false, verified: false, verified_at: null, document_types: [] }
    ])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("never revokes an earlier success", async () => {
    const other = await participant(app)
    const { identifiers } = await other.enrolled()
    const value = identifiers[0].identifier
    const { customer, validate } = await withCustomer({
      country: "BE",
      einvoicing_identifier_scheme: "0208",
      einvoicing_identifier_value: value
    })
    const { verified_at } = (await validate()).body.data
    await other.change({ acts_as_receiver: false })
    expect((await validate()).body.data).toMatchObject({ found: false, verified: true, verified_at })
    expect((await customer()).einvoicing_identifier_verified).toBe(true)
  })

  it("starts again with another identifier", async () => {
    const { change, customer, validate } = await withCustomer({ country: "BE", ...known })
    await validate()
    await change(unknown)
    expect((await customer()).einvoicing_identifier_verified).toBe(false)
    expect((await validate()).body.data).toMatchObject({ found: false, verified: false, verified_at: null })
    await change(known)
    expect((await customer()).einvoicing_identifier_verified).toBe(false)
  })

  it("does not verify an identifier that has replaced the one that it looked up", async () => {
    const { change, customer, customer_id, validate } = await withCustomer({ country: "BE", ...known })
    const answers = await inLine(app, customer_id, [() => change(unknown), validate])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await customer()).toMatchObject({ ...unknown, einvoicing_identifier_verified: false })
  })

  it("uses the country of the scheme if the customer has none", async () => {
    const { validate } = await withCustomer(known)
    expect((await validate()).body.data).toMatchObject({ found: true, provider: "peppol" })
  })

  it.each([
    [{ country: "BE" }, "identifier_missing"],
    [{ einvoicing_identifier_scheme: "0088", einvoicing_identifier_value: "5412345000013" }, "country_unresolved"],
    [{ country: "US", ...known }, "country_unsupported"],
    [{ country: "IT", ...known }, "lookup_unsupported"],
    [{ einvoicing_identifier_scheme: "9945", einvoicing_identifier_value: "PL8567346215" }, "lookup_unsupported"]
  ])("answers 422 for %j and changes nothing", async (details, code) => {
    const { id, validate } = await withCustomer(details)
    const before = await app.run(digestOf(id))
    const { body, status } = await validate()
    expect([status, body.code]).toEqual([422, code])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("answers 503 while the network is down, and changes nothing", async () => {
    const { id, validate } = await withCustomer({
      country: "BE",
      einvoicing_identifier_scheme: "0088",
      einvoicing_identifier_value: magic.unavailable
    })
    const before = await app.run(digestOf(id))
    const { body, status } = await validate()
    expect([status, body.code]).toEqual([503, "network_unavailable"])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("answers 404 for another organization's customer and a deleted one", async () => {
    const theirs = await withCustomer(known)
    const ours = await withCustomer(known)
    expect((await ours.call("GET", `/customers/${theirs.customer_id}/validate-network`)).status).toBe(404)
    await ours.call("DELETE", `/customers/${ours.customer_id}`)
    expect((await ours.validate()).status).toBe(404)
  })
})
