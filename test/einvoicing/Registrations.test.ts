import { describe, expect, it } from "vitest"
import { statuses } from "../support/Billing.ts"
import { useApp } from "../support/App.ts"
import { answerLost } from "../support/service/AnswerLost.ts"
import { digestOf } from "../support/files/Digest.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { enterpriseNumber, magic, participant, registrationBody } from "../support/counterparts/Network.ts"

const app = useApp()

const journal = async (id: number) =>
  (await app.run(verifiedAuditLog(id))).entries.map(({ action, actor, data }) => ({ action, actor, data }))

describe("POST /api/v1/einvoicing/register", () => {
  it("makes the legal entity with its address and the VAT number's, pending until somebody approves", async () => {
    const { id, owner, register, registration } = await participant(app)
    const { body, status } = await register({ vat_number: "BE 0202.239.951" })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      organization_id: id,
      status: "pending",
      provider: "peppol",
      legal_name: "Acme BV",
      country_code: "BE",
      roles: { acts_as_sender: true, acts_as_receiver: true },
      identifiers: [
        {
          scheme: "0208",
          identifier: "0202239951",
          status: "pending",
          networks_specification: "peppol-bis-billing-3"
        },
        {
          scheme: "9925",
          identifier: "BE0202239951",
          status: "pending",
          networks_specification: "peppol-bis-billing-3"
        }
      ],
      document_types: ["invoice", "credit_note"],
      annuaire_start_date: null,
      rejection_reason: null,
      approved_at: null
    })
    expect((await registration()).body).toEqual(body)
    expect(await journal(id)).toEqual([
      {
        action: "einvoicing.registered",
        actor: `user:${owner.id}`,
        data: { registration_id: body.data.id, status: "pending", acts_as_sender: true, acts_as_receiver: true }
      }
    ])
  })

  it("does not ask the network, which would refuse this one", async () => {
    const { register } = await participant(app)
    const { body, status } = await register({ identifier_scheme: "0088", identifier_value: magic.refused })
    expect([status, body.data.status]).toEqual([201, "pending"])
  })

  it("asks the authority if one clears documents, and is active immediately", async () => {
    const { register, registration } = await participant(app, { country: "IT" })
    const { body } = await register({
      country_code: "IT",
      identifier_scheme: "0211",
      identifier_value: "IT00743110157"
    })
    expect(body.data).toMatchObject({ status: "active", provider: "it_sdi", identifiers: [{ status: "active" }] })
    expect(body.data.approved_at).toBe(body.data.submitted_at)
    expect((await registration()).body).toEqual(body)
  })

  it("answers 422 when the authority refuses, and keeps nothing", async () => {
    const italian = { country_code: "IT", identifier_scheme: "0211", identifier_value: "IT00743110157" }
    const holder = await participant(app, { country: "IT" })
    const own = { ...italian, identifier_value: "IT12345670017" }
    expect((await holder.register(own)).status).toBe(201)
    const { id, register } = await participant(app, { country: "IT" })
    const before = await app.run(digestOf(id))
    const { body, status } = await register(own)
    expect([status, body.code, body.details]).toEqual([422, "registration_refused", { reason: "identifier_taken" }])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it.each([
    ["IT99999980016", 422, "registration_refused", undefined],
    ["IT99999990015", 500, "network_unavailable", true]
  ] as const)("keeps nothing of %s, which the authority does not take", async (identifier_value, ...expected) => {
    const { id, register } = await participant(app, { country: "IT" })
    const before = await app.run(digestOf(id))
    const { body, status } = await register({ country_code: "IT", identifier_scheme: "0211", identifier_value })
    expect([status, body.code, body.retryable]).toEqual(expected)
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("accepts one of two at the same time", async () => {
    const { id, register } = await participant(app)
    const answers = await Promise.all([register(), register(), register()])
    expect(statuses(answers)).toEqual({ 201: 1, 422: 2 })
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe("already_registered")
    expect(await journal(id)).toHaveLength(1)
  })

  it("replays its answer to the same Idempotency-Key", async () => {
    const { call, id } = await participant(app)
    const again = () =>
      call("POST", "/einvoicing/register", registrationBody(id), { headers: { "idempotency-key": "once" } })
    const first = await again()
    const second = await again()
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
  })

  it("answers the same to its Idempotency-Key when only the answer was lost, and registers once", async () => {
    const { call, id } = await participant(app, { country: "IT" })
    const italian = { country_code: "IT", identifier_scheme: "0211", identifier_value: "IT02345670018" }
    const again = () =>
      call("POST", "/einvoicing/register", registrationBody(id, italian), { headers: { "idempotency-key": "lost" } })
    const first = await again()
    await app.run(answerLost("lost"))
    const second = await again()
    expect([first.status, second.status, second.headers.get("idempotency-replayed")]).toEqual([201, 201, null])
    expect(second.body).toEqual(first.body)
    expect(await journal(id)).toHaveLength(1)
  })

  it("answers 404 for another organization's id, and 422 for none", async () => {
    const { call, id } = await participant(app)
    const other = await participant(app)
    const before = await app.run(digestOf(id))
    const foreign = await call("POST", "/einvoicing/register", registrationBody(other.id))
    expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"])
    const missing = await call("POST", "/einvoicing/register", registrationBody(999_999_999))
    expect(missing.text).toBe(foreign.text)
    const { organization_id: _, ...absent } = registrationBody(id)
    const { body, status } = await call("POST", "/einvoicing/register", absent)
    expect([status, Object.keys(body.errors)]).toEqual([422, ["organization_id"]])
    expect(await app.run(digestOf(id))).toEqual(before)
  })
})

describe("GET /api/v1/einvoicing/registration", () => {
  it("answers 404 before there is one", async () => {
    const { registration } = await participant(app)
    const { body, status } = await registration()
    expect([status, body.code]).toEqual([404, "not_found"])
  })
})

describe("PATCH /api/v1/einvoicing/registration", () => {
  it("changes the roles of a pending one, which the network does not know yet", async () => {
    const { change, register, registration } = await participant(app)
    await register({ identifier_scheme: "0088", identifier_value: magic.update_unavailable })
    const { body, status } = await change({ acts_as_receiver: false })
    expect([status, body.data.roles]).toEqual([200, { acts_as_sender: true, acts_as_receiver: false }])
    expect((await registration()).body).toEqual(body)
  })

  it("informs the network, which no longer finds an organization that does not receive", async () => {
    const { call, change, enrolled, id } = await participant(app)
    const { identifiers } = await enrolled()
    const search = `/einvoicing/participants/search?country_code=BE&identifier_scheme=0208&identifier_value=${identifiers[0].identifier}`
    expect((await call("GET", search)).status).toBe(200)
    expect((await change({ acts_as_receiver: false })).status).toBe(200)
    expect((await call("GET", search)).status).toBe(404)
    const last = (await journal(id)).at(-1)
    expect(last).toMatchObject({ action: "einvoicing.registration_updated", data: { acts_as_receiver: false } })
  })

  it.each([
    ["update_refused", false],
    ["update_unavailable", true]
  ] as const)(
    "answers 502 and keeps the old state when the network does not accept it: %s",
    async (name, retryable) => {
      const { change, enrolled, id, registration } = await participant(app)
      await enrolled({ identifier_scheme: "0088", identifier_value: magic[name] })
      const before = [await app.run(digestOf(id)), (await registration()).body]
      const { body, status } = await change({ acts_as_sender: false })
      expect([status, body.code, body.details]).toEqual([502, "network_update_failed", { retryable }])
      expect([await app.run(digestOf(id)), (await registration()).body]).toEqual(before)
      // The registration already has this state, so the request changes nothing.
      expect((await change({ acts_as_sender: true })).status).toBe(200)
      expect(await app.run(digestOf(id))).toEqual(before[0])
    }
  )

  it("accepts one of two changes that would together leave no role", async () => {
    const { change, enrolled, registration } = await participant(app)
    await enrolled()
    const answers = await Promise.all([change({ acts_as_sender: false }), change({ acts_as_receiver: false })])
    expect(statuses(answers)).toEqual({ 200: 1, 422: 1 })
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.body.code).toBe("role_required")
    const { acts_as_receiver, acts_as_sender } = (await registration()).body.data.roles
    expect(acts_as_receiver).toBe(!acts_as_sender)
  })

  it("refuses what it may not change, and changes nothing", async () => {
    const { change, enrolled, id } = await participant(app)
    await enrolled()
    const before = await app.run(digestOf(id))
    const codeOf = async (changes: object) => {
      const { body, status } = await change(changes)
      return [status, body.code, ...Object.keys(body.errors ?? {})]
    }
    expect(await codeOf({ acts_as_sender: false, acts_as_receiver: false })).toEqual([422, "role_required"])
    expect(await codeOf({ provider: "fr_ctc" })).toEqual([422, "provider_mismatch"])
    expect(await codeOf({ provider: "pigeon" })).toEqual([422, "validation_failed", "provider"])
    expect(await codeOf({ es_sii_registered: true })).toEqual([422, "validation_failed", "es_foral_territory"])
    expect(await codeOf({ es_foral_territory: "bizkaia" })).toEqual([422, "validation_failed", "es_sii_registered"])
    expect(await codeOf({ organization_id: 999_999_999 })).toEqual([404, "not_found"])
    expect(await codeOf({ organization_id: undefined })).toEqual([422, "validation_failed", "organization_id"])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("accepts the provider that it has, and Spanish fields elsewhere without effect", async () => {
    const { change, enrolled, id } = await participant(app)
    await enrolled()
    const before = await app.run(digestOf(id))
    const { body, status } = await change({
      provider: "peppol",
      es_sii_registered: true,
      es_foral_territory: "bizkaia"
    })
    expect([status, body.data.es_sii_registered, body.data.es_foral_territory]).toEqual([200, null, null])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("keeps what the Spanish authority asks", async () => {
    const { change, register } = await participant(app, { country: "ES" })
    const spanish = { country_code: "ES", identifier_scheme: "9920", identifier_value: "ESB58378431" }
    expect((await register({ ...spanish, es_sii_registered: false })).status).toBe(201)
    const { body } = await change({ es_sii_registered: true, es_foral_territory: "bizkaia" })
    expect(body.data).toMatchObject({ es_sii_registered: true, es_foral_territory: "bizkaia" })
    expect((await change({ es_sii_registered: true, es_foral_territory: null })).body.data.es_foral_territory).toBe(
      null
    )
  })

  it("accepts what GET answers, and null for what does not change", async () => {
    for (const country of ["BE", "ES"] as const) {
      const { change, id, register, registration } = await participant(app, { country })
      const spanish = { country_code: "ES", identifier_scheme: "9920", identifier_value: "ESB58378431" }
      await register(country === "ES" ? { ...spanish, es_sii_registered: true } : {})
      const { data } = (await registration()).body
      const before = await app.run(digestOf(id))
      const nothing = { acts_as_sender: null, acts_as_receiver: null, provider: null, es_sii_registered: null }
      for (const sent of [data, { ...data, ...data.roles }, nothing, { ...nothing, es_foral_territory: null }]) {
        expect([country, (await change(sent)).status]).toEqual([country, 200])
      }
      expect(await app.run(digestOf(id))).toEqual(before)
    }
  })

  it("does not take a null for the common territory if the other Spanish field is missing", async () => {
    const { change, register } = await participant(app, { country: "ES" })
    const entity = { country_code: "ES", identifier_scheme: "9920", identifier_value: "ESB58378431" }
    await register({ ...entity, es_sii_registered: true, es_foral_territory: "bizkaia" })
    const { body, status } = await change({ es_sii_registered: null, es_foral_territory: null })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["es_sii_registered"]])
  })

  it("answers 404 before there is a registration", async () => {
    const { change } = await participant(app)
    expect((await change({ acts_as_sender: true })).status).toBe(404)
  })
})

describe("an address", () => {
  it("belongs to the organization that was enrolled first; the other one stays pending", async () => {
    const first = await participant(app)
    const identifier_value = enterpriseNumber()
    await first.enrolled({ identifier_value })
    const second = await participant(app)
    const { body } = await second.register({ identifier_value })
    await expect(second.approve(body.data.id)).rejects.toThrow("The address belongs to another participant")
    expect((await second.registration()).body.data.status).toBe("pending")
  })
})
