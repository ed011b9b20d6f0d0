import { renameSync, rmSync, symlinkSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Signer } from "../../../src/platform/crypto/Signer.ts"
import type { Books } from "../../support/Billing.ts"
import { useArchive } from "../DocumentArchiver.ts"
import { damaged } from "./Damage.ts"

const { actions, app, archiveAll, documents, endProof, filesOf, open, problems, prove, query, state } = useArchive()

const filled = async (count: number) => {
  const ours = await open()
  for (let index = 0; index < count; index++) await ours.issued()
  await archiveAll(ours)
  return ours
}

/** Makes a file unreadable, as an outage of the storage does, and returns a function that makes it readable again. */
const unreadable = (file: string) => {
  renameSync(file, `${file}-away`)
  // A symbolic link that points to itself cannot be opened, but it is not missing either.
  symlinkSync(file, file)
  return () => {
    rmSync(file)
    renameSync(`${file}-away`, file)
  }
}

/** Edits the stored result of the last proof, as the owner of the database can. */
const forge = ({ id }: Books) =>
  query(
    (sql) => sql`
      update archive_proofs set record = replace(record, '"passed"', '"failed"') where organization_id = ${id}`
  )

const download = async (ours: Books) => {
  const [row] = await documents(ours)
  const { body, status } = await ours.call("GET", `/archive/documents/${row.id}/download`)
  return [status, body.code]
}

const alarms = async (ours: Books) =>
  (await actions(ours)).filter((action) => action === "archive.integrity_failed").length

/** Interrupts the proof after a forgery, and returns a function that ends the outage of the storage. */
const interruptedAfterForgery = async (ours: Books) => {
  await prove(ours)
  await forge(ours)
  const [file = ""] = filesOf(ours, "archive")
  const restore = unreadable(file)
  await expect(prove(ours)).rejects.toThrow()
  return restore
}

const forged = "the result of the last proof was changed after the service wrote it"

describe("a proof that the storage interrupts", () => {
  it("is inconclusive after its last attempt, and reports no incident", async () => {
    const ours = await filled(1)
    const [file = ""] = filesOf(ours, "archive")
    const restore = unreadable(file)
    await expect(prove(ours)).rejects.toThrow()
    expect(await download(ours)).toEqual([503, "storage_unavailable"])
    expect(await state(ours)).toMatchObject({ integrity_state: "running", last_proven_at: null })
    await endProof(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "inconclusive", last_proven_at: null })
    restore()
    expect(await alarms(ours)).toBe(0)
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })

  it("has failed after its last attempt if a download found a damaged object meanwhile", async () => {
    const ours = await filled(2)
    const [first = "", second = ""] = filesOf(ours, "archive")
    const restore = [unreadable(first), unreadable(second)]
    await expect(prove(ours)).rejects.toThrow()
    for (const undo of restore) undo()
    const repair = [first, second].map((file) => damaged(file, (bytes) => bytes.subarray(0, 500)))
    expect(await download(ours)).toEqual([503, "archive_integrity"])
    await endProof(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed", last_proven_at: null })
    for (const undo of repair) undo()
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })

  it("has failed after its last attempt if the proof before it found a defect of the manifest", async () => {
    const ours = await filled(1)
    const renumber = (change: string) =>
      query((sql) =>
        sql.withTransaction(
          sql`set local session_replication_role = replica`.pipe(
            Effect.andThen(
              sql`update archive_objects set number = ${sql.literal(change)} where organization_id = ${ours.id}`
            )
          )
        )
      )
    await renumber("number || '9'")
    await prove(ours)
    const [file = ""] = filesOf(ours, "archive")
    const restore = unreadable(file)
    await expect(prove(ours)).rejects.toThrow()
    await endProof(ours)
    restore()
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    await renumber("left(number, -1)")
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  })
})

describe("a changed result of the last proof", () => {
  it("is not one that version 1.0.0 wrote, which lacks a field", async () => {
    const ours = await filled(1)
    const last_proven_at = "2026-03-01T02:00:00.000Z"
    const progress = { started_at: last_proven_at, last_proven_at, read_until: 2, lost: 0 }
    const record = JSON.stringify({ organization_id: ours.id, state: "passed", ...progress })
    const signer = await app.run(Signer)
    await query(
      (sql) =>
        sql`insert into archive_proofs ${sql.insert({ organization_id: ours.id, record, signature: signer.sign(record) })}`
    )
    expect(await state(ours)).toMatchObject({ integrity_state: "passed", last_proven_at })
    await prove(ours)
    expect(await problems(ours)).toEqual([])
  })

  it("is reported although the next proof is interrupted", async () => {
    const ours = await filled(1)
    const restore = await interruptedAfterForgery(ours)
    restore()
    await prove(ours)
    expect(await problems(ours)).toEqual([forged])
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    await prove(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
    expect(await alarms(ours)).toBe(1)
  })

  it("is reported although the next proof is given up", async () => {
    const ours = await filled(1)
    const restore = await interruptedAfterForgery(ours)
    await endProof(ours)
    expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
    restore()
    await prove(ours)
    expect(await problems(ours)).toEqual([forged])
  })

  it("is reported although a download finds a damaged object before the next proof", async () => {
    const ours = await filled(1)
    await prove(ours)
    await forge(ours)
    const [file = ""] = filesOf(ours, "archive")
    const repair = damaged(file, (bytes) => bytes.subarray(0, 500))
    expect(await download(ours)).toEqual([503, "archive_integrity"])
    repair()
    await prove(ours)
    expect(await problems(ours)).toEqual(["altered", forged])
  })
})
