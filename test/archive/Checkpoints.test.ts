import { createHash } from "node:crypto"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Books } from "../support/Billing.ts"
import { useArchive } from "./Archiving.ts"
import { damaged } from "./Damage.ts"

const { actions, app, archiveAll, open, prove, query, state } = useArchive()

/** An organization with an archived invoice, proven after each of so many further entries of its chain. */
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

/** What the owner of the database can do, and no hash of the chain tells. */
const rewrite = ({ id }: Books, change: (entries: ReadonlyArray<string>) => ReadonlyArray<string>) =>
  query((sql) =>
    Effect.gen(function* () {
      const kept = yield* sql<{ canonical: string }>`
        select canonical from audit_entries where organization_id = ${id} order by seq`
      const entries = change(kept.map(({ canonical }) => canonical))
      yield* sql`alter table audit_entries disable trigger all`
      yield* sql`delete from audit_entries where organization_id = ${id}`
      let hash = "0".repeat(64)
      for (const [index, canonical] of entries.entries()) {
        hash = createHash("sha256").update(hash).update(canonical).digest("hex")
        yield* sql`insert into audit_entries ${sql.insert({ organization_id: id, seq: index + 1, canonical, hash })}`
      }
      yield* sql`alter table audit_entries enable trigger all`
      yield* sql`update journals set entries = ${entries.length}, head = ${hash} where organization_id = ${id}`
    }).pipe(sql.withTransaction)
  )

const fileOf = ({ id }: Books, number: number) =>
  join(app.dataDir, "objects", "checkpoints", String(id), String(number))

const problems = async (ours: Books) => {
  const rows = await query(
    (sql) => sql<{ problem: string }>`select problem from archive_incidents where organization_id = ${ours.id}`
  )
  return rows.map(({ problem }) => problem)
}

describe("an audit chain that was proven", () => {
  it("has its head in the storage, once for each proof that found all well", async () => {
    const ours = await proven(2)
    const checkpoints = [1, 2].map((number) => JSON.parse(readFileSync(fileOf(ours, number), "utf8")))
    const [last] = await query(
      (sql) => sql<{ seq: number; hash: string }>`
        select seq, hash from audit_entries where organization_id = ${ours.id} order by seq desc limit 1`
    )
    const entries = last?.seq ?? 0
    expect(checkpoints).toMatchObject([
      { number: 1, entries: entries - 1 },
      { number: 2, entries, head: last?.hash }
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
    await rewrite(ours, (entries) => entries.slice(0, -1))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
  })

  it("is not proven by a checkpoint that is not what was stored, until that is restored", async () => {
    const ours = await proven(2)
    const former = readFileSync(fileOf(ours, 1))
    const restore = damaged(fileOf(ours, 2), () => former)
    await prove(ours)
    damaged(fileOf(ours, 2), () => Buffer.from('{"number":2}'))
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    expect(await problems(ours)).toEqual(["checkpoint 2 of the audit chain is not what was stored"])
    restore()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })
})
