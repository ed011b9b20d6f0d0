import { beforeAll, describe, expect, it } from "vitest"
import { line, race, statuses } from "../support/Billing.ts"
import { type ExpenseBooks, useExpenses } from "../support/Expenses.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"

const { app, historyOf, open } = useExpenses()
let books: ExpenseBooks

beforeAll(async () => {
  books = await open({ rates: [21] })
})

const convert = (id: number, body: unknown) => books.call("POST", `/expenses/${id}/convert-to-invoice-item`, body)
const link = (id: number, body: unknown) => books.call("POST", `/expenses/${id}/link-to-invoice`, body)

describe("POST /api/v1/expenses/{id}/convert-to-invoice-item", () => {
  it("answers 200 and adds the net amount with its markup to the draft, as a separate line", async () => {
    const draft = await books.draft()
    const expense = await books.spent({ tax_amount: 20.55 })
    const { body, headers, status } = await convert(expense.id, { invoice_id: draft.id, markup_percentage: 15 })
    const invoice = await books.invoice(draft.id)
    const [first, added] = invoice.items
    expect(first).toEqual(draft.items[0])
    expect(added).toMatchObject({ position: 2, description: "Lunch", quantity: 1, unit: "C62", unit_price: 112.5275 })
    expect(added).toMatchObject({ line_total: 112.53, tax_rates: [{ rate: 21, taxable_amount: 112.53 }] })
    expect(invoice).toMatchObject({ subtotal: 212.53, tax_total: 44.63, total: 257.16, version: 2, status: "draft" })
    expect([status, headers.get("etag")]).toEqual([200, '"v2"'])
    const billed = { billed_invoice_id: draft.id, billed_item_id: added.id, version: 2, updated_at: expect.any(String) }
    expect(body.data).toEqual({ ...expense, ...billed })
    expect(await books.expense(expense.id)).toEqual(body.data)
  })

  it("records both changes in the audit chain, with invoice.updated and expense.updated", async () => {
    const { draft, expense } = await books.billed()
    const { entries, events } = await app.run(verifiedAuditLog(books.id))
    expect(entries.slice(-2).map(({ action, data }) => [action, data["expense_id"] ?? data["invoice_id"]])).toEqual([
      ["invoice.updated", draft.id],
      ["expense.billed", expense.id]
    ])
    expect(events.slice(-2).map(({ data, type }) => [type, data.attributes])).toEqual([
      ["invoice.updated", await books.invoice(draft.id)],
      ["expense.updated", expense]
    ])
  })

  it("calculates the price without markup, in currencies of any exponent, and leaves other lines unchanged", async () => {
    for (const [currency, amount] of [
      ["JPY", 1999],
      ["BHD", 12.345]
    ] as const) {
      const { id } = await books.draft({ currency })
      const expense = await books.spent({ currency, amount })
      await convert(expense.id, { invoice_id: id, markup_percentage: null })
      expect((await books.invoice(id)).items[1]).toMatchObject({ unit_price: amount, line_total: amount })
    }
    const exempt = await books.draft({ items: [line(100, { tax_exempt: true })] })
    const { id } = await books.spent({ amount: 100 })
    await convert(id, { invoice_id: exempt.id })
    expect(await books.invoice(exempt.id)).toMatchObject({ subtotal: 200, tax_total: 21 })
  })

  it("answers 422 for an invoice that is missing, foreign, issued, full or in another currency, and changes nothing", async () => {
    const expense = await books.spent()
    const foreign = await (await open()).draft()
    const full = await books.draft({ items: Array.from({ length: 500 }, () => line(1)) })
    const [issued, paid, dollars, draft] = [
      await books.issued(),
      (await books.paid()).invoice,
      await books.draft({ currency: "USD" }),
      await books.draft()
    ]
    const targets = [issued, paid, dollars, full, draft]
    const before = await Promise.all(targets.map(({ id }) => books.invoice(id)))
    for (const [body, code, field] of [
      [{}, "validation_failed", "invoice_id"],
      [{ invoice_id: "x" }, "validation_failed", "invoice_id"],
      [{ invoice_id: 999_999_999 }, "validation_failed", "invoice_id"],
      [{ invoice_id: foreign.id }, "validation_failed", "invoice_id"],
      [{ invoice_id: full.id }, "validation_failed", "items"],
      [{ invoice_id: draft.id, markup_percentage: -1 }, "validation_failed", "markup_percentage"],
      [{ invoice_id: draft.id, markup_percentage: 999_999_999_999 }, "validation_failed", "items"],
      [{ invoice_id: issued.id }, "invoice_locked", undefined],
      [{ invoice_id: paid.id }, "invoice_locked", undefined],
      [{ invoice_id: dollars.id }, "currency_mismatch", undefined]
    ] as const) {
      const answer = await convert(expense.id, body)
      const fields = field === undefined ? [] : [field]
      expect([body, answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
        body,
        422,
        code,
        fields
      ])
    }
    expect(await Promise.all(targets.map(({ id }) => books.invoice(id)))).toEqual(before)
    expect(await books.expense(expense.id)).toEqual(expense)
    expect((await historyOf(books.id, expense.id)).actions).toEqual(["expense.created"])
  })

  it("answers 422 already_invoiced the second time, and 404 for a foreign expense", async () => {
    const { draft, expense } = await books.billed()
    const other = await books.draft()
    const { body, status } = await convert(expense.id, { invoice_id: other.id })
    expect([status, body.code, body.details]).toEqual([422, "already_invoiced", { invoice_id: draft.id }])
    expect(await books.invoice(other.id)).toEqual(other)
    const foreign = await (await open()).spent()
    expect((await convert(foreign.id, { invoice_id: other.id })).status).toBe(404)
  })

  it("bills an expense once when eight requests convert it concurrently, to one draft or several", async () => {
    for (const drafts of [[await books.draft()], [await books.draft(), await books.draft()]]) {
      const { id } = await books.spent()
      const answers = await race(8, (index) => convert(id, { invoice_id: drafts[index % drafts.length]?.id }))
      expect(statuses(answers)).toEqual({ 200: 1, 422: 7 })
      const invoices = await Promise.all(drafts.map((draft) => books.invoice(draft.id)))
      const lines = invoices.flatMap(({ items }) => items.slice(1))
      expect(lines.map((item) => item.id)).toEqual([(await books.expense(id)).billed_item_id])
    }
  })

  it("loses no line when eight expenses are added to one draft concurrently", async () => {
    const draft = await books.draft()
    const expenses = await Promise.all(Array.from({ length: 8 }, () => books.spent({ amount: 1 })))
    const answers = await Promise.all(expenses.map(({ id }) => convert(id, { invoice_id: draft.id })))
    expect(statuses(answers)).toEqual({ 200: 8 })
    const { items, version } = await books.invoice(draft.id)
    const ids = items.slice(1).map(({ id }: { id: number }) => id)
    expect([new Set(ids), version]).toEqual([new Set(answers.map(({ body }) => body.data.billed_item_id)), 9])
  })

  it("stays consistent when the expense is deleted at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const draft = await books.draft()
      const { id } = await books.spent()
      const [billed, gone] = await Promise.all([
        convert(id, { invoice_id: draft.id }),
        books.call("DELETE", `/expenses/${id}`)
      ])
      const { items } = await books.invoice(draft.id)
      const expected = billed.status === 200 ? [200, 422, 2] : [404, 200, 1]
      expect([billed.status, gone.status, items.length]).toEqual(expected)
    }
  })

  it("stays consistent when the draft is deleted or issued at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const draft = await books.draft()
      const { id } = await books.spent()
      const end = () =>
        round % 2 === 0
          ? books.call("DELETE", `/invoices/${draft.id}`)
          : books.call("POST", `/invoices/${draft.id}/mark-sent`)
      const [billed, ended] = await Promise.all([convert(id, { invoice_id: draft.id }), end()])
      expect([ended.status, [200, 422]]).toEqual([200, expect.arrayContaining([billed.status])])
      const { billed_invoice_id } = await books.expense(id)
      if (round % 2 === 0) expect(billed_invoice_id).toBeNull()
      else
        expect([billed_invoice_id, ended.body.data.items.length]).toEqual(
          billed.status === 200 ? [draft.id, 2] : [null, 1]
        )
    }
  })
})

describe("an expense whose invoice line was removed", () => {
  it("can be billed again when its draft is deleted, with a new version", async () => {
    const { draft, expense } = await books.billed()
    await books.made("DELETE", `/invoices/${draft.id}`)
    const free = await books.expense(expense.id)
    const none = { billed_invoice_id: null, billed_item_id: null, version: 3, updated_at: expect.any(String) }
    expect(free).toEqual({ ...expense, ...none })
    const other = await books.draft()
    expect((await convert(expense.id, { invoice_id: other.id })).status).toBe(200)
  })

  it("can be billed again when a PUT omits the line, but not when it keeps the line by its id", async () => {
    const { draft, expense } = await books.billed()
    const put = (items: ReadonlyArray<object>) => books.made("PUT", `/invoices/${draft.id}`, { items })
    const [own, added] = (await books.invoice(draft.id)).items
    const kept = await put([{ id: added.id, description: "Lunch with Els", unit_price: 120 }, line(1)])
    expect(kept.items.map(({ id }: { id: number }) => id)).toEqual([added.id, expect.any(Number)])
    expect(kept.items[1].id).not.toBe(own.id)
    expect(await books.expense(expense.id)).toEqual(expense)
    await books.made("PUT", `/invoices/${draft.id}`, { notes: "n", due_date: "2999-12-31" })
    expect(await books.expense(expense.id)).toEqual(expense)
    await put([line(1), line(2)])
    expect(await books.expense(expense.id)).toMatchObject({ billed_invoice_id: null, billed_item_id: null, version: 3 })
  })

  it("stays billed when the invoice is issued, paid and credited", async () => {
    const { draft, expense } = await books.billed()
    await books.send(draft)
    await books.pay(await books.invoice(draft.id), 10)
    expect(await books.expense(expense.id)).toEqual(expense)
    const credit = { invoice_id: draft.id, amount: 50, reason: "Returned" }
    await books.made("POST", "/credit-notes", credit)
    expect(await books.expense(expense.id)).toEqual(expense)
  })

  it("is not linked to a copy of the invoice", async () => {
    const { draft, expense } = await books.billed()
    const copy = await books.made("POST", `/invoices/${draft.id}/duplicate`)
    await books.made("DELETE", `/invoices/${copy.id}`)
    expect(await books.expense(expense.id)).toEqual(expense)
  })

  it("does not deadlock with the deletion of its draft", async () => {
    for (let round = 0; round < 10; round++) {
      const { draft, expense } = await books.billed()
      const { id: invoice_id } = draft
      const [removed, paid, linked] = await Promise.all([
        books.call("DELETE", `/invoices/${invoice_id}`),
        books.act(expense, "mark-paid"),
        link(expense.id, { invoice_id })
      ])
      expect([removed.status, paid.status, [200, 422]]).toEqual([200, 200, expect.arrayContaining([linked.status])])
      const after = { status: "paid", billed_invoice_id: null, linked_invoice_id: null }
      expect(await books.expense(expense.id)).toMatchObject(after)
    }
  })

  it("does not deadlock with a batch that deletes its drafts", async () => {
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all([books.billed(), books.billed(), books.billed()])
      const ids = all.map(({ draft }) => draft.id).join(",")
      const [removed, ...paid] = await Promise.all([
        books.call("DELETE", `/batch/resources?resource=invoices&ids=${ids}&atomic=true`),
        ...all.map(({ expense }) => books.act(expense, "mark-paid"))
      ])
      expect([removed.status, statuses(paid)]).toEqual([200, { 200: 3 }])
      const after = await Promise.all(all.map(({ expense }) => books.expense(expense.id)))
      expect(after.map(({ billed_invoice_id, status }) => [billed_invoice_id, status])).toEqual(
        all.map(() => [null, "paid"])
      )
    }
  })
})

describe("invoice lines with ids in a PUT", () => {
  it("keep their ids once each, and other lines get new ids", async () => {
    const draft = await books.draft({ items: [line(1, { id: 7 }), line(2)] })
    const [first, second] = draft.items
    const items = [line(3, { id: second.id }), line(4, { id: second.id }), line(5, { id: 7 }), line(6, { id: null })]
    const changed = await books.made("PUT", `/invoices/${draft.id}`, { items })
    const ids = changed.items.map(({ id }: { id: number }) => id)
    expect([ids[0], new Set(ids).size]).toEqual([second.id, 4])
    for (const id of ids.slice(1)) expect([first.id, second.id, 7]).not.toContain(id)
  })
})

describe("POST /api/v1/expenses/{id}/link-to-invoice", () => {
  it("answers 200 with a link to an invoice in any state, and does not change the invoice", async () => {
    const { id } = await books.spent()
    for (const invoice of [await books.issued(), await books.draft({ currency: "USD" })]) {
      const { body, headers, status } = await link(id, { invoice_id: invoice.id })
      expect([status, headers.get("etag")]).toEqual([200, `"v${body.data.version}"`])
      expect(body.data).toMatchObject({ linked_invoice_id: invoice.id, billed_invoice_id: null })
      expect((await link(id, { invoice_id: invoice.id })).body.data).toEqual(body.data)
      expect(await books.expense(id)).toEqual(body.data)
      expect(await books.invoice(invoice.id)).toEqual(invoice)
    }
    expect((await historyOf(books.id, id)).actions).toEqual(["expense.created", "expense.linked", "expense.linked"])
  })

  it("is removed with the linked draft, with a new version, and not with any other draft", async () => {
    const [draft, other, { id }] = [await books.draft(), await books.draft(), await books.spent()]
    const linked = (await link(id, { invoice_id: draft.id })).body.data
    await books.made("PUT", `/invoices/${draft.id}`, { items: [line(1)] })
    await books.made("DELETE", `/invoices/${other.id}`)
    expect(await books.expense(id)).toEqual(linked)
    await books.made("DELETE", `/invoices/${draft.id}`)
    const free = { linked_invoice_id: null, version: linked.version + 1, updated_at: expect.any(String) }
    expect(await books.expense(id)).toEqual({ ...linked, ...free })
  })

  it("is undone by a PUT with null, which accepts no other invoice", async () => {
    const [invoice, other, { id }] = [await books.issued(), await books.issued(), await books.spent()]
    const put = (body: object) => books.call("PUT", `/expenses/${id}`, body)
    const linked = (await link(id, { invoice_id: invoice.id })).body.data
    expect((await put(linked)).body.data).toEqual(linked)
    const { body: refused } = await put({ linked_invoice_id: other.id })
    expect([Object.keys(refused.errors), await books.expense(id)]).toEqual([["linked_invoice_id"], linked])
    const { body, status } = await put({ linked_invoice_id: null })
    expect([status, body.data]).toMatchObject([200, { linked_invoice_id: null, version: linked.version + 1 }])
    expect((await put({ linked_invoice_id: null })).body.data).toEqual(body.data)
    expect((await historyOf(books.id, id)).actions).toEqual(["expense.created", "expense.linked", "expense.updated"])
  })

  it("answers 422 on invoice_id for a missing, foreign or deleted invoice, and changes nothing", async () => {
    const expense = await books.spent()
    const foreign = await (await open()).draft()
    const deleted = await books.draft()
    await books.made("DELETE", `/invoices/${deleted.id}`)
    for (const invoice_id of [undefined, null, 0, 999_999_999, foreign.id, deleted.id]) {
      const { body, status } = await link(expense.id, { invoice_id })
      expect([invoice_id, status, Object.keys(body.errors)]).toEqual([invoice_id, 422, ["invoice_id"]])
    }
    expect(await books.expense(expense.id)).toEqual(expense)
  })
})
