import { Effect, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { Deadlines } from "../../../src/billing/deadlines/Deadlines.ts"
import { EventName } from "../../../src/kernel/EventName.ts"
import { newLine, openAccount } from "../../banking/Books.ts"
import { fakeReader } from "../../expenses/receipts/FakeReader.ts"
import { receiptFile } from "../../expenses/receipts/Uploading.ts"
import { type Books, race, statuses } from "../../support/Billing.ts"
import { expenseBody } from "../../support/Expenses.ts"
import { useHooks } from "../../support/counterparts/Hooks.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { records } from "./EventRecords.ts"

const { app, arrived, hook, open } = await useHooks(1, { reader: fakeReader().layer })
let books: Books
beforeAll(async () => {
  books = await open()
})

/** Events outside this scenario; the tests of sending, banking, e-invoices and exports cover them. */
const later = [
  "invoice.mail_refused",
  "quote.mail_refused",
  "credit_note.mail_refused",
  "bank_statement.deleted",
  "payment.refund_reversed",
  "einvoice.created",
  "einvoice.updated",
  "einvoice.sent",
  "einvoice.delivered",
  "einvoice.failed",
  "einvoice.received",
  "received_document.updated",
  "archive.export_completed",
  "archive.checkpoint"
]

const announceOverdue = () =>
  app.run(Effect.flatMap(Deadlines, (deadlines) => deadlines.announceOverdue).pipe(Effect.provide(Deadlines.layer)))

const receipt = async () => {
  const form = new FormData()
  form.set("receipt", new Blob([Uint8Array.from(receiptFile())]), "lunch.pdf")
  const response = await fetch(`${app.url}/api/v1/expenses/upload-receipt`, {
    method: "POST",
    headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) },
    body: form
  })
  expect(response.status).toBe(202)
  const { data } = JSON.parse(await response.text())
  await until("the receipt", async () => {
    const { status } = await books.call("GET", `/expenses/ocr/${data.receipt_ref}`)
    return status === 200 ? true : undefined
  })
}

/** Creates and deletes a record of each deletable kind, and returns the events that this must cause. */
const removals = async (): Promise<ReadonlyArray<string>> => {
  const { call, customer_id, made } = books
  const invoice = await books.issued()
  const quote = await made("POST", "/quotes", { ...books.body(), valid_until: "2999-01-01" })
  await made("DELETE", `/quotes/${quote.id}`)
  const expense = await made("POST", "/expenses", expenseBody())
  await made("DELETE", `/expenses/${expense.id}`)
  const note = await made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 5, reason: "Returned" })
  await made("DELETE", `/credit-notes/${note.id}`)
  const payment = await books.pay(invoice, 5)
  await made("DELETE", `/payments/${payment.id}`)
  const contact = await made("POST", "/contacts", { customer_id, name: "Els" })
  await made("DELETE", `/contacts/${contact.id}`)
  const customer = await made("POST", "/customers", { name: "Delta" })
  await made("POST", "/contacts", { customer_id: customer.id, name: "Ann" })
  await made("DELETE", `/customers/${customer.id}`)
  await removeAttachment(invoice.id)
  const conditions = [{ type: "amount_max", value: 1 }]
  const rule = await made("POST", "/bank-rules", { name: "Fees", conditions, actions: { category: "bank_fees" } })
  await made("PUT", `/bank-rules/${rule.id}`, { name: "Fees", conditions, actions: { category: "other" } })
  await made("DELETE", `/bank-rules/${rule.id}`)
  expect((await call("DELETE", `/bank-rules/${rule.id}`)).status).toBe(404)
  const other = await made("POST", "/webhooks", { url: "https://shop.example/hooks", events: ["quote.sent"] })
  await made("DELETE", `/webhooks/${other.id}`)
  await made("PUT", `/organizations/${books.id}`, { website: "https://acme.example" })
  const people = `/organizations/${books.id}/users`
  const { id: user_id } = await made("POST", `${people}/invite`, { email: "els@example.com", role: "member" })
  await made("POST", `${people}/invite`, { email: "els@example.com", role: "member" })
  await made("PUT", `${people}/${user_id}`, { role: "viewer" })
  await made("DELETE", `${people}/${user_id}`)
  const told = `
    invoice.created invoice.sent quote.created quote.deleted expense.created expense.deleted
    credit_note.created credit_note.deleted payment.created invoice.partially_paid payment.deleted invoice.updated
    contact.created customer.updated contact.deleted customer.updated
    customer.created contact.created customer.updated contact.deleted customer.deleted
    attachment.created attachment.deleted bank_rule.created bank_rule.updated bank_rule.deleted
    webhook.deleted organization.updated member.created member.updated member.deleted`
  return told.trim().split(/\s+/)
}

const removeAttachment = async (invoice_id: number) => {
  const form = new FormData()
  form.set("file", new Blob(["hours"], { type: "text/plain" }), "hours.txt")
  const path = `/invoices/${invoice_id}/attachments`
  const response = await fetch(`${app.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) },
    body: form
  })
  await books.made("DELETE", `${path}/${JSON.parse(await response.text()).data.id}`)
}

const expenseStory = `
  expense.created expense.updated expense.updated invoice.created expense.updated invoice.updated expense.updated
  expense.updated`
  .trim()
  .split(/\s+/)

/** Changes an expense in each way that has an endpoint. */
const expenses = async () => {
  const { made } = books
  const expense = await made("POST", "/expenses", expenseBody())
  const at = (action: string, body?: object) => made("POST", `/expenses/${expense.id}/${action}`, body)
  await made("PUT", `/expenses/${expense.id}`, { notes: "late" })
  await at("mark-billable")
  const draft = await books.draft()
  await at("link-to-invoice", { invoice_id: draft.id })
  await at("convert-to-invoice-item", { invoice_id: draft.id })
  await at("mark-paid")
}

/** Sends requests, each with the events that it must cause, and returns these events in order. */
const story = async (): Promise<ReadonlyArray<string>> => {
  const told: Array<string> = []
  const tell = async <A>(happening: Promise<A>, ...events: ReadonlyArray<string>) => {
    told.push(...events)
    return happening
  }
  const { body, call, made } = books
  const quote = (changes: object = {}) => {
    const { due_date: valid_until, ...rest } = body()
    return made("POST", "/quotes", { ...rest, valid_until, ...changes })
  }
  const customer = await tell(made("POST", "/customers", { name: "Gamma" }), "customer.created")
  await tell(made("PUT", `/customers/${customer.id}`, { notes: "late" }), "customer.updated")
  const contact = { customer_id: customer.id, name: "Els", is_primary: true }
  await tell(made("POST", "/contacts", contact), "contact.created", "customer.updated")
  // The former primary contact changes, too.
  const primary = made("POST", "/contacts", { ...contact, name: "Ann" })
  await tell(primary, "contact.updated", "contact.created", "customer.updated")
  const [accepted, rejected] = [await tell(quote(), "quote.created"), await tell(quote(), "quote.created")]
  await tell(made("POST", `/quotes/${accepted.id}/mark-accepted`), "quote.accepted")
  await tell(made("POST", `/quotes/${rejected.id}/mark-rejected`), "quote.rejected")
  const converted = made("POST", `/quotes/${accepted.id}/convert-to-invoice`)
  const invoice = await tell(converted, "invoice.created", "quote.updated")
  await tell(made("DELETE", `/invoices/${invoice.id}`), "invoice.deleted", "quote.updated")
  const offer = await tell(quote(), "quote.created")
  await tell(made("PUT", `/quotes/${offer.id}`, { notes: "thanks" }), "quote.updated")
  const offered = made("POST", `/quotes/${offer.id}/send`, { recipients: "ap@beta.example" })
  await tell(offered, "quote.updated", "quote.sent")
  const gone = await tell(books.draft(), "invoice.created")
  await tell(made("DELETE", `/invoices/${gone.id}`), "invoice.deleted")
  const draft = await tell(books.draft(), "invoice.created")
  await tell(made("PUT", `/invoices/${draft.id}`, { notes: "thanks" }), "invoice.updated")
  const sent = await tell(books.send(draft), "invoice.sent")
  await tell(books.pay(sent, 21), "payment.created", "invoice.partially_paid")
  const credit = { invoice_id: draft.id, amount: 50, reason: "Returned" }
  const note = await tell(made("POST", "/credit-notes", credit), "credit_note.created")
  await tell(made("PUT", `/credit-notes/${note.id}`, { reason: "Broken" }), "credit_note.updated")
  const credited = made("POST", `/credit-notes/${note.id}/send`, { recipients: "ap@beta.example" })
  await tell(credited, "credit_note.sent", "invoice.updated")
  const paid = race(4, () => call("POST", `/invoices/${draft.id}/mark-paid`))
  expect(statuses(await tell(paid, "payment.created", "invoice.paid"))).toEqual({ 200: 1, 422: 3 })
  const [payment] = (await call("GET", `/payments?invoice_id=${draft.id}`)).body.data
  await tell(made("PUT", `/payments/${payment.id}`, { notes: "by card" }), "payment.updated")
  await tell(made("POST", `/payments/${payment.id}/refund`, { amount: 10 }), "payment.refunded", "invoice.updated")
  const late = { issue_date: "2026-01-01", due_date: "2026-01-31" }
  const overdue = await tell(books.issued(late), "invoice.created", "invoice.sent")
  await tell(race(3, announceOverdue), "invoice.overdue")
  await tell(expenses(), ...expenseStory)
  await tell(receipt(), "receipt.processed")
  const account = await openAccount(app, books.id)
  const line = await tell(newLine(app, books, account, "-25,00"), "bank_statement.imported")
  const documents = race(3, () => call("POST", `/bank-transactions/${line}/create-document`))
  expect(statuses(await tell(documents, "expense.created", "expense.updated", "bank_transaction.matched"))).toEqual({
    201: 1,
    422: 2
  })
  await tell(made("POST", `/bank-transactions/${line}/unmatch`), "expense.updated", "bank_transaction.unmatched")
  told.push(...(await removals()))
  // Refused requests and unchanged records cause no event.
  await announceOverdue()
  await made("GET", `/invoices/${overdue.id}`)
  expect((await call("POST", `/invoices/${draft.id}/mark-paid`, { amount: 0 })).status).toBe(422)
  expect((await call("DELETE", `/invoices/${draft.id}`)).status).toBe(422)
  return told
}

describe("events", () => {
  it("occur once per cause, in order and without gaps, and can be read again as sent", async () => {
    await hook(books, "/ok/story")
    const from = (await books.call("GET", "/events")).body.meta.latest_sequence
    const told = await story()
    const { latest_sequence } = (await books.call("GET", "/events")).body.meta
    const messages = (await arrived("/ok/story", latest_sequence - from)).map(({ event }) => event)
    const inOrder = messages.toSorted((a, b) => a.sequence - b.sequence)
    // A proof of the archive may run at any time, and may add the event `archive.checkpoint`.
    expect(inOrder.flatMap(({ type }) => (type === "archive.checkpoint" ? [] : [type]))).toEqual(told)
    expect(inOrder.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, index) => from + index + 1))
    expect(new Set([...told, ...later])).toEqual(new Set(EventName.literals))
    for (const { data } of inOrder) {
      const record = records[data.object]
      if (record === undefined) throw new Error(`No schema for ${data.object}.`)
      expect(data.attributes.id ?? data.attributes.receipt_ref).toBe(data.id)
      Schema.decodeUnknownSync(record)(data.attributes)
    }
    const again = await books.call("GET", `/events?after=${from}&per_page=100`)
    expect(again.body.data).toEqual(inOrder)
    expect(again.body.meta).toEqual({
      after: from,
      next_after: latest_sequence,
      has_more: false,
      oldest_sequence: 1,
      latest_sequence,
      kept_days: 30
    })
  })
})

describe("GET /api/v1/events", () => {
  it("continues after the previous page", async () => {
    const { latest_sequence } = (await books.call("GET", "/events?per_page=1")).body.meta
    const seen: Array<number> = []
    let after = 0
    for (let more = true; more;) {
      const { data, meta } = (await books.call("GET", `/events?after=${after}&per_page=7`)).body
      seen.push(...data.map(({ sequence }: { sequence: number }) => sequence))
      after = meta.next_after
      more = meta.has_more
    }
    expect(seen).toEqual(Array.from({ length: latest_sequence }, (_, index) => index + 1))
    const end = (await books.call("GET", `/events?after=${after}`)).body
    expect([end.data, end.meta.next_after]).toEqual([[], after])
  })

  it("shows only the organization's own events", async () => {
    const other = await open({ name: "Other" })
    const { data } = (await other.call("GET", "/events")).body
    expect(
      data.map(({ organization_id, type }: { organization_id: number; type: string }) => [organization_id, type])
    ).toEqual([[other.id, "customer.created"]])
  })

  it("answers 422 on after for an invalid sequence", async () => {
    for (const after of ["-1", "one", "1.5", "1e3"]) {
      const { body, status } = await books.call("GET", `/events?after=${after}`)
      expect([after, status, Object.keys(body.errors ?? {})]).toEqual([after, 422, ["after"]])
    }
  })

  it("requires webhooks:read and a role that manages webhooks", async () => {
    for (const [role, scopes, expected] of [
      ["admin", ["webhooks:read"], 200],
      ["admin", ["webhooks:write"], 403],
      ["accountant", ["*"], 403]
    ] as const) {
      const { token } = await app.run(seedMember(books.id, role, scopes))
      expect([role, scopes, (await books.call("GET", "/events", undefined, { token })).status]).toEqual([
        role,
        scopes,
        expected
      ])
    }
  })
})
