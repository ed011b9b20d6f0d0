import { readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Effect } from "effect"
import { Incidents } from "../../../src/archive/integrity/Incidents.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { administered, administrationOf } from "../../administration/Administration.ts"
import { type Books, race } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"
import { damaged } from "./Damage.ts"

const { actions, app, archiveAll, build, documents, expire, filesOf, open, order, prove, query } =
  useArchive(administered)
const ask = administrationOf(app)

const filled = async () => {
  const ours = await open()
  await ours.issued()
  await archiveAll(ours)
  return ours
}

const incidents = async ({ id }: Books, filters: { readonly open?: boolean } = {}) =>
  (await ask((client) => client.ListIntegrityIncidents({ organization_id: OrganizationId.make(id), ...filters })))
    .incidents

const alarms = async (ours: Books) =>
  (await actions(ours)).filter((action) => action === "archive.integrity_failed").length

/** The metrics, in which a worker counts the open incidents every 15 seconds. */
const measured = async () => {
  await app.run(
    Effect.provide(
      Effect.flatMap(Incidents, ({ measure }) => measure),
      Incidents.layer
    )
  )
  return (await app.call("GET", "/metrics")).text
}

describe("an incident", () => {
  it("of an object is listed from the first who found it until a proof reads it intact", async () => {
    const ours = await filled()
    const [{ id: object_id }] = await documents(ours)
    const [file = ""] = filesOf(ours, "archive")
    const restore = damaged(file, (bytes) => bytes.subarray(0, 10))
    await race(4, () => ours.call("GET", `/archive/documents/${object_id}/download`))
    await prove(ours)
    const found = { organization_id: ours.id, object_id, export_id: null, problem: "altered", resolved_at: null }
    expect(await incidents(ours, { open: true })).toMatchObject([{ ...found, found_by: "download" }])
    expect(await alarms(ours)).toBe(1)
    expect(await measured()).toContain("\narchive_incidents_open 1\n")
    restore()
    await prove(ours)
    expect(await measured()).toContain("\narchive_incidents_open 0\n")
    expect(await incidents(ours, { open: true })).toEqual([])
    expect(await incidents(ours)).toMatchObject([{ ...found, resolved_at: expect.any(String) }])
    damaged(file, (bytes) => bytes.subarray(0, 10))
    await prove(ours)
    expect(await incidents(ours)).toMatchObject([{ found_by: "proof", resolved_at: null }, { found_by: "download" }])
    expect(await alarms(ours)).toBe(2)
  })

  it("is one for each defect, however many proofs find it, until a proof finds no defect", async () => {
    const ours = await filled()
    const break_ = (from: string, to: string) =>
      query(
        (sql) => sql`
          with opened as (select set_config('session_replication_role', 'replica', true))
          update audit_entries set canonical = replace(canonical, ${from}, ${to}) from opened
          where organization_id = ${ours.id} and seq = 1`
      )
    await break_('"seq":1', '"seq":9')
    await prove(ours)
    await prove(ours)
    const problem = "1 entries of the audit chain do not match their hashes"
    const found = { object_id: null, export_id: null, problem, found_by: "proof" }
    expect(await incidents(ours)).toMatchObject([{ ...found, resolved_at: null }])
    await break_('"seq":9', '"seq":1')
    await prove(ours)
    expect(await incidents(ours)).toMatchObject([{ ...found, resolved_at: expect.any(String) }])
    expect(await alarms(ours)).toBe(1)
  })

  it("of an export ends with the export", async () => {
    const ours = await filled()
    const { id } = (await order(ours)).body.data
    await build(ours, id)
    const [file = ""] = filesOf(ours, "exports")
    const kept = readFileSync(file)
    unlinkSync(file)
    await race(3, () => ours.call("GET", `/archive/exports/${id}/download`))
    const found = { object_id: null, export_id: id, problem: "missing", found_by: "download" }
    expect(await incidents(ours)).toMatchObject([{ ...found, resolved_at: null }])
    expect(await alarms(ours)).toBe(1)
    writeFileSync(file, kept)
    await query((sql) => sql`update archive_exports set expires_at = now() where id = ${id}`)
    await expire()
    expect(await incidents(ours)).toMatchObject([{ ...found, resolved_at: expect.any(String) }])
  })

  it("is listed by page, of all organizations or of one", async () => {
    const [ours, theirs] = [await filled(), await filled()]
    for (const books of [ours, theirs]) {
      for (const file of filesOf(books, "archive")) unlinkSync(file)
      await prove(books)
    }
    const first = await ask((client) => client.ListIntegrityIncidents({ open: true, per_page: 1 }))
    expect(first.incidents).toMatchObject([{ organization_id: theirs.id, problem: "missing" }])
    expect(first.total).toBeGreaterThanOrEqual(2)
    const second = await ask((client) => client.ListIntegrityIncidents({ open: true, per_page: 1, page: 2 }))
    expect(second.incidents).toMatchObject([{ organization_id: ours.id }])
    expect(await incidents(theirs)).toHaveLength(1)
  })
})
