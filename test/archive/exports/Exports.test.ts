import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Books, race } from "../../support/Billing.ts"
import { chain_start, nextHash } from "../../support/AuditLog.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { movableClock } from "../../support/service/MovableClock.ts"
import { unzipped } from "../../support/files/ZipReader.ts"
import { useExports } from "./Exporting.ts"

const clock = movableClock()
const exporting = useExports({ clock: clock.layer })
const { actions, app, archiveAll, build, buildFrozen, collect, documents, endAbandoned, expire } = exporting
const { filesOf, filled, journal, open, order, ordered, query, status } = exporting

const day_ms = 86_400_000

const content = async (ours: Books, id: number) => {
  const { bytes, response } = await collect(ours, id)
  return [response.status, sha256(bytes)]
}

describe("an export", () => {
  it("is ordered, built and collected; anybody can recompute its hashes", async () => {
    const ours = await filled(2)
    const accepted = await order(ours)
    expect([accepted.status, accepted.body.data]).toEqual([
      202,
      {
        id: expect.any(Number),
        status: "pending",
        filters: {},
        object_count: 2,
        missing_object_count: 0,
        file_size_bytes: null,
        manifest_sha256: null,
        download_url: null,
        error: null,
        created_at: expect.any(String),
        completed_at: null,
        expires_at: null
      }
    ])
    const { id } = accepted.body.data
    expect((await collect(ours, id)).response.status).toBe(404)
    // An export contains only what was archived when it was requested.
    await ours.issued()
    await archiveAll(ours)
    await build(ours, id)

    const completed = await ours.made("GET", `/archive/exports/${id}`)
    expect(completed).toMatchObject({ status: "completed", object_count: 2, missing_object_count: 0 })
    expect(completed.download_url).toBe(`${app.url}/api/v1/archive/exports/${id}/download`)
    expect(Date.parse(completed.expires_at) - Date.parse(completed.completed_at)).toBe(7 * day_ms)

    const { bytes, response } = await collect(ours, id)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"])
    expect(response.headers.get("content-length")).toBe(String(completed.file_size_bytes))
    const entries = await unzipped(bytes)
    const text = (name: string) => entries.get(name)?.toString("utf8") ?? ""
    expect([...entries.keys()].filter((name) => !name.startsWith("objects/"))).toEqual([
      "manifest.json",
      "manifest.csv",
      "audit-trail.json",
      "audit-trail.csv",
      "transmissions.json",
      "transmissions.csv",
      "seals.json",
      "README",
      "checkpoints.json",
      "verify.mjs"
    ])

    expect(sha256(text("manifest.json"))).toBe(completed.manifest_sha256)
    const manifest = JSON.parse(text("manifest.json"))
    expect(manifest.objects).toHaveLength(2)
    for (const object of manifest.objects) {
      expect(object).toMatchObject({
        present_in_export: true,
        bucket: "objects",
        storage_account: "local",
        region: "local"
      })
      expect(sha256(entries.get(`objects/${object.object_key}`) ?? "")).toBe(object.sha256)
    }
    const [latest] = await documents(ours)
    expect(manifest.objects.map((object: { id: string }) => object.id)).not.toContain(latest.id)

    const chain = JSON.parse(text("audit-trail.json"))
    let head = chain_start
    for (const { canonical, hash, previous_hash } of chain.trail) {
      expect(previous_hash).toBe(head)
      head = nextHash(head, canonical)
      expect(hash).toBe(head)
    }
    expect([chain.entries, chain.head]).toEqual([chain.trail.length, head])
    expect(text("audit-trail.csv").split("\r\n")).toHaveLength(chain.trail.length + 2)
    expect(text("manifest.csv").split("\r\n")).toHaveLength(2 + 2)
    expect(JSON.parse(text("transmissions.json")).transmissions).toEqual([])
    for (const needed of ["ARCHIVE FISCALE", "FISCAL ARCHIVE", completed.manifest_sha256, head]) {
      expect(text("README")).toContain(needed)
    }

    expect((await actions(ours)).at(-1)).toBe("archive.export_downloaded")
    const { events } = await journal(ours)
    expect(events.at(-1)).toMatchObject({
      type: "archive.export_completed",
      data: { object: "export", id, attributes: completed, previous: { status: "building" } }
    })
  })

  it("holds what its filters match, and the whole chain", async () => {
    const ours = await filled(3)
    const invoice = await ours.issued()
    const note = await ours.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "x" })
    const id = await ordered(ours, { issued_from: "2026-02-01", issued_until: "2026-02-28", kind: "pdf", number: null })
    await build(ours, id)
    const { filters, object_count } = await ours.made("GET", `/archive/exports/${id}`)
    expect([filters, object_count]).toEqual([{ issued_from: "2026-02-01", issued_until: "2026-02-28", kind: "pdf" }, 1])
    const entries = await unzipped((await collect(ours, id)).bytes)
    expect([...entries.keys()].filter((name) => name.startsWith("objects/"))).toHaveLength(1)
    const chain = JSON.parse(entries.get("audit-trail.json")?.toString("utf8") ?? "")
    expect(chain.trail.filter(({ action }: { action: string }) => action === "archive.stored")).toHaveLength(3)
    const created = chain.trail.find(({ action }: { action: string }) => action === "credit_note.created")
    expect(created).toMatchObject({ document_type: "credit_note", document_id: note.id })
  })

  it("counts and marks objects that are lost, raises the alarm once, and packs the others", async () => {
    const ours = await filled(2)
    const [lost = ""] = filesOf(ours, "archive")
    unlinkSync(lost)
    const id = await ordered(ours)
    await build(ours, id)
    const completed = await ours.made("GET", `/archive/exports/${id}`)
    expect(completed).toMatchObject({ status: "completed", object_count: 1, missing_object_count: 1 })
    const entries = await unzipped((await collect(ours, id)).bytes)
    const { objects } = JSON.parse(entries.get("manifest.json")?.toString("utf8") ?? "")
    const present = objects.map((object: { present_in_export: boolean }) => object.present_in_export)
    expect(present.toSorted()).toEqual([false, true])
    expect((await actions(ours)).filter((action) => action === "archive.integrity_failed")).toHaveLength(1)
  })

  it("keeps text out of the reach of spreadsheets", async () => {
    const ours = await open()
    const customer_id = (await ours.made("POST", "/customers", { name: '=HYPERLINK("x"),1' })).id
    await ours.issued({ customer_id })
    await archiveAll(ours)
    const id = await ordered(ours)
    await build(ours, id)
    const entries = await unzipped((await collect(ours, id)).bytes)
    const csv = entries.get("manifest.csv")?.toString("utf8") ?? ""
    expect(csv).toContain(`"'=HYPERLINK(""x""),1"`)
  })
})

describe("a completed export", () => {
  it("answers 503 when its ZIP is missing or another one, and reports an incident", async () => {
    const ours = await filled(1)
    const id = await ordered(ours)
    await build(ours, id)
    const [zip = ""] = filesOf(ours, "exports")
    const bytes = readFileSync(zip)
    unlinkSync(zip)
    writeFileSync(zip, Buffer.concat([bytes.subarray(1), Buffer.from("x")]))
    expect((await ours.call("GET", `/archive/exports/${id}/download`)).body.code).toBe("archive_integrity")
    unlinkSync(zip)
    expect((await ours.call("GET", `/archive/exports/${id}/download`)).status).toBe(503)
    expect(await actions(ours)).not.toContain("archive.export_downloaded")
    expect((await actions(ours)).filter((action) => action === "archive.integrity_failed")).toHaveLength(2)
  })

  it("expires after seven days: 410, and its ZIP is removed", async () => {
    const ours = await filled(1)
    const id = await ordered(ours)
    await build(ours, id)
    await expire()
    expect([await status(ours, id), filesOf(ours, "exports").length]).toEqual(["completed", 1])
    clock.set(Date.now() + 7 * day_ms + 1000)
    try {
      expect(await status(ours, id)).toBe("expired")
      const { body, status: code } = await ours.call("GET", `/archive/exports/${id}/download`)
      expect([code, body.code]).toEqual([410, "export_expired"])
      await race(2, expire)
    } finally {
      clock.set(Date.now())
    }
    expect([await status(ours, id), filesOf(ours, "exports")]).toEqual(["expired", []])
    expect((await actions(ours)).filter((action) => action === "archive.export_expired")).toHaveLength(1)
  })
})

describe("an export that is started twice", () => {
  it("is the ZIP of the latest start, and a builder that was frozen replaces nothing", async () => {
    const ours = await filled(1)
    const id = await ordered(ours)
    const thaw = await buildFrozen(ours, id)
    await build(ours, id)
    const files = filesOf(ours, "exports")
    const [before, zip] = [await ours.made("GET", `/archive/exports/${id}`), await content(ours, id)]
    expect([before.status, zip[0], files.length]).toEqual(["completed", 200, 1])
    await thaw()
    expect(await ours.made("GET", `/archive/exports/${id}`)).toEqual(before)
    expect([await content(ours, id), filesOf(ours, "exports")]).toEqual([zip, files])
    const completed = (await actions(ours)).filter((action) => action === "archive.export_completed")
    expect(completed).toHaveLength(1)
  })

  it("ends with the latest start when a former one is done before, and keeps one object", async () => {
    const ours = await filled(1)
    const id = await ordered(ours)
    const [thawFirst, thawLatest] = [await buildFrozen(ours, id), await buildFrozen(ours, id)]
    await thawFirst()
    expect([await status(ours, id), filesOf(ours, "exports")]).toEqual(["building", []])
    await thawLatest()
    expect([await status(ours, id), filesOf(ours, "exports").length]).toEqual(["completed", 1])
    expect((await content(ours, id))[0]).toBe(200)
  })

  it("removes what a start has stored that was killed before it could say so", async () => {
    const ours = await filled(1)
    const id = await ordered(ours)
    const thaw = await buildFrozen(ours, id)
    const [row] = await query(
      (sql) => sql<{ object_key: string }>`select object_key from archive_exports where id = ${id}`
    )
    const left = join(app.dataDir, "objects", row?.object_key ?? "")
    mkdirSync(dirname(left), { recursive: true })
    writeFileSync(left, "half a ZIP")
    await build(ours, id)
    expect([existsSync(left), (await content(ours, id))[0], filesOf(ours, "exports").length]).toEqual([false, 200, 1])
    await thaw()
  })
})

describe("an export whose job died without it", () => {
  it("ends after its time limit, and no longer blocks others", async () => {
    const ours = await filled(1)
    const [dead, waiting] = [await ordered(ours), await ordered(await filled(1))]
    await query(
      (sql) => sql`update jobs set state = 'failed' where queue_name = 'archive.export' and id = ${String(dead)}`
    )
    await query((sql) => sql`update archive_exports set created_at = created_at - interval '5 minutes'`)
    await endAbandoned()
    expect(await status(ours, dead)).toBe("failed")
    expect(await query((sql) => sql`select status from archive_exports where id = ${waiting}`)).toEqual([
      { status: "pending" }
    ])
    await ordered(ours)
  })
})
