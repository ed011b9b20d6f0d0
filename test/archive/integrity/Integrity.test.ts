import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { recordExchange } from "../../../scripts/tamper/FillArchive.ts"
import { Proofs } from "../../../src/archive/integrity/Proofs.ts"
import { Transmissions } from "../../../src/archive/transmissions/Transmissions.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import type { Books } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"
import { damaged } from "./Damage.ts"

const { actions, app, archiveAll, documents, filesOf, open, prove, query, state } = useArchive()

const run = (statement: string) => query((sql) => sql.unsafe(statement))

/** Returns the audit entry that recorded the first archived object. */
const firstStored = async ({ id }: Books) => {
  const [row] = await query(
    (sql) => sql<{ seq: number }>`
      select min(seq) as seq from audit_entries
      where organization_id = ${id} and canonical like '{"action":"archive.stored"%'`
  )
  return row?.seq ?? 0
}

const filled = async (count: number) => {
  const ours = await open()
  for (let index = 0; index < count; index++) await ours.issued()
  await archiveAll(ours)
  return ours
}

const flipped = (bytes: Buffer) => {
  const changed = Buffer.from(bytes)
  changed[100] = (changed[100] ?? 0) ^ 1
  return changed
}

const exchanged = ({ id }: Books, transmission_id: string) =>
  app.run(recordExchange(id, transmission_id).pipe(Effect.provide(Transmissions.layer)))

const alarms = async (ours: Books) =>
  (await actions(ours)).filter((action) => action === "archive.integrity_failed").length

describe("a download", () => {
  it.each([
    ["a flipped bit", flipped],
    ["a truncated file", (bytes: Buffer) => bytes.subarray(0, 500)]
  ])("answers 503 for %s, raises the alarm once and serves nothing", async (_name, change) => {
    const ours = await filled(1)
    const [file = ""] = filesOf(ours, "archive")
    damaged(file, change)
    const [row] = await documents(ours)
    const answers = [
      await ours.call("GET", `/archive/documents/${row.id}/download`),
      await ours.call("GET", `/archive/documents/${row.id}/download`)
    ]
    expect(answers.map(({ body, status }) => [status, body.code])).toEqual([
      [503, "archive_integrity"],
      [503, "archive_integrity"]
    ])
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect(await alarms(ours)).toBe(1)
    expect(await actions(ours)).not.toContain("archive.downloaded")
  })

  it("answers 503 for a missing file", async () => {
    const ours = await filled(1)
    const [file = ""] = filesOf(ours, "archive")
    unlinkSync(file)
    const [row] = await documents(ours)
    expect((await ours.call("GET", `/archive/documents/${row.id}/download`)).status).toBe(503)
    expect(await alarms(ours)).toBe(1)
  })
})

describe("a proof", () => {
  it("passes when everything is as it was recorded", async () => {
    const ours = await filled(3)
    await prove(ours)
    const { integrity_state, last_proven_at } = await state(ours)
    expect([integrity_state, typeof last_proven_at]).toEqual(["passed", "string"])
    expect(await alarms(ours)).toBe(0)
  })

  it("fails for swapped objects, names each, and passes again when they are restored", async () => {
    const ours = await filled(3)
    const [first = "", second = ""] = filesOf(ours, "archive")
    const bytes = readFileSync(second)
    const restore = [damaged(first, () => bytes), damaged(second, flipped)]
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect(await alarms(ours)).toBe(2)
    await prove(ours)
    expect(await alarms(ours)).toBe(2)
    for (const undo of restore) undo()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })

  it("goes on where it was interrupted, as the signed record says, and believes no other", async () => {
    const ours = await filled(2)
    const started_at = Timestamp.make(new Date().toISOString())
    const record = {
      organization_id: OrganizationId.make(ours.id),
      state: "running",
      started_at,
      last_proven_at: null,
      read_until: await firstStored(ours),
      lost: 0,
      forged: false
    } as const
    const [entry] = await query(
      (sql) => sql<{ canonical: string }>`
        select canonical from audit_entries where organization_id = ${ours.id} and seq = ${record.read_until}`
    )
    const { data } = JSON.parse(entry?.canonical ?? "{}")
    const restore = damaged(join(app.dataDir, "objects", data.object_key), flipped)
    await app.run(Proofs.use(({ write }) => write(record)).pipe(Effect.provide(Proofs.layer)))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    await app.run(Proofs.use(({ write }) => write(record)).pipe(Effect.provide(Proofs.layer)))
    await run(
      `update archive_proofs set record = replace(record, '"lost":0', '"lost": 0') where organization_id = ${ours.id}`
    )
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    restore()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })

  it("is of the books as well where nothing is archived", async () => {
    const ours = await open({ plan: "standard" })
    await ours.issued()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ state: "none", integrity_state: "passed" })
  })
})

describe("a proof of what a database owner changed", () => {
  /**
   * Tables with the rows that are restored after each test. Later audit entries stay, because the chain continues after
   * them.
   */
  const tables = [
    ["audit_entries", "seq in (select seq from kept)"],
    ["archive_objects", "true"],
    ["archive_deposits", "true"],
    ["archive_transmissions", "true"]
  ] as const
  let ours: Books
  beforeAll(async () => {
    ours = await filled(2)
    await ours.issued()
    await exchanged(ours, "msg-1")
  })
  beforeEach(async () => {
    for (const [table] of tables) {
      await run(`create table kept_${table} as select * from ${table} where organization_id = ${ours.id}`)
      await run(`alter table ${table} disable trigger all`)
    }
  })
  afterEach(async () => {
    for (const [table, which] of tables) {
      const kept = `with kept as (select * from kept_${table})`
      await run(`${kept} delete from ${table} where organization_id = ${ours.id} and ${which}`)
      await run(`insert into ${table} select * from kept_${table}`)
      await run(`drop table kept_${table}`)
      await run(`alter table ${table} enable trigger all`)
    }
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })

  it.each([
    ["an edited entry", "update audit_entries set canonical = replace(canonical, '\"at\"', '\"at\" ') where seq = 3"],
    ["a rehashed entry", "update audit_entries set hash = repeat('a', 64) where seq = 3"],
    ["a removed entry", "delete from audit_entries where seq = 3"],
    ["a chain without its tail", "delete from audit_entries where seq > 3"],
    ["a manifest that names other bytes", "update archive_objects set sha256 = repeat('0', 64) where position = 1"],
    ["another number in the manifest", "update archive_objects set number = 'INV-2026-0009' where position = 1"],
    ["another counterparty", "update archive_objects set counterparty_name = 'Gamma' where position = 1"],
    ["another day", "update archive_objects set issue_date = issue_date - 1 where position = 1"],
    ["another amount", "update archive_objects set amount = amount + 0.01 where position = 1"],
    ["another retention", "update archive_objects set retained_until = now() where position = 1"],
    ["a removed object", "delete from archive_objects where position = 1"],
    ["an issued document that shall never be archived", "delete from archive_deposits where true"],
    [
      "an object that was slipped in",
      `insert into archive_objects
       select (jsonb_populate_record(o, '{"position":3,"id":"0195a2c0-7c1e-7d3b-9f10-aa0100000001"}')).*
       from archive_objects o where position = 2`
    ],
    ["a manifest without its tail", "delete from archive_objects where position = 2"],
    [
      "an entry that names its object by what is no id",
      `update audit_entries set canonical = replace(canonical, '"object_id":"', '"object_id":"x')
       where canonical like '{"action":"archive.stored"%'`
    ],
    [
      "an entry that names its exchange by what no database holds",
      `update audit_entries set canonical = replace(canonical, '"msg-1"', '"\\u0000"')
       where canonical like '{"action":"archive.transmission_recorded"%'`
    ],
    ["an edited exchange", "update archive_transmissions set code = 'RE' where id = 'msg-1'"],
    ["a removed exchange", "delete from archive_transmissions where id = 'msg-1'"],
    [
      "an exchange that was slipped in",
      `insert into archive_transmissions (organization_id, id, at, direction, network, environment, type)
       select organization_id, 'msg-2', at, direction, network, environment, type from archive_transmissions where id = 'msg-1'`
    ]
  ])("fails for %s", async (_name, statement) => {
    await run(`${statement} and organization_id = ${ours.id}`)
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
  })
})

describe("a storage that accepts no writes", () => {
  it("does not prevent issuing; the archive reports it until it has caught up", async () => {
    const ours = await open()
    const folder = join(app.dataDir, "objects", "archive", String(ours.id))
    mkdirSync(dirname(folder), { recursive: true })
    writeFileSync(folder, "in the way")
    const invoice = await ours.issued()
    await expect(archiveAll(ours)).rejects.toThrow()
    expect(await state(ours)).toMatchObject({ vault_status: "error", object_count: 0 })
    rmSync(folder)
    await archiveAll(ours)
    expect(await state(ours)).toMatchObject({ vault_status: "active", object_count: 1 })
    expect(await documents(ours)).toMatchObject([{ document_id: invoice.id }])
  })
})

describe("the manifest and the exchanges", () => {
  it.each([
    "update archive_transmissions set code = 'x'",
    "delete from archive_transmissions",
    "truncate archive_transmissions",
    "update archive_objects set number = 'x'",
    "delete from archive_objects",
    "truncate archive_objects cascade"
  ])("refuses: %s", async (statement) => {
    await exchanged(await filled(1), "msg-1")
    await expect(query((sql) => sql.unsafe(statement))).rejects.toThrow()
  })
})
