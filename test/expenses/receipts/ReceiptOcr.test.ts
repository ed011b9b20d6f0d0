import { Effect, Layer } from "effect"
import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { afterEach, describe, expect, it } from "vitest"
import { Expenses } from "../../../src/expenses/Expenses.ts"
import { ReceiptOcr } from "../../../src/expenses/receipts/ReceiptOcr.ts"
import { ReaderUnavailable } from "../../../src/expenses/receipts/ReceiptReader.ts"
import { ReceiptUpkeep } from "../../../src/expenses/receipts/ReceiptUpkeep.ts"
import { OrganizationId, ReceiptRef } from "../../../src/kernel/Ids.ts"
import { verifiedJournal } from "../../support/Journal.ts"
import { lunch } from "./FakeReader.ts"
import { nothing, type Receipts, useReceipts } from "./Uploading.ts"

// No worker runs: each test does the work itself, when it wants it done.
const { app, filesOf, layer, open, query, reader } = useReceipts()

// One that could not be read closes the uploads of all for a while.
const forgetRefusals = () => query((sql) => sql`update receipts set refused_at = null`)
afterEach(forgetRefusals)

const services = ReceiptUpkeep.layer.pipe(
  Layer.provideMerge(ReceiptOcr.layer),
  Layer.provide(Expenses.layer),
  Layer.provide(layer)
)

const uploaded = async (ours: Receipts) => {
  const { body } = await ours.upload()
  return {
    organization_id: OrganizationId.make(ours.id),
    receipt_ref: ReceiptRef.make(body.data.receipt_ref)
  }
}
type Key = Awaited<ReturnType<typeof uploaded>>

const attempt = (key: Key, last = false) =>
  app.run(ReceiptOcr.use((ocr) => Effect.result(ocr.read(key, { last }))).pipe(Effect.provide(services)))
const endAbandoned = () => app.run(ReceiptUpkeep.use(({ endAbandoned }) => endAbandoned).pipe(Effect.provide(services)))
const purge = () => app.run(ReceiptUpkeep.use(({ purge }) => purge).pipe(Effect.provide(services)))

const age = (ours: Receipts, days: number) =>
  query(
    (sql) => sql`
    update receipts set created_at = created_at - make_interval(days => ${days}, hours => 2)
    where organization_id = ${ours.id}`
  )

const letDie = (key: Key) => query((sql) => sql`update jobs set state = 'failed' where id = ${key.receipt_ref}`)

const actions = async (ours: Receipts) => (await app.run(verifiedJournal(ours.id))).entries.map(({ action }) => action)

describe("reading a receipt", () => {
  it("is tried again when the reader is unavailable, and fails for good in the last attempt", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderUnavailable({ reason: "no process starts" }))
    expect(await attempt(key)).toMatchObject({ _tag: "Failure", failure: { _tag: "ReaderUnavailable" } })
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(await attempt(key, true)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "reading_unavailable"])
  })

  it("closes uploads for half a minute when the reader is unavailable, in every process", async () => {
    const [ours, theirs] = [await open(), await open()]
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderUnavailable({ reason: "no process starts" }))
    await attempt(key)
    const { body, headers, status } = await theirs.upload()
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "ocr_unavailable", "30"])
    expect(await theirs.kept()).toEqual(nothing)
    await query((sql) => sql`update receipts set refused_at = refused_at - interval '31 seconds'`)
    expect((await theirs.upload()).status).toBe(202)
  })

  it("is tried again when the storage gives something else than was uploaded", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    const [file = ""] = filesOf(ours.id)
    chmodSync(file, 0o600)
    writeFileSync(file, "changed")
    expect(await attempt(key)).toMatchObject({ _tag: "Failure", failure: { _tag: "StorageUnavailable" } })
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(reader.given).toEqual([])
  })

  it("ends at once when the file is gone", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    for (const file of filesOf(ours.id)) rmSync(file)
    expect(await attempt(key)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "file_missing"])
  })

  it("ends at once when the reader has a bug", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.die(new Error("a bug"))
    expect(await attempt(key)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "reading_failed"])
  })

  it("comes to one end when eight do it at once", async () => {
    const ours = await open()
    const { id } = await ours.expense()
    const { body } = await ours.upload({ fields: { expense_id: String(id) } })
    const key = { organization_id: OrganizationId.make(ours.id), receipt_ref: body.data.receipt_ref }
    reader.answer = () => Effect.delay(Effect.succeed(lunch()), "100 millis")
    await Promise.all(Array.from({ length: 8 }, () => attempt(key)))
    expect((await ours.poll(key.receipt_ref)).body.data.status).toBe("needs_review")
    expect(await actions(ours)).toEqual([
      "expense.created",
      "receipt.uploaded",
      "expense.enriched",
      "receipt.processed"
    ])
  })

  it("leaves a terminal receipt as it is", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await attempt(key)
    const before = await ours.poll(key.receipt_ref)
    reader.answer = () => Effect.succeed(lunch({ status: "done", fields: {} }))
    await attempt(key)
    expect((await ours.poll(key.receipt_ref)).body).toEqual(before.body)
    expect(reader.given).toHaveLength(1)
  })
})

describe("a receipt whose job died without it", () => {
  it("is ended by the clock, once, after five minutes", async () => {
    const ours = await open()
    const [dead, living] = [await uploaded(ours), await uploaded(ours)]
    await letDie(dead)
    await endAbandoned()
    expect((await ours.poll(dead.receipt_ref)).status).toBe(202)
    await query(
      (sql) => sql`
      update receipts set created_at = now() - interval '6 minutes' where organization_id = ${ours.id}`
    )
    await Promise.all([endAbandoned(), endAbandoned(), endAbandoned()])
    const { body } = await ours.poll(dead.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "reading_unavailable"])
    expect((await ours.poll(living.receipt_ref)).status).toBe(202)
    expect((await actions(ours)).filter((action) => action === "receipt.processed")).toHaveLength(1)
  })
})

describe("the purge", () => {
  it("removes orphans with their files after the retention, and leaves everything else", async () => {
    const ours = await open()
    const [orphan, promoted, named] = [await uploaded(ours), await uploaded(ours), await uploaded(ours)]
    for (const key of [orphan, promoted, named]) await attempt(key)
    const path = (await ours.poll(promoted.receipt_ref)).body.data.receipt_path
    await ours.expense({ receipt_path: path })
    const { id } = await ours.expense()
    await query((sql) => sql`update receipts set expense_id = ${id} where receipt_ref = ${named.receipt_ref}::uuid`)
    await purge()
    expect(filesOf(ours.id)).toHaveLength(3)

    await age(ours, 30)
    const expired = await ours.call("POST", "/expenses", {
      ...lunch().fields,
      receipt_path: (await ours.poll(orphan.receipt_ref)).body.data.receipt_path
    })
    expect([expired.status, Object.keys(expired.body.errors)]).toEqual([422, ["receipt_path"]])
    await purge()
    expect(filesOf(ours.id)).toHaveLength(2)
    const answers = [orphan, promoted, named].map(({ receipt_ref }) => ours.poll(receipt_ref))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 200, 200])
    expect((await actions(ours)).at(-1)).toBe("receipt.purged")
    expect((await ours.kept()).rows).toBe(2)
  })

  it("keeps a receipt for one retention more after its expense was deleted", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await attempt(key)
    const { receipt_path } = (await ours.poll(key.receipt_ref)).body.data
    const { id } = await ours.expense({ receipt_path, status: "draft" })
    await age(ours, 300)
    await ours.call("DELETE", `/expenses/${id}`)
    await purge()
    expect((await ours.poll(key.receipt_ref)).status).toBe(200)
    await query((sql) => sql`update expenses set deleted_at = now() - interval '31 days' where id = ${id}`)
    await purge()
    expect((await ours.poll(key.receipt_ref)).status).toBe(404)
    expect(filesOf(ours.id)).toEqual([])
  })

  it("takes out what a killed request left: a file without its capture", async () => {
    const ours = await open()
    await uploaded(ours)
    await query((sql) => sql`update receipts set status = 'reserved' where organization_id = ${ours.id}`)
    await query((sql) => sql`delete from jobs where queue_name = 'receipts.ocr'`)
    await purge()
    expect(filesOf(ours.id)).toHaveLength(1)
    await query(
      (sql) => sql`
      update receipts set created_at = now() - interval '61 minutes' where organization_id = ${ours.id}`
    )
    await Promise.all([purge(), purge()])
    expect(await ours.kept()).toEqual(nothing)
  })

  it("leaves receipts that are still being read", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await age(ours, 300)
    await purge()
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(filesOf(ours.id)).toHaveLength(1)
  })
})
