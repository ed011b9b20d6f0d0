import { describe, expect, it } from "vitest"
import { lunch } from "./FakeReader.ts"
import { uploaded, useUnreadReceipts } from "./UnreadReceipts.ts"
import { nothing, type Receipts } from "./Uploading.ts"

const { actions, attempt, endAbandoned, filesOf, open, purge, query } = useUnreadReceipts()

const expense = { ...lunch().fields, description: "Lunch" }

const age = (ours: Receipts, days: number) =>
  query(
    (sql) => sql`
    update receipts set created_at = created_at - make_interval(days => ${days}, hours => 2)
    where organization_id = ${ours.id}`
  )

const letDie = ({ receipt_ref }: { readonly receipt_ref: string }) =>
  query((sql) => sql`update jobs set state = 'failed' where id = ${receipt_ref}`)

describe("a receipt whose job is missing", () => {
  it("is failed once by scheduled work, after five minutes", async () => {
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
  it("removes expired receipts with their files after the retention, and nothing else", async () => {
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
      ...expense,
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

  it("blocks taking a receipt after exactly 30 days, and removes it an hour later", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await attempt(key)
    const { receipt_path } = (await ours.poll(key.receipt_ref)).body.data
    const wait = (minutes: number) =>
      query(
        (sql) => sql`
        update receipts set created_at = now() - make_interval(days => 30, mins => ${minutes})
        where organization_id = ${ours.id}`
      )
    const take = async () => (await ours.call("POST", "/expenses", { ...expense, receipt_path })).status

    await wait(1)
    expect([await take(), (await ours.poll(key.receipt_ref)).status]).toEqual([422, 200])
    await wait(59)
    await purge()
    expect((await ours.poll(key.receipt_ref)).body.data.expires_at < new Date().toISOString()).toBe(true)
    expect(filesOf(ours.id)).toHaveLength(1)
    await wait(61)
    await purge()
    expect([await take(), (await ours.poll(key.receipt_ref)).status, filesOf(ours.id)]).toEqual([422, 404, []])
  })

  it("keeps a receipt that an expense takes in the last minute of its 30 days", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await attempt(key)
    const { receipt_path } = (await ours.poll(key.receipt_ref)).body.data
    await query((sql) => sql`update receipts set created_at = now() - interval '30 days' + interval '1 minute'`)
    expect((await ours.call("POST", "/expenses", { ...expense, receipt_path })).status).toBe(201)
    await age(ours, 30)
    await purge()
    expect((await ours.poll(key.receipt_ref)).body.data.expires_at).toBeNull()
    expect(filesOf(ours.id)).toHaveLength(1)
  })

  it("keeps a receipt for one more retention period after its expense was deleted", async () => {
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

  it("removes the file of an interrupted upload", async () => {
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

  it("keeps receipts that are still being read", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await age(ours, 300)
    await purge()
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(filesOf(ours.id)).toHaveLength(1)
  })
})
