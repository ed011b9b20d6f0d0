import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { OrganizationId, RegistrationId } from "../../src/kernel/Ids.ts"
import { digestOf } from "../support/files/Digest.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { enterpriseNumber, magic, participant } from "../support/counterparts/Network.ts"
import { useAdministration } from "./Administration.ts"

const { app, ask } = useAdministration()

const nobody = RegistrationId.make(999_999_999)

const pending = async (changes: object = {}) => {
  const ours = await participant(app)
  const { body } = await ours.register({ identifier_value: enterpriseNumber(), ...changes })
  const key = {
    organization_id: OrganizationId.make(ours.id),
    registration_id: RegistrationId.make(body.data.id)
  }
  const journal = async () => (await app.run(verifiedAuditLog(ours.id))).entries.at(-1)
  return { ...ours, key, journal }
}

const backdated = (organization_id: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update einvoicing_registrations set annuaire_start_date = '2026-01-01'
      where organization_id = ${organization_id}`
  )

describe("ApproveRegistration", () => {
  it("enrolls a pending registration: others can then find it", async () => {
    const { call, journal, key, registration } = await pending({ vat_number: "BE0428759497" })
    const search =
      "/einvoicing/participants/search?country_code=BE&identifier_scheme=9925&identifier_value=BE0428759497"
    expect((await call("GET", search)).status).toBe(404)
    const approved = await ask((client) => client.ApproveRegistration(key))
    expect(approved).toMatchObject({ status: "active", vat_number: "BE0428759497", city: "Gent" })
    const { data } = (await registration()).body
    expect(data).toMatchObject({ status: "active", identifiers: [{ status: "active" }, { status: "active" }] })
    expect(data.approved_at).not.toBe(null)
    expect((await call("GET", search)).status).toBe(200)
    const { registration_id } = key
    expect(await journal()).toMatchObject({
      action: "einvoicing.registration_approved",
      actor: "admin",
      data: { registration_id }
    })
  })

  it("succeeds once when two approve at the same time", async () => {
    const { id, key } = await pending()
    const calls = [0, 1].map(() => ask((client) => Effect.result(client.ApproveRegistration(key))))
    const results = await Promise.all(calls)
    expect(results.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
    const { entries } = await app.run(verifiedAuditLog(id))
    expect(entries.filter(({ action }) => action === "einvoicing.registration_approved")).toHaveLength(1)
  })

  it.each([
    ["refused", "RegistrationRefused"],
    ["unavailable", "NetworkFailed"]
  ] as const)("leaves it pending when the network does not accept it: %s", async (name, tag) => {
    const { id, key } = await pending({ identifier_scheme: "0088", identifier_value: magic[name] })
    const before = await app.run(digestOf(id))
    const refused = await ask((client) => Effect.flip(client.ApproveRegistration(key)))
    expect(refused._tag).toBe(tag)
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("moves a French line that waited too long to the first possible day", async () => {
    const { id, key, registration } = await pending({
      country_code: "FR",
      identifier_scheme: "FR:CTC",
      identifier_value: "732829320"
    })
    const { annuaire_start_date: earliest } = (await registration()).body.data
    await app.run(backdated(id))
    const approved = await ask((client) => client.ApproveRegistration(key))
    expect(approved.annuaire_start_date).toBe(earliest)
  })

  it("finds no registration of another organization, and none that does not exist", async () => {
    const { key } = await pending()
    const other = await pending()
    for (const wrong of [
      { ...key, organization_id: other.key.organization_id },
      { ...key, registration_id: nobody }
    ]) {
      const refused = await ask((client) => Effect.flip(client.ApproveRegistration(wrong)))
      expect(refused._tag).toBe("NotFound")
    }
  })
})

describe("RejectRegistration", () => {
  it("stores the reason, and lets the organization register again", async () => {
    const { change, journal, key, register, registration } = await pending()
    await ask((client) => client.RejectRegistration({ ...key, reason: "The name is another one's." }))
    expect((await registration()).body.data).toMatchObject({
      status: "rejected",
      rejection_reason: "The name is another one's.",
      identifiers: [{ status: "inactive" }],
      approved_at: null
    })
    expect(await journal()).toMatchObject({
      action: "einvoicing.registration_rejected",
      actor: "admin",
      data: { reason: "The name is another one's." }
    })
    const { body, status } = await change({ acts_as_sender: false })
    expect([status, body.code]).toEqual([422, "registration_closed"])
    for (const decide of [
      ask((client) => Effect.flip(client.ApproveRegistration(key))),
      ask((client) => Effect.flip(client.RejectRegistration({ ...key, reason: "Again." }))),
      ask((client) => Effect.flip(client.DeregisterRegistration(key)))
    ]) {
      expect((await decide)._tag).toBe("RegistrationUndecidable")
    }
    expect((await register()).status).toBe(201)
    expect((await registration()).body.data.status).toBe("pending")
  })

  it("and approving at the same time: only one of them succeeds", async () => {
    const { key, registration } = await pending()
    const results = await Promise.all([
      ask((client) => Effect.result(client.ApproveRegistration(key))),
      ask((client) => Effect.result(client.RejectRegistration({ ...key, reason: "No." })))
    ])
    expect(results.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
    const [approval] = results
    expect((await registration()).body.data.status).toBe(approval._tag === "Success" ? "active" : "rejected")
  })
})

describe("SuspendRegistration", () => {
  it("suspends an organization on its network until it is approved again, with its roles at that time", async () => {
    const { call, change, id, journal, key, register, registration } = await pending()
    await ask((client) => client.ApproveRegistration(key))
    const { identifier } = (await registration()).body.data.identifiers[0]
    const search = `/einvoicing/participants/search?country_code=BE&identifier_scheme=0208&identifier_value=${identifier}`
    await ask((client) => client.SuspendRegistration(key))
    expect((await registration()).body.data).toMatchObject({
      status: "suspended",
      identifiers: [{ status: "inactive" }]
    })
    expect(await journal()).toMatchObject({ action: "einvoicing.registration_suspended", actor: "admin" })
    expect((await call("GET", search)).status).toBe(404)
    expect((await register()).body).toMatchObject({ code: "already_registered", details: { status: "suspended" } })
    expect((await change({ acts_as_sender: false })).status).toBe(200)
    expect((await call("GET", search)).status).toBe(404)
    await ask((client) => client.ApproveRegistration(key))
    expect((await registration()).body.data).toMatchObject({ status: "active", roles: { acts_as_sender: false } })
    expect((await call("GET", search)).status).toBe(200)
    expect((await app.run(verifiedAuditLog(id))).entries.map(({ action }) => action)).toEqual([
      "einvoicing.registered",
      "einvoicing.registration_approved",
      "einvoicing.registration_suspended",
      "einvoicing.registration_updated",
      "einvoicing.registration_approved"
    ])
  })

  it("is possible for an active registration only", async () => {
    const { id, key } = await pending()
    const before = await app.run(digestOf(id))
    expect((await ask((client) => Effect.flip(client.SuspendRegistration(key))))._tag).toBe("RegistrationUndecidable")
    const missing = { ...key, registration_id: nobody }
    expect((await ask((client) => Effect.flip(client.SuspendRegistration(missing))))._tag).toBe("NotFound")
    expect(await app.run(digestOf(id))).toEqual(before)
  })
})

describe("DeregisterRegistration", () => {
  it("removes an organization from its network, after which it may register with another one", async () => {
    const { call, key, register, registration } = await pending()
    await ask((client) => client.ApproveRegistration(key))
    const french = { country_code: "FR", identifier_scheme: "FR:SIREN", identifier_value: "732829320" }
    expect((await register(french)).body.code).toBe("already_registered")
    const { identifier } = (await registration()).body.data.identifiers[0]
    const search = `/einvoicing/participants/search?country_code=BE&identifier_scheme=0208&identifier_value=${identifier}`
    expect((await call("GET", search)).status).toBe(200)
    await ask((client) => client.DeregisterRegistration(key))
    expect((await call("GET", search)).status).toBe(404)
    expect((await registration()).body.data).toMatchObject({
      status: "deregistered",
      identifiers: [{ status: "inactive" }]
    })
    expect((await register(french)).body.data).toMatchObject({ status: "pending", provider: "fr_ctc" })
  })
})

describe("ListRegistrations", () => {
  it("lists waiting registrations of all organizations, the latest first", async () => {
    const first = await pending()
    const second = await pending()
    await ask((client) => client.ApproveRegistration(first.key))
    const waiting = await ask((client) => client.ListRegistrations({ status: "pending" }))
    expect(waiting.registrations[0]?.id).toBe(second.key.registration_id)
    expect(waiting.registrations.map(({ id }) => id)).not.toContain(first.key.registration_id)
    const all = await ask((client) => client.ListRegistrations({ per_page: 1, page: 2 }))
    expect(all.registrations.map(({ id }) => id)).toEqual([first.key.registration_id])
    expect(all.total).toBeGreaterThan(waiting.total)
  })
})
