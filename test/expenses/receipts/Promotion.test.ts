import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { expenseBody } from "../../support/Expenses.ts"
import { lunch } from "./FakeReader.ts"
import { useReceipts } from "./Uploading.ts"

const { app, open, reader } = useReceipts({ role: "all" })

describe("a receipt that becomes an expense", () => {
  it("has fields that can be posted as they are, and then belongs to the expense", async () => {
    const { call, captured, poll } = await open()
    const { fields, receipt_path, receipt_ref } = await captured()
    const { body, status } = await call("POST", "/expenses", { ...fields, receipt_path })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      expense_date: "2026-02-27",
      vendor: "Café Zürich",
      amount: 118.4,
      tax_amount: 20.55,
      net_amount: 97.85,
      category: "meals",
      receipt_path
    })
    expect((await poll(receipt_ref)).body.data).toMatchObject({ expense_id: body.data.id, expires_at: null })
  })

  it("has a category and a description even if they are not on the receipt", async () => {
    const { call, captured } = await open()
    const { category: _, ...fields } = lunch().fields
    reader.answer = () => Effect.succeed(lunch({ fields }))
    const named = await captured()
    expect(named.fields).toMatchObject({ category: "other", description: "Café Zürich" })
    const { vendor: __, ...anonymous } = fields
    reader.answer = () => Effect.succeed(lunch({ fields: anonymous }))
    const unnamed = await captured({ name: "taxi.pdf" })
    expect(unnamed.fields).toMatchObject({ category: "other", description: "taxi.pdf" })
    expect((await call("POST", "/expenses", unnamed.fields)).status).toBe(201)
  })

  it.each([
    ["more tax than the amount", { tax_amount: "150.00", tax_rates: undefined }, ["tax_amount"]],
    ["less tax than nothing", { tax_amount: "-20.55", tax_rates: undefined }, ["tax_amount"]],
    ["rows that do not add up", { tax_amount: "20.50" }, ["tax_amount", "tax_rates"]],
    [
      "a row of a discount",
      { tax_rates: [{ rate: "21", taxable_amount: "-9.00", tax_amount: "-1.89" }] },
      ["tax_amount", "tax_rates"]
    ],
    ["a rate above all", { tax_rates: [{ rate: "210", taxable_amount: "1", tax_amount: "20.55" }] }, ["tax_rates"]],
    ["a name without end", { vendor: "x".repeat(256) }, ["vendor"]],
    ["a name that shows nothing", { reference: "\u0000" }, ["reference"]]
  ] as const)("leaves out of its fields what an expense would refuse: %s", async (_, changes, lost) => {
    const { call, captured } = await open()
    const said = Object.entries({ ...lunch().fields, ...changes }).filter(([, value]) => value !== undefined)
    reader.answer = () => Effect.succeed(lunch({ status: "done", warnings: [], fields: Object.fromEntries(said) }))
    const { fields, receipt_path, status, warnings } = await captured()
    expect(status).toBe("needs_review")
    expect(warnings).toEqual(lost.map((field) => `an expense cannot have this ${field}`))
    for (const field of lost) expect(fields[field]).not.toEqual(Object.fromEntries(said)[field])
    const { body } = await call("POST", "/expenses", { ...fields, receipt_path })
    expect(body).toMatchObject({ success: true, data: { amount: 118.4, receipt_path } })
  })

  it("can become expenses of other amounts, days or references, and then names the first one", async () => {
    const { captured, expense, poll } = await open()
    const { receipt_path, receipt_ref } = await captured()
    const first = await expense({ receipt_path })
    for (const other of [{ amount: 7 }, { expense_date: "2026-02-01" }, { reference: "T-2" }, { currency: "USD" }]) {
      await expense({ receipt_path, ...other })
    }
    expect((await poll(receipt_ref)).body.data.expense_id).toBe(first.id)
  })

  it("is booked once, also by simultaneous requests and by changes; a deleted expense frees it", async () => {
    const { call, captured, expense } = await open()
    const { receipt_path } = await captured()
    const book = () => call("POST", "/expenses", expenseBody({ receipt_path, reference: "T-1", status: "draft" }))
    const answers = await race(4, book)
    expect(statuses(answers)).toEqual({ 201: 1, 422: 3 })
    const id = answers.find(({ status }) => status === 201)?.body.data.id
    const refused = { code: "receipt_booked", details: { expense_id: id } }
    for (const { body, status } of answers) if (status === 422) expect(body).toMatchObject(refused)
    const other = await expense({ receipt_path, reference: "T-2" })
    const changed = await call("PUT", `/expenses/${other.id}`, { reference: "T-1" })
    expect([changed.status, changed.body]).toEqual([422, expect.objectContaining(refused)])
    expect((await call("PUT", `/expenses/${id}`, { notes: "kept", receipt_path })).status).toBe(200)
    await call("DELETE", `/expenses/${id}`)
    expect((await book()).status).toBe(201)
  })

  it("expires again when the expense drops it or is deleted", async () => {
    const { call, captured, expense, poll } = await open()
    const { receipt_path, receipt_ref } = await captured()
    const { id } = await expense({ receipt_path, status: "draft" })
    await call("PUT", `/expenses/${id}`, { receipt_path: null })
    expect((await poll(receipt_ref)).body.data).toMatchObject({ expense_id: null, expires_at: expect.any(String) })
    await call("PUT", `/expenses/${id}`, { receipt_path })
    expect((await poll(receipt_ref)).body.data).toMatchObject({ expense_id: id, expires_at: null })
    await call("DELETE", `/expenses/${id}`)
    expect((await poll(receipt_ref)).body.data).toMatchObject({ expense_id: null, expires_at: expect.any(String) })
  })

  it("is refused with 422 when it is foreign or missing, or when the path is not a receipt's", async () => {
    const [ours, theirs] = [await open(), await open()]
    const { receipt_path: foreign } = await theirs.captured()
    const { receipt_path: own } = await ours.captured()
    const { id } = await ours.expense()
    const [unknown, etc] = ["receipts/7/2026/03/7b0e6c7e.pdf", "../../etc/passwd"]
    for (const receipt_path of ["", foreign, unknown, `${own}x`, own.toUpperCase(), `./${own}`, etc, "/etc/passwd"]) {
      const created = await ours.call("POST", "/expenses", {
        expense_date: "2026-02-27",
        category: "meals",
        amount: 1,
        currency: "EUR",
        description: "Lunch",
        receipt_path
      })
      const changed = await ours.call("PUT", `/expenses/${id}`, { receipt_path })
      for (const { body, status } of [created, changed]) {
        expect(status).toBe(422)
        expect(Object.keys(body.errors)).toEqual(["receipt_path"])
      }
    }
    const { body } = await ours.call("GET", "/expenses")
    expect(body.data).toMatchObject([{ id, receipt_path: null, version: 1 }])
  })
})

describe("fifty concurrent receipts", () => {
  it("are all accepted and read once each, as many at a time as there are readers", async () => {
    const { kept, read, upload } = await open()
    let reading = 0
    let most = 0
    reader.answer = () =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          most = Math.max(most, ++reading)
        }),
        () => Effect.delay(Effect.succeed(lunch()), "20 millis"),
        () => Effect.sync(() => reading--)
      )
    const answers = await race(50, () => upload())
    expect(statuses(answers)).toEqual({ 202: 50 })
    expect(await kept()).toEqual({ rows: 50, files: 50, jobs: 50 })
    const ends = await Promise.all(answers.map(({ body }) => read(body.data.receipt_ref)))
    expect(statuses(ends)).toEqual({ 200: 50 })
    expect(new Set(reader.given.map(({ path }) => path)).size).toBe(50)
    expect(reader.given).toHaveLength(50)
    expect(most).toBeLessThanOrEqual(2)
  })
})

describe("a receipt for an existing expense", () => {
  it("fills empty fields, keeps existing values, and warns about differences", async () => {
    const { call, captured, expense, id: organization } = await open()
    const { id } = await expense({ amount: 118.4, vendor: "Bistro", category: "travel" })
    const receipt = await captured({ fields: { expense_id: String(id) } })
    expect(receipt).toMatchObject({ expense_id: id, expires_at: null, status: "needs_review" })
    expect((await call("GET", `/expenses/${id}`)).body.data).toMatchObject({
      vendor: "Bistro",
      category: "travel",
      description: "Lunch",
      amount: 118.4,
      tax_amount: 20.55,
      reference: "T-0091",
      receipt_path: receipt.receipt_path
    })
    const conflicts = receipt.warnings.filter((warning: string) => warning.includes("differs from the expense"))
    expect(conflicts.map((warning: string) => warning.split(" ")[0]).toSorted()).toEqual(["category", "vendor"])
    const { entries } = await app.run(verifiedAuditLog(organization))
    expect(entries.slice(-2).map(({ action, actor }) => [action, actor])).toEqual([
      ["expense.enriched", "system"],
      ["receipt.processed", "system"]
    ])
  })

  it("is attached even if nothing could be read", async () => {
    const { call, captured, expense } = await open()
    const error = { code: "unreadable", message: "The file cannot be read." }
    reader.answer = () => Effect.succeed(lunch({ fields: {}, status: "failed", error }))
    const { id } = await expense()
    const { receipt_path } = await captured({ fields: { expense_id: String(id) } })
    expect((await call("GET", `/expenses/${id}`)).body.data.receipt_path).toBe(receipt_path)
  })

  it("leaves the receipt that the expense already has", async () => {
    const { call, captured, expense } = await open()
    const first = await captured()
    const { id } = await expense({ receipt_path: first.receipt_path })
    const second = await captured({ fields: { expense_id: String(id) } })
    expect(second.warnings).toContain("receipt_path differs from the expense, which was not changed")
    expect((await call("GET", `/expenses/${id}`)).body.data.receipt_path).toBe(first.receipt_path)
  })

  it.each([{}, { reference: "T-0091" }])(
    "fills nothing if another expense was created from the receipt meanwhile (%o), and says so",
    async (known) => {
      const { call, expense, read, upload } = await open()
      const { id } = await expense()
      const created = Promise.withResolvers<void>()
      reader.answer = () =>
        Effect.as(
          Effect.promise(() => created.promise),
          lunch()
        )
      const { body } = await upload({ fields: { expense_id: String(id) } })
      const other = await expense({ ...known, receipt_path: body.data.receipt_path })
      created.resolve()
      const { warnings } = (await read(body.data.receipt_ref)).body.data
      expect(warnings).toContain(`another expense of the receipt exists (${other.id}), so expense ${id} was not filled`)
      const unfilled = { receipt_path: null, reference: null, vendor: null, version: 1 }
      expect((await call("GET", `/expenses/${id}`)).body.data).toMatchObject(unfilled)
    }
  )

  it("is completed even if the expense was deleted meanwhile", async () => {
    const { call, expense, read, upload } = await open()
    const { id } = await expense({ status: "draft" })
    reader.answer = () => Effect.delay(Effect.succeed(lunch()), "1 second")
    const { body } = await upload({ fields: { expense_id: String(id) } })
    expect((await call("DELETE", `/expenses/${id}`)).status).toBe(200)
    const { expense_id, expires_at, status, warnings } = (await read(body.data.receipt_ref)).body.data
    expect(status).toBe("needs_review")
    expect(warnings).toContain(`expense ${id} was deleted meanwhile`)
    expect(expense_id).toBeNull()
    expect(expires_at).not.toBeNull()
  })

  it("fills nothing into an expense of a locked period, and says so", async () => {
    const { call, captured, expense, id: organization } = await open()
    const { id } = await expense({ expense_date: "2026-01-15" })
    const settings = [{ key: "books_locked_until", value: "2026-01-31" }]
    expect((await call("PUT", `/organizations/${organization}`, { settings })).status).toBe(200)
    const { warnings } = await captured({ fields: { expense_id: String(id) } })
    expect(warnings).toContain(`expense ${id} is in a locked period, so nothing was filled`)
    expect((await call("GET", `/expenses/${id}`)).body.data).toMatchObject({ receipt_path: null, tax_amount: null })
  })

  it("omits fields that an expense would refuse", async () => {
    const { call, captured, expense } = await open()
    const odd = { vendor: "x".repeat(300), reference: "T-1", tax_amount: "1.23456789", amount: "118.40" }
    reader.answer = () => Effect.succeed(lunch({ fields: odd }))
    const { id } = await expense()
    expect((await captured({ fields: { expense_id: String(id) } })).status).toBe("needs_review")
    expect((await call("GET", `/expenses/${id}`)).body.data).toMatchObject({ vendor: null, reference: "T-1" })
  })
})
