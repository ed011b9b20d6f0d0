import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { EinvoicingServices } from "../../src/einvoicing/EinvoicingLayer.ts"
import { ConnectedProviders } from "../../src/einvoicing/ConnectedProviders.ts"
import { Approvals } from "../../src/einvoicing/registrations/Approvals.ts"
import { EnrollmentRepairQueue } from "../../src/einvoicing/registrations/EnrollmentQueue.ts"
import { EnrollmentRepair } from "../../src/einvoicing/registrations/EnrollmentRepair.ts"
import { OrganizationId, RegistrationId } from "../../src/kernel/Ids.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { useApp } from "../support/App.ts"
import { digestOf } from "../support/files/Digest.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { enterpriseNumber, participant } from "../support/counterparts/Network.ts"

const app = useApp()

const withSql = <A>(query: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, query))

type Participant = Awaited<ReturnType<typeof participant>>

/** Makes a change that reaches the network, although its transaction in our database fails at the last row. */
const uncommitted = async ({ id }: Participant, change: () => Promise<unknown>) => {
  const before = await app.run(digestOf(id))
  await withSql(
    (sql) =>
      sql`alter table audit_entries add constraint dies check (organization_id <> ${sql.literal(String(id))}) not valid`
  )
  await change()
  await withSql((sql) => sql`alter table audit_entries drop constraint dies`)
  expect(await app.run(digestOf(id))).toEqual(before)
}

/** Runs the repair as a worker does when the repair is due. */
const repair = () =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const repairs = yield* EnrollmentRepair
      const due = yield* sql`
        update jobs set visible_at = localtimestamp
        where queue_name = ${EnrollmentRepairQueue.name} and state = 'pending' returning 1`
      for (const _ of due) yield* jobs.take(EnrollmentRepairQueue, repairs.repair)
    }).pipe(Effect.provide(EnrollmentRepair.layer.pipe(Layer.provide(ConnectedProviders))))
  )

const deregister = ({ id }: Participant, registration_id: number) =>
  app.run(
    Effect.flatMap(Approvals, (approvals) =>
      approvals.deregister(
        { organization_id: OrganizationId.make(id), id: RegistrationId.make(registration_id) },
        "admin"
      )
    ).pipe(Effect.exit, Effect.provide(EinvoicingServices))
  )

const isFound = async ({ call }: Participant, identifier: string) =>
  (
    await call(
      "GET",
      `/einvoicing/participants/search?country_code=BE&identifier_scheme=0208&identifier_value=${identifier}`
    )
  ).status === 200

describe("the network forgets changes that were not committed here", () => {
  it("a change of the roles", async () => {
    const ours = await participant(app)
    const { identifiers } = await ours.enrolled()
    const [{ identifier }] = identifiers
    await uncommitted(ours, async () => {
      expect((await ours.change({ acts_as_receiver: false })).status).toBe(500)
    })
    expect(await isFound(ours, identifier)).toBe(false)
    await repair()
    expect(await isFound(ours, identifier)).toBe(true)
  })

  it("an approval", async () => {
    const ours = await participant(app)
    const identifier_value = enterpriseNumber()
    const { body } = await ours.register({ identifier_value })
    await uncommitted(ours, () => expect(ours.approve(body.data.id)).rejects.toThrow())
    expect(await isFound(ours, identifier_value)).toBe(true)
    await repair()
    expect(await isFound(ours, identifier_value)).toBe(false)
  })

  it("the end of a registration", async () => {
    const ours = await participant(app)
    const { id, identifiers } = await ours.enrolled()
    await uncommitted(ours, () => deregister(ours, id))
    expect(await isFound(ours, identifiers[0].identifier)).toBe(false)
    await repair()
    expect(await isFound(ours, identifiers[0].identifier)).toBe(true)
  })

  it("a registration with an authority, whose address somebody else may have then", async () => {
    const italian = { country_code: "IT", identifier_scheme: "0211", identifier_value: "IT00743110157" }
    const [ours, theirs] = [await participant(app), await participant(app)]
    await uncommitted(ours, async () => {
      expect((await ours.register(italian)).status).toBe(500)
    })
    expect((await theirs.register(italian)).body.details).toEqual({ reason: "identifier_taken" })
    await repair()
    expect((await theirs.register(italian)).status).toBe(201)
  })
})

describe("a registration that the network no longer accepts", () => {
  it("is suspended, with addresses that failed", async () => {
    const [ours, theirs] = [await participant(app), await participant(app)]
    const { id, identifiers } = await ours.enrolled()
    await uncommitted(ours, () => deregister(ours, id))
    await theirs.enrolled({ identifier_value: identifiers[0].identifier })
    await repair()
    expect((await ours.registration()).body.data).toMatchObject({
      status: "suspended",
      identifiers: [{ status: "failed" }]
    })
    expect((await app.run(verifiedAuditLog(ours.id))).entries.at(-1)).toMatchObject({
      actor: "system",
      action: "einvoicing.registration_suspended",
      data: { registration_id: id, reason: "The address belongs to another participant of the network." }
    })
    expect((await theirs.registration()).body.data.status).toBe("active")
  })
})

describe("what both sides know already", () => {
  it("stays as it is", async () => {
    const ours = await participant(app)
    const { identifiers } = await ours.enrolled()
    const other = await participant(app)
    const { id } = await other.enrolled()
    await deregister(other, id)
    const before = [await app.run(digestOf(ours.id)), await app.run(digestOf(other.id))]
    await repair()
    expect([await app.run(digestOf(ours.id)), await app.run(digestOf(other.id))]).toEqual(before)
    expect(await isFound(ours, identifiers[0].identifier)).toBe(true)
  })
})
