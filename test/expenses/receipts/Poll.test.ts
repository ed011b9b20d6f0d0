import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember, seedToken } from "../../support/database/Seed.ts"
import { lunch } from "./FakeReader.ts"
import { receiptFile, useReceipts } from "./Uploading.ts"

const { app, open, query, reader } = useReceipts({ role: "all" })

describe("GET /api/v1/expenses/ocr/{receipt_ref}", () => {
  it("answers 202 with Retry-After while the receipt is being read, then 200 with the result", async () => {
    const { id, poll, read, upload } = await open()
    reader.answer = () => Effect.delay(Effect.succeed(lunch()), "1 second")
    const uploaded = await upload()
    const { receipt_path, receipt_ref } = uploaded.body.data
    const waiting = await poll(receipt_ref)
    expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([202, "2"])
    expect(waiting.body).toEqual(uploaded.body)

    const { body, headers, status } = await read(receipt_ref)
    expect([status, headers.get("retry-after")]).toEqual([200, null])
    const { fields, ...rest } = lunch()
    expect(body).toEqual({
      success: true,
      data: {
        ...rest,
        receipt_ref,
        receipt_path,
        fields: { ...fields, description: "Café Zürich" },
        expense_id: null,
        duplicate_of: null,
        completed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
    })
    const days = (Date.parse(body.data.expires_at) - Date.parse(body.data.completed_at)) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30)

    const { entries, events } = await app.run(verifiedAuditLog(id))
    // A checkpoint of the archive may come between any two entries and events.
    const own = entries.filter(({ action }) => action !== "archive.checkpoint")
    expect(own.map(({ action, actor }) => [action, actor.split(":")[0]])).toEqual([
      ["receipt.uploaded", "user"],
      ["receipt.processed", "system"]
    ])
    expect(events.filter(({ type }) => type !== "archive.checkpoint")).toMatchObject([
      { type: "receipt.processed", data: { object: "receipt", id: receipt_ref, attributes: body.data } }
    ])
  })

  it("gives the reader the file as uploaded, and facts about the organization", async () => {
    const { captured } = await open({ name: "Acme", country: "BE", currency: "EUR" })
    await captured({ bytes: receiptFile(3_000) })
    const { hints, media_type } = reader.given.at(-1) ?? {}
    expect(media_type).toBe("application/pdf")
    expect(hints).toMatchObject({ country: "BE", currency: "EUR", language: "en", own_names: ["Acme"] })
    expect(hints?.today).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it("gives the reader the organization's bank accounts, which a direct debit prints", async () => {
    const [{ captured, id }, theirs] = [await open({ name: "Acme" }), await open()]
    await query(
      (sql) => sql`
        insert into bank_accounts (organization_id, name, iban, account_number, currency, status) values
          (${id}, 'Main', 'NL91ABNA0417164300', null, 'EUR', 'active'),
          (${id}, 'Old', null, '12345678', 'EUR', 'archived'), (${id}, 'New', null, null, 'EUR', 'active'),
          (${id}, 'Wallet', null, 'PAYPAL', 'EUR', 'active'), (${id}, 'Till', null, 'CARD 123', 'EUR', 'active'),
          (${id}, 'Sort', null, '12-34 5', 'EUR', 'active'),
          (${theirs.id}, 'Main', 'BE68539007547034', null, 'EUR', 'active')`
    )
    await captured()
    expect(reader.given.at(-1)?.hints.own_names).toEqual(["Acme", "12-34 5", "12345678", "NL91ABNA0417164300"])
  })

  it.each([
    ["embedded", "embedded_xml"],
    ["text_layer", "pdf_text"],
    ["ocr", "ocr"]
  ] as const)("says that %s was read as %s", async (source, said) => {
    const { captured } = await open()
    reader.answer = () => Effect.succeed(lunch({ source, status: "done" }))
    expect(await captured()).toMatchObject({ status: "done", source: said })
  })

  it("answers failed for a receipt that cannot be read", async () => {
    const { captured } = await open()
    const error = { code: "unreadable", message: "The file cannot be read." }
    const unreadable = { fields: {}, confidence: { overall: 0 }, candidates: {}, checks: [], warnings: [] }
    reader.answer = () => Effect.succeed(lunch({ ...unreadable, status: "failed", error }))
    expect(await captured()).toMatchObject({ status: "failed", fields: {}, error })
  })

  it("answers the same 404 for a missing receipt, a foreign one and an invalid reference", async () => {
    const [ours, theirs] = [await open(), await open()]
    const { receipt_ref } = await theirs.captured()
    const answers = [
      await ours.poll("00000000-0000-4000-8000-000000000000"),
      await ours.poll(receipt_ref),
      await ours.poll("abc"),
      await ours.poll("%00"),
      await ours.poll(`${receipt_ref}x`),
      await theirs.poll(receipt_ref, `?organization_id=${ours.id}`),
      await theirs.poll(receipt_ref, "?organization_id=all")
    ]
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 404))
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set(['{"success":false,"message":"Not found.","code":"not_found"}'])
    )
    expect((await theirs.poll(receipt_ref, `?organization_id=${theirs.id}`)).status).toBe(200)
  })

  it("requires the permission to view expenses", async () => {
    const ours = await open()
    const { receipt_ref } = await ours.captured()
    const viewer = await app.run(seedMember(ours.id, "viewer"))
    const writing = await app.run(seedToken(ours.owner.id, ["expenses:write"]))
    const answers = [await ours.poll(receipt_ref, "", viewer.token), await ours.poll(receipt_ref, "", writing)]
    expect(answers.map(({ status }) => status)).toEqual([200, 403])
  })
})

const said = (changes: object) => () => Effect.succeed(lunch({ fields: { ...lunch().fields, ...changes } }))

describe("duplicate_of", () => {
  it("names the first receipt with the same file, without blocking anything", async () => {
    const { captured } = await open()
    reader.answer = () => Effect.succeed(lunch({ fields: {} }))
    const bytes = receiptFile()
    const [first, second, third] = [await captured({ bytes }), await captured({ bytes }), await captured({ bytes })]
    expect([first, second, third].map(({ duplicate_of }) => duplicate_of)).toEqual([
      null,
      first.receipt_ref,
      first.receipt_ref
    ])
  })

  it("names the first receipt with the same vendor, date and amount, however the vendor is spelled", async () => {
    const { captured } = await open()
    reader.answer = said({})
    const first = await captured()
    reader.answer = said({ vendor: "CAFE ZURICH." })
    expect((await captured()).duplicate_of).toBe(first.receipt_ref)
    for (const other of [
      { amount: "118.41" },
      { expense_date: "2026-02-28" },
      { vendor: "Bar" },
      { currency: "CHF" }
    ]) {
      reader.answer = said(other)
      expect((await captured()).duplicate_of).toBeNull()
    }
  })

  it("ignores receipts of other organizations", async () => {
    const bytes = receiptFile()
    const [ours, theirs] = [await open(), await open()]
    await theirs.captured({ bytes })
    expect((await ours.captured({ bytes })).duplicate_of).toBeNull()
  })
})
