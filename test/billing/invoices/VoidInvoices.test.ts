import { beforeAll, describe, expect, it } from "vitest"
import { issuing, race, statuses } from "../../support/Billing.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { type ExpenseBooks, useExpenses } from "../../support/Expenses.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { newLine, openAccount } from "../../banking/Books.ts"

const { app, open } = useExpenses()
const settings = { invoice_number_on: "create" }
let books: ExpenseBooks
beforeAll(async () => {
  books = await open({ settings })
})

const voided = async (changes: object = {}, on = books) => {
  const draft = await on.draft(changes)
  await on.made("DELETE", `/invoices/${draft.id}`)
  return on.invoice(draft.id)
}

describe("DELETE /api/v1/invoices/{id} of a draft with a number", () => {
  it("answers 200 and keeps it as void, with its number, owing nothing, and says so once", async () => {
    const draft = await books.draft()
    const { body, status } = await books.call("DELETE", `/invoices/${draft.id}`)
    expect([status, body]).toEqual([200, { success: true, data: { id: draft.id } }])
    const invoice = await books.invoice(draft.id)
    const changed = { status: "void", voided_at: expect.any(String), updated_at: invoice.voided_at, version: 2 }
    expect(invoice).toEqual({ ...draft, ...changed, balance_due: 0 })
    const { entries, events } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)).toMatchObject({
      action: "invoice.voided",
      data: { invoice_id: draft.id, number: draft.number }
    })
    expect(events.at(-1)).toMatchObject({
      type: "invoice.deleted",
      data: { id: draft.id, attributes: invoice, previous: { status: "draft" } }
    })
    expect((await books.draft()).number).not.toBe(draft.number)
  })

  it("is listed, counted and filtered as void, by no other status, and found by its number", async () => {
    const own = await open({ settings })
    const [{ id, number }, draft] = [await voided({}, own), await own.draft()]
    const listed = async (query: string) => {
      const { body } = await own.call("GET", `/invoices?${query}`)
      return [body.meta.total, body.data.map((one: { id: number }) => one.id)]
    }
    expect(await listed("")).toEqual([2, [draft.id, id]])
    expect(await listed("status=void")).toEqual([1, [id]])
    expect(await listed(`status=void&customer_id=${own.customer_id}`)).toEqual([1, [id]])
    expect(await listed("status=draft")).toEqual([1, [draft.id]])
    for (const status of ["unpaid", "sent", "overdue", "paid"])
      expect(await listed(`status=${status}`)).toEqual([0, []])
    expect(await listed(`search=${number}`)).toEqual([1, [id]])
  })

  it("answers 422 invoice_locked to whatever would change, issue, send, pay, match or delete it, and to a check", async () => {
    const { id, number } = await voided()
    const line = await newLine(app, books, await openAccount(app, books.id), "121,00", number)
    const expense = await books.spent()
    const recipient = {
      recipient_identifier_scheme: "0208",
      recipient_identifier_value: "0202239951",
      recipient_name: "Beta",
      recipient_country_code: "BE"
    }
    const before = await app.run(digestOf(books.id))
    for (const [method, path, body] of [
      ["PUT", `/invoices/${id}`, { notes: "x" }],
      ["PUT", `/invoices/${id}`, { due_date: "2999-04-01" }],
      ["DELETE", `/invoices/${id}`, undefined],
      ...issuing(id).map(([path, body]) => ["POST", path, body] as const),
      ["POST", `/bank-transactions/${line}/match`, { invoice_id: id }],
      ["POST", `/expenses/${expense.id}/convert-to-invoice-item`, { invoice_id: id }],
      ["POST", `/expenses/${expense.id}/link-to-invoice`, { invoice_id: id }],
      ["POST", "/einvoicing/validate", { organization_id: books.id, invoice_id: id, ...recipient }]
    ] as const) {
      const answer = await books.call(method, path, body)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 422, "invoice_locked"])
      expect(answer.body.details).toEqual({ status: "void", number })
    }
    const credit = await books.call("POST", "/credit-notes", { invoice_id: id, amount: 1, reason: "x" })
    expect([credit.status, credit.body.code]).toEqual([422, "invoice_not_issued"])
    expect(await app.run(digestOf(books.id))).toEqual(before)
    const { results } = await books.made("POST", "/batch/invoices/update", {
      updates: [
        { id, notes: "x" },
        { id: (await books.draft()).id, notes: "y" }
      ]
    })
    expect(results[0].error).toMatchObject({ code: "invoice_locked" })
    expect(await books.made("POST", `/invoices/${id}/duplicate`)).toMatchObject({ status: "draft" })
  })

  it("answers 412 for another version and 403 for a member's wish to delete what somebody else made", async () => {
    const draft = await books.draft()
    const member = await app.run(seedMember(books.id, "member"))
    const asked = (further: object) => books.call("DELETE", `/invoices/${draft.id}`, undefined, further)
    expect((await asked({ headers: { "if-match": '"v2"' } })).status).toBe(412)
    expect((await asked({ token: member.token })).status).toBe(403)
    expect(await books.invoice(draft.id)).toEqual(draft)
  })

  it("does not count as revenue or as an invoice in any report", async () => {
    const own = await open({ settings })
    const reports = async () =>
      Promise.all(
        [
          "/reports/dashboard?period=this_year",
          `/customers/${own.customer_id}/statistics`,
          `/customers/${own.customer_id}/statement?start_date=2000-01-01&end_date=2100-01-01`,
          `/organizations/${own.id}/statistics`,
          "/reports/aged-receivables"
        ].map((path) => own.made("GET", path))
      )
    const before = await reports()
    await voided({}, own)
    expect(await reports()).toEqual(before)
    const payments = await own.made("GET", `/invoices/${(await voided({}, own)).id}/payments/summary`)
    expect(payments).toMatchObject({ balance_due: 0, payments_count: 0 })
    const exported = await own.call("POST", "/reports/export", { resource: "invoices", format: "json" })
    expect(exported.text).toContain('"void"')
  })

  it("has its expenses billed by another one", async () => {
    const [draft, next] = [await books.draft(), await books.draft()]
    const [expense, other] = [await books.spent(), await books.spent()]
    const convert = (id: number) =>
      books.call("POST", `/expenses/${expense.id}/convert-to-invoice-item`, { invoice_id: id })
    await convert(draft.id)
    await books.made("POST", `/expenses/${other.id}/link-to-invoice`, { invoice_id: draft.id })
    await books.made("DELETE", `/invoices/${draft.id}`)
    expect(await books.expense(expense.id)).toMatchObject({ billed_invoice_id: null, billed_item_id: null })
    expect(await books.expense(other.id)).toMatchObject({ linked_invoice_id: null })
    expect((await convert(next.id)).status).toBe(200)
  })

  it("is one of them when deleting, issuing and changing race, and no number is lost", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, number } = await books.draft()
      const answers = await race(9, (index) => {
        if (index % 3 === 0) return books.call("DELETE", `/invoices/${id}`)
        return index % 3 === 1
          ? books.call("POST", `/invoices/${id}/mark-paid`)
          : books.call("PUT", `/invoices/${id}`, { notes: `${index}` })
      })
      expect(Object.keys(statuses(answers)).filter((status) => !["200", "422"].includes(status))).toEqual([])
      const { status, ...invoice } = await books.invoice(id)
      expect([["void", "paid"].includes(status), invoice.number]).toEqual([true, number])
    }
  })
})
