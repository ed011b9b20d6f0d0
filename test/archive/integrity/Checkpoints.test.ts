import { generateKeyPairSync, sign } from "node:crypto"
import { Effect } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { Integrity } from "../../../src/archive/integrity/Integrity.ts"
import { canonicalJson } from "../../../src/platform/events/CanonicalJson.ts"
import type { Books } from "../../support/Billing.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { services, useArchive } from "../DocumentArchiver.ts"
import { damaged } from "./Damage.ts"

const { actions, app, archiveAll, open, problems, prove, query, rewrite, state } = useArchive()

/** Creates an organization with an archived invoice, and then extends and proves its audit chain this many times. */
const proven = async (times: number) => {
  const ours = await open()
  await ours.issued()
  await archiveAll(ours)
  for (let time = 0; time < times; time++) {
    await added(ours)
    await prove(ours)
  }
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  return ours
}

const added = (ours: Books) => ours.made("POST", "/customers", { name: "Gamma" })

const fileOf = ({ id }: Books, number: number) =>
  join(app.dataDir, "objects", "checkpoints", String(id), String(number))

const found = () => app.run(Integrity.use(({ organizations }) => organizations).pipe(Effect.provide(services)))

describe("an audit chain that was proven", () => {
  it("has its signed head in the storage, once for each proof that found all well and the chain longer", async () => {
    const ours = await proven(2)
    const checkpoints = [1, 2].map((number) => JSON.parse(readFileSync(fileOf(ours, number), "utf8")))
    const [last] = await query(
      (sql) => sql<{ seq: number; hash: string }>`
        select seq, hash from audit_entries where organization_id = ${ours.id} order by seq desc limit 1`
    )
    const entries = last?.seq ?? 0
    // The second checkpoint covers the chain up to the entry before the last one, because the last entry records the
    // checkpoint.
    const before = await query(
      (sql) => sql<{ hash: string }>`
        select hash from audit_entries where organization_id = ${ours.id} and seq = ${entries - 1}`
    )
    expect(checkpoints).toMatchObject([
      { number: 1, seq: entries - 3, previous: null },
      { number: 2, seq: entries - 1, head: before[0]?.hash, previous: sha256(readFileSync(fileOf(ours, 1))) }
    ])
  })

  it("cannot be rewritten as a whole: the proof fails, and keeps the head that it was proven with", async () => {
    const ours = await proven(1)
    await rewrite(ours, (entries) => entries.map((entry) => entry.replace("customer.created", "customer.updated")))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect(await problems(ours)).toEqual([
      expect.stringMatching(/^the audit chain is not the one that was proven on 2/)
    ])
    expect(() => readFileSync(fileOf(ours, 2))).toThrow()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect((await actions(ours)).filter((action) => action === "archive.integrity_failed")).toHaveLength(1)
  })

  it.each([1, 2, 3, 6])("cannot lose the last of its entries after %i proofs", async (times) => {
    const ours = await proven(times)
    // Removes two entries, because a proof would add the last one again: it records the checkpoint.
    await rewrite(ours, (entries) => entries.slice(0, -2))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
  })

  it("is not proven by a checkpoint that differs from what was stored, until that is restored", async () => {
    const ours = await proven(2)
    const former = readFileSync(fileOf(ours, 1))
    const restore = damaged(fileOf(ours, 2), () => former)
    await prove(ours)
    damaged(fileOf(ours, 2), () => Buffer.from('{"number":2}'))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect(await problems(ours)).toEqual([
      "checkpoint 2 of the audit chain differs from what was stored; checkpoint 2 of the audit chain is missing"
    ])
    restore()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })
})

describe("checkpoints", () => {
  it("cannot be removed, nor be made again without the signing key", async () => {
    const ours = await proven(3)
    const remove = (number: number) => {
      const bytes = readFileSync(fileOf(ours, number))
      rmSync(fileOf(ours, number))
      return () => writeFileSync(fileOf(ours, number), bytes)
    }
    const rewritten = () => {
      const { privateKey } = generateKeyPairSync("ed25519")
      const { signature: _, timestamp_token: __, ...statement } = JSON.parse(readFileSync(fileOf(ours, 3), "utf8"))
      const signature = sign(null, Buffer.from(canonicalJson(statement)), privateKey).toString("base64")
      return damaged(fileOf(ours, 3), () =>
        Buffer.from(canonicalJson({ ...statement, signature, timestamp_token: null }))
      )
    }
    for (const damage of [() => remove(3), () => remove(2), () => remove(1), rewritten]) {
      const restore = damage()
      await prove(ours)
      expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
      restore()
      await prove(ours)
      expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    }
  })

  it("lead to an organization that is missing in the database", async () => {
    const ours = await proven(1)
    await query((sql) =>
      Effect.gen(function* () {
        yield* sql`alter table audit_entries disable trigger all`
        yield* sql`create table kept_entries as select * from audit_entries where organization_id = ${ours.id}`
        yield* sql`create table kept_journals as select * from journals where organization_id = ${ours.id}`
        yield* sql`delete from audit_entries where organization_id = ${ours.id}`
        yield* sql`delete from journals where organization_id = ${ours.id}`
      })
    )
    expect(await found()).toContain(ours.id)
    // The organizations that were made since the installation got another range of ids do not hide the former ones.
    const later = 3_000_000_005_000
    await query((sql) => sql`insert into journals (organization_id, entries) values (${later}, 1)`)
    expect(await found()).toEqual(expect.arrayContaining([ours.id, later]))
    await query((sql) => sql`delete from journals where organization_id = ${later}`)
    await query((sql) =>
      Effect.gen(function* () {
        yield* sql`insert into journals select * from kept_journals`
        yield* sql`insert into audit_entries select * from kept_entries`
        yield* sql`drop table kept_entries, kept_journals`
        yield* sql`alter table audit_entries enable trigger all`
      })
    )
  })

  it("are made for very large books, whose proof may take longer than another statement", async () => {
    const ours = await proven(1)
    await query((sql) =>
      Effect.gen(function* () {
        yield* sql`create function allowed_long() returns boolean language plpgsql as $$ begin
          if current_setting('statement_timeout') <> '30min' then raise 'too short'; end if; return true; end $$`
        yield* sql`alter table sales_tallies rename to short_tallies`
        yield* sql`create view sales_tallies as select * from short_tallies where (select allowed_long())`
      })
    )
    await added(ours)
    await prove(ours)
    expect((await actions(ours)).filter((action) => action === "archive.checkpoint")).toHaveLength(2)
    await query((sql) => sql`drop view sales_tallies`)
    await query((sql) => sql`alter table short_tallies rename to sales_tallies`)
  })

  it("of a new organization wait for its first entry, because an empty chain has no head", async () => {
    const { id } = await app.organization()
    const row = await query(
      (sql) => sql<{ entries: number }>`select entries from journals where organization_id = ${id}`
    )
    expect(row).toEqual([{ entries: 0 }])
    expect(await found()).not.toContain(id)
    const begun = await open()
    await added(begun)
    expect(await found()).toContain(begun.id)
  })

  it("go on when a process crashed before the chain named the last one", async () => {
    const ours = await proven(2)
    await rewrite(ours, (entries) => entries.slice(0, -1))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    expect((await actions(ours)).filter((action) => action === "archive.checkpoint")).toHaveLength(2)
  })

  it("are announced by an event", async () => {
    const ours = await proven(1)
    const events = await ours.made("GET", "/events")
    const checkpoint = JSON.parse(readFileSync(fileOf(ours, 1), "utf8"))
    expect(events.slice(-1)).toMatchObject([
      { type: "archive.checkpoint", data: { object: "checkpoint", attributes: checkpoint } }
    ])
  })
})
