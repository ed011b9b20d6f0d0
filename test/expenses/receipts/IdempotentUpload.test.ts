import { describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { nothing, receiptFile, useReceipts } from "./Uploading.ts"

const { app, open, query, reader } = useReceipts()

const key = (text: string) => ({ headers: { "idempotency-key": text } })
const once = { rows: 1, files: 1, jobs: 1 }

describe("an Idempotency-Key on POST /api/v1/expenses/upload-receipt", () => {
  it("answers the same receipt again, without a new file or job", async () => {
    const { kept, upload } = await open()
    const bytes = receiptFile()
    const first = await upload({ bytes, ...key("lunch") })
    const again = await upload({ bytes, ...key("lunch") })
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body).toEqual(first.body)
    expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"])
    expect(await kept()).toEqual(once)
    const other = await upload({ bytes, ...key("dinner") })
    expect(other.body.data.receipt_ref).not.toBe(first.body.data.receipt_ref)
  })

  it("answers it also for another file, another member and an unreadable file", async () => {
    const { id, kept, send, upload } = await open()
    const first = await upload(key("lunch"))
    const member = await app.run(seedMember(id, "member"))
    const again = [
      await upload({ bytes: receiptFile(999), ...key("lunch") }),
      await upload({ token: member.token, ...key("lunch") }),
      await upload({ bytes: Buffer.from("no receipt"), ...key("lunch") }),
      await upload({ part: "other", ...key("lunch") }),
      await upload({ bytes: receiptFile(11 * 1024 * 1024), ...key("lunch") }),
      await send("{}", key("lunch").headers)
    ]
    for (const { body, status } of again) expect([status, body]).toEqual([202, first.body])
    expect(await kept()).toEqual(once)
  })

  it("answers it even while receipts cannot be read", async () => {
    const { upload } = await open()
    const first = await upload(key("lunch"))
    reader.isAvailable = false
    expect((await upload(key("lunch"))).body).toEqual(first.body)
  })

  it("gives sixteen concurrent uploads one receipt, one file and one job", async () => {
    const { kept, upload } = await open()
    const answers = await race(16, () => upload({ bytes: receiptFile(200_000), ...key("lunch") }))
    expect(statuses(answers)).toEqual({ 202: 16 })
    expect(new Set(answers.map(({ body }) => body.data.receipt_ref)).size).toBe(1)
    expect(await kept()).toEqual(once)
  })

  it("is independent in another organization", async () => {
    const [ours, theirs] = [await open(), await open()]
    const answers = [await ours.upload(key("lunch")), await theirs.upload(key("lunch"))]
    expect(new Set(answers.map(({ body }) => body.data.receipt_ref)).size).toBe(2)
    expect([await ours.kept(), await theirs.kept()]).toEqual([once, once])
  })

  it("is free again after an upload was refused", async () => {
    const { kept, upload } = await open()
    expect((await upload({ bytes: Buffer.from("text"), ...key("lunch") })).status).toBe(422)
    expect(await kept()).toEqual(nothing)
    expect((await upload(key("lunch"))).status).toBe(202)
  })

  it("must have 1 to 255 characters", async () => {
    const { kept, upload } = await open()
    for (const text of ["", "x".repeat(256)]) {
      const { body, status } = await upload(key(text))
      expect([status, body.code]).toEqual([422, "idempotency_key_invalid"])
    }
    expect(await kept()).toEqual(nothing)
    expect((await upload(key("x".repeat(255)))).status).toBe(202)
  })

  it("answers 409 while another request is storing its file under the key", async () => {
    const { id, kept, upload } = await open()
    await upload(key("lunch"))
    await query((sql) => sql`update receipts set status = 'reserved' where organization_id = ${id}`)
    const { body, headers, status } = await upload(key("lunch"))
    expect([status, body.code, headers.get("retry-after")]).toEqual([409, "idempotency_in_progress", "2"])
    expect(await kept()).toEqual(once)
  })

  it("is free two minutes after its process was killed, and the interrupted upload leaves nothing", async () => {
    const { id, upload } = await open()
    await upload(key("lunch"))
    await query(
      (sql) => sql`
      update receipts set status = 'reserved', created_at = now() - interval '3 minutes' where organization_id = ${id}`
    )
    const { body, headers, status } = await upload(key("lunch"))
    expect([status, headers.get("idempotency-replayed")]).toEqual([202, null])
    const rows = await query(
      (sql) => sql<{ receipt_ref: string; status: string }>`
      select receipt_ref::text, status from receipts where organization_id = ${id} order by id`
    )
    expect(rows).toEqual([
      { receipt_ref: expect.any(String), status: "removed" },
      { receipt_ref: body.data.receipt_ref, status: "processing" }
    ])
  })
})
