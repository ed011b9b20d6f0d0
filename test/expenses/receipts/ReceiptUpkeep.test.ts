import { describe, expect, it } from "vitest"
import { lunch } from "./FakeReader.ts"
import { uploaded, useUnreadReceipts } from "./UnreadReceipts.ts"
import { nothing, type Receipts } from "./Uploading.ts"

const { actions, attempt, endAbandoned, filesOf, giveUp, open, purge, query } = useUnreadReceipts()

const expense = { ...lunch().fields, description: "Lunch" }

const age = (ours: Receipts, days: number) =>
  query(
    (sql) => sql`
    update receipts set created_at = created_at - make_interval(days => ${days}, hours => 2),
      unused_since = unused_since - make_interval(days => ${days}, hours => 2)
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
    // The sweep saw the receipt before its reading timed out, and looked for its job afterwards.
    const retried = await uploaded(ours)
    await query((sql) => sql`update receipts set reading_timeouts = 1 where receipt_ref = ${retried.receipt_ref}::uuid`)
    await giveUp({ ...retried, reading_timeouts: 0 })
    expect((await ours.poll(retried.receipt_ref)).status).toBe(202)
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
    const [orphan, promoted] = [await uploaded(ours), await uploaded(ours)]
    for (const key of [orphan, promoted]) await attempt(key)
    const path = (await ours.poll(promoted.receipt_ref)).body.data.receipt_path
    const { id } = await ours.expense({ receipt_path: path })
    const named = await uploaded(ours, { fields: { expense_id: String(id) } })
    await attempt(named)
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
        update receipts set unused_since = now() - make_interval(days => 30, mins => ${minutes})
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
    await query((sql) => sql`update receipts set unused_since = now() - interval '30 days' + interval '1 minute'`)
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
    const { expense_id, expires_at } = (await ours.poll(key.receipt_ref)).body.data
    expect([expense_id, expires_at > new Date().toISOString()]).toEqual([null, true])
    await age(ours, 30)
    await purge()
    expect((await ours.poll(key.receipt_ref)).status).toBe(404)
    expect(filesOf(ours.id)).toEqual([])
  })

  it("keeps a receipt for one more retention period after its expense gave it up, so that this can be undone", async () => {
    const ours = await open()
    const paths: Array<string> = []
    for (const key of [await uploaded(ours), await uploaded(ours)]) {
      await attempt(key)
      paths.push((await ours.poll(key.receipt_ref)).body.data.receipt_path)
    }
    const [first, second] = paths
    const { id } = await ours.expense({ receipt_path: first, status: "draft" })
    const put = async (receipt_path: string | null | undefined) =>
      (await ours.call("PUT", `/expenses/${id}`, { receipt_path })).status
    await age(ours, 20)
    expect(await put(second)).toBe(200)
    await age(ours, 20)
    await purge()
    expect(filesOf(ours.id)).toHaveLength(2)
    expect(await put(first)).toBe(200)
    await age(ours, 20)
    expect(await put(null)).toBe(200)
    await purge()
    expect(filesOf(ours.id)).toHaveLength(2)
    expect((await ours.call("DELETE", `/expenses/${id}`)).status).toBe(200)
    expect((await ours.call("POST", "/expenses", { ...expense, receipt_path: first })).status).toBe(201)
  })

  it("keeps a receipt that one of two expenses still uses, even if the other one is deleted at the same time", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await attempt(key)
    const { receipt_path } = (await ours.poll(key.receipt_ref)).body.data
    for (let round = 0; round < 5; round++) {
      const { id } = await ours.expense({ receipt_path, status: "draft", reference: `old ${round}` })
      const body = { ...expense, receipt_path, status: "draft", reference: `new ${round}` }
      const [created, removed] = await Promise.all([
        ours.call("POST", "/expenses", body),
        ours.call("DELETE", `/expenses/${id}`)
      ])
      expect([created.status, removed.status]).toEqual([201, 200])
      expect((await ours.poll(key.receipt_ref)).body.data.expires_at).toBeNull()
      expect((await ours.call("DELETE", `/expenses/${created.body.data.id}`)).status).toBe(200)
      expect((await ours.poll(key.receipt_ref)).body.data.expires_at).not.toBeNull()
    }
  })

  it("keeps a receipt whose upload names an expense until that expense is deleted, also while it is read", async () => {
    const ours = await open()
    for (let round = 0; round < 5; round++) {
      const { id } = await ours.expense({ status: "draft" })
      const key = await uploaded(ours, { fields: { expense_id: String(id) } })
      const [removed] = await Promise.all([ours.call("DELETE", `/expenses/${id}`), attempt(key)])
      expect(removed.status).toBe(200)
      expect((await ours.poll(key.receipt_ref)).body.data.expires_at).not.toBeNull()
    }
  })

  it("removes the file of an interrupted upload", async () => {
    const ours = await open()
    await uploaded(ours)
    await query((sql) => sql`update receipts set status = 'reserved' where organization_id = ${ours.id}`)
    await query((sql) => sql`delete from jobs where queue_name like 'receipts.%'`)
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
