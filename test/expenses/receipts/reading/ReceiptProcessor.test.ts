import { Effect, Option } from "effect"
import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ReaderStopped, ReaderUnavailable } from "../../../../src/expenses/receipts/reading/ReceiptReader.ts"
import { until } from "../../../support/counterparts/Receiver.ts"
import { lunch } from "../FakeReader.ts"
import { uploaded, useUnreadReceipts } from "../UnreadReceipts.ts"
import { beginnings, nothing } from "../Uploading.ts"

const { actions, app, attempt, attemptText, endAbandoned, filesOf, open, query, reader, whileReading } =
  useUnreadReceipts()

describe("reading a receipt", () => {
  it("is retried when the reader is unavailable, and fails in the last attempt", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderUnavailable({ reason: "no process starts" }))
    expect(await attempt(key)).toMatchObject({ _tag: "Failure", failure: { _tag: "ReaderUnavailable" } })
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(await attempt(key, true)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "reading_unavailable"])
  })

  it("with text does not wait for the pictures of any organization", async () => {
    const [ours, theirs] = [await open(), await open()]
    const pictured = Promise.withResolvers<void>()
    reader.answer = () =>
      Effect.as(
        Effect.promise(() => pictured.promise),
        lunch()
      )
    reader.text = () => Effect.succeedSome(lunch({ source: "text_layer" }))
    await whileReading(async () => {
      const pictures = [
        await uploaded(ours, { bytes: beginnings.jpg }),
        await uploaded(ours, { bytes: beginnings.png })
      ]
      await until("both readers to be busy", () => (reader.given.length === 2 ? true : undefined))
      for (const one of [ours, theirs]) {
        const pdf = await uploaded(one)
        expect((await one.read(pdf.receipt_ref)).body.data).toMatchObject({ source: "pdf_text" })
      }
      for (const { receipt_ref } of pictures) expect((await ours.poll(receipt_ref)).status).toBe(202)
      pictured.resolve()
      for (const { receipt_ref } of pictures) await ours.read(receipt_ref)
    })
    expect(reader.given).toHaveLength(2)
  })

  it("with text does not wait for one that hangs, and counts as being read", async () => {
    const [ours, theirs] = [await open(), await open()]
    let readings = 0
    const released = Promise.withResolvers<void>()
    const text = Option.some(lunch({ source: "text_layer" }))
    reader.text = () =>
      readings++ === 0 ? Effect.promise(() => released.promise.then(() => text)) : Effect.succeed(text)
    await whileReading(async () => {
      const hanging = await uploaded(ours)
      await until("a reader to hang", () => (readings === 1 ? true : undefined))
      const metrics = await app.call("GET", "/metrics")
      expect(metrics.text).toMatch(/^receipt_readings\{[^}]*queue="receipts\.text"[^}]*\} 1$/m)
      const pdf = await uploaded(theirs)
      expect((await theirs.read(pdf.receipt_ref)).body.data).toMatchObject({ source: "pdf_text" })
      expect((await ours.poll(hanging.receipt_ref)).status).toBe(202)
      released.resolve()
      await ours.read(hanging.receipt_ref)
    })
  })

  it("without text is moved to the queue of pictures, and does not count as abandoned in either queue", async () => {
    const ours = await open()
    reader.answer = () => Effect.succeed(lunch())
    const key = await uploaded(ours)
    await endAbandoned()
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    await attemptText(key)
    await endAbandoned()
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(reader.given).toHaveLength(0)
    await whileReading(() => ours.read(key.receipt_ref))
    expect(reader.given).toHaveLength(1)
    expect(await actions(ours)).toEqual(["receipt.uploaded", "receipt.processed"])
  })

  it("blocks uploads of images for half a minute in every process when the reader is unavailable", async () => {
    const [ours, theirs] = [await open(), await open()]
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderUnavailable({ reason: "no process starts" }))
    await attempt(key)
    const { body, headers, status } = await theirs.upload({ bytes: beginnings.jpg })
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "ocr_unavailable", "30"])
    expect(await theirs.kept()).toEqual(nothing)
    await query((sql) => sql`update receipts set refused_at = refused_at - interval '31 seconds'`)
    expect((await theirs.upload({ bytes: beginnings.jpg })).status).toBe(202)
  })

  it("that runs out of time is tried again later, and fails after five tries within a day", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderStopped({ reason: "it exceeded its limit of time" }))
    for (let tries = 1; tries <= 4; tries++) {
      expect(await attempt(key)).toMatchObject({ _tag: "Success" })
      await endAbandoned()
      expect((await ours.poll(key.receipt_ref)).status).toBe(202)
      expect((await ours.kept()).jobs).toBe(1 + tries)
    }
    const pauses = await query<{ pause: number }>(
      (sql) => sql`
        select round(extract(epoch from visible_at - created_at) / 60)::integer as pause from jobs
        where queue_name = 'receipts.ocr' and id like ${`${key.receipt_ref}/%`} order by id`
    )
    expect(pauses.map(({ pause }) => pause)).toEqual([10, 60, 300, 1080])
    expect(await attempt(key)).toMatchObject({ _tag: "Success" })
    const { body, status } = await ours.poll(key.receipt_ref)
    expect([status, body.data.status, body.data.error.code]).toEqual([200, "failed", "reading_timed_out"])
  })

  it("that ran out of time completes when a later try succeeds", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.fail(new ReaderStopped({ reason: "it exceeded its limit of time" }))
    await attempt(key)
    reader.answer = () => Effect.succeed(lunch())
    await attempt(key)
    expect((await ours.poll(key.receipt_ref)).body.data.status).toBe("needs_review")
  })

  it("is retried when the storage answers other bytes than were uploaded", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    const [file = ""] = filesOf(ours.id)
    chmodSync(file, 0o600)
    writeFileSync(file, "changed")
    expect(await attempt(key)).toMatchObject({ _tag: "Failure", failure: { _tag: "StorageUnavailable" } })
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    expect(reader.given).toEqual([])
  })

  it("fails at once when the file is missing", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    for (const file of filesOf(ours.id)) rmSync(file)
    expect(await attempt(key)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "file_missing"])
  })

  it("fails at once when the reader has a bug", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    reader.answer = () => Effect.die(new Error("a bug"))
    expect(await attempt(key)).toMatchObject({ _tag: "Success" })
    const { body } = await ours.poll(key.receipt_ref)
    expect([body.data.status, body.data.error.code]).toEqual(["failed", "reading_failed"])
  })

  it("is retried when the database cannot store the refusal of the reader for now", async () => {
    const ours = await open()
    const key = await uploaded(ours)
    await query(
      (sql) => sql`create function is_full() returns trigger language plpgsql as $$ begin
        raise 'no space' using errcode = 'disk_full'; end $$`
    )
    await query(
      (sql) => sql`create trigger is_full before update of refused_at on receipts for each row
      execute function is_full()`
    )
    reader.answer = () => Effect.fail(new ReaderUnavailable({ reason: "no process starts" }))
    const failed = attempt(key)
    await expect(failed).rejects.toMatchObject({ cause: { cause: { message: "no space" } } })
    await query((sql) => sql`drop function is_full cascade`)
    expect((await ours.poll(key.receipt_ref)).status).toBe(202)
    reader.answer = () => Effect.succeed(lunch())
    await attempt(key)
    expect((await ours.poll(key.receipt_ref)).body.data.status).toBe("needs_review")
  })

  it("has one result when eight workers read the receipt concurrently", async () => {
    const ours = await open()
    const { id } = await ours.expense()
    const key = await uploaded(ours, { fields: { expense_id: String(id) } })
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

  it("does not wait for all receipts of another organization", async () => {
    const [busy, other] = [await open(), await open()]
    const keys: Array<Awaited<ReturnType<typeof uploaded>>> = []
    for (let count = 0; count < 20; count++) keys.push(await uploaded(busy))
    const { receipt_ref } = await uploaded(other)
    reader.answer = () => Effect.delay(Effect.succeed(lunch()), "50 millis")
    await whileReading(async () => {
      await other.read(receipt_ref)
      const unread = await query(
        (sql) => sql`select from receipts where organization_id = ${busy.id} and status = 'processing'`
      )
      expect(unread.length).toBeGreaterThan(10)
      for (const key of keys) await busy.read(key.receipt_ref)
    })
  })

  it("leaves a receipt that was read already unchanged", async () => {
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
