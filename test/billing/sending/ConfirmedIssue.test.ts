import { describe, expect, it } from "vitest"
import { sellerOf } from "../../einvoicing/documents/Submitting.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { whileFailing } from "./Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

type Seller = Awaited<ReturnType<typeof sellerOf>>
interface Identified {
  readonly id: number
}

const held = { recipients: ["held-unknown@beta.eu"], attach_pdf: false }
const undeliverable = { recipients: ["unknown@beta.eu"], attach_pdf: false }

const filed = expect.objectContaining({ totals: { output: "21.00", input: "0.00", net: "21.00" } })
const vatOf = ({ made }: Books) => made("GET", "/reports/vat?start_date=2026-01-01&end_date=2026-03-31")
const close = ({ id, made }: Books) =>
  made("PUT", `/organizations/${id}`, { settings: [{ key: "books_locked_until", value: "2026-03-31" }] })

describe("an invoice whose mail is refused", () => {
  it.each([
    [
      "a credit note was made for it",
      ({ made }: Seller, { id }: Identified) =>
        made("POST", "/credit-notes", { invoice_id: id, amount: 5, reason: "Returned" }),
      ["credit_note.created", "invoice.updated"]
    ],
    [
      "it was submitted as an e-invoice",
      ({ submitted }: Seller, invoice: Identified) => submitted(invoice),
      ["invoice.updated", "einvoice.created"]
    ]
  ])("stays issued if %s meanwhile", async (_, meanwhile, actions) => {
    const seller = await sellerOf(app, await open())
    await seller.register()
    const draft = await seller.draft()
    const sending = seller.call("POST", `/invoices/${draft.id}/send`, held)
    await until("the number", async () => (await seller.invoice(draft.id)).number ?? undefined)
    await meanwhile(seller, draft)
    mails.release()
    const refused = (await sending).body
    expect([refused.code, refused.details]).toEqual(["delivery_failed", { status: "sent", number: "INV-2026-0001" }])
    expect(await seller.invoice(draft.id)).toMatchObject({ number: "INV-2026-0001", status: "sent", sent_at: null })
    const { entries } = await app.run(verifiedAuditLog(seller.id))
    expect(entries.slice(-2).map(({ action }) => action)).toEqual(actions)
    const next = await seller.issued()
    expect(next.number).toBe("INV-2026-0002")
  })

  it("stays issued if the books of its date are locked during the send, so their VAT report does not change", async () => {
    const books = await open()
    const draft = await books.draft()
    const sending = books.call("POST", `/invoices/${draft.id}/send`, held)
    await until("the number", async () => (await books.invoice(draft.id)).number ?? undefined)
    await close(books)
    mails.release()
    expect((await sending).body).toMatchObject({ code: "delivery_failed", details: { number: "INV-2026-0001" } })
    expect(await books.invoice(draft.id)).toMatchObject({ number: "INV-2026-0001", status: "sent", sent_at: null })
    expect(await vatOf(books)).toEqual(filed)
    expect((await books.issued({ issue_date: "2026-04-01" })).number).toBe("INV-2026-0002")
  })

  it.each([["the same request"], ["another request"]])(
    "stays issued if the books are locked after a crash, and %s concludes the send",
    async (by) => {
      const books = await open()
      const draft = await books.draft()
      const send = (key: string) =>
        books.call("POST", `/invoices/${draft.id}/send`, undeliverable, { headers: { "idempotency-key": key } })
      const crash = ["document_sends", "new.finished_at is not null"] as const
      expect((await whileFailing(app, books.id, crash, () => send("the same request"))).status).toBe(500)
      await close(books)
      expect((await send(by)).body.code).toBe("delivery_failed")
      expect(await books.invoice(draft.id)).toMatchObject({ number: "INV-2026-0001", status: "sent", sent_at: null })
      expect(await vatOf(books)).toEqual(filed)
    }
  )

  it("lets its customer be deleted with its draft, because nobody got it", async () => {
    const seller = await sellerOf(app, await open())
    const draft = await seller.draft()
    const remove = () => seller.call("DELETE", `/customers/${seller.customer_id}`)
    const sent = await seller.call("POST", `/invoices/${draft.id}/send`, { recipients: ["unknown@beta.eu"] })
    expect(sent.body.code).toBe("delivery_failed")
    await seller.made("DELETE", `/invoices/${draft.id}`)
    expect((await remove()).status).toBe(200)
  })

  it("keeps its customer when another document is issued while the customer is deleted", async () => {
    for (let round = 0; round < 10; round++) {
      const seller = await sellerOf(app, await open())
      const [undone, draft] = [await seller.draft(), await seller.draft()]
      await seller.call("POST", `/invoices/${undone.id}/send`, { recipients: ["unknown@beta.eu"], attach_pdf: false })
      const [removed, issued] = await Promise.all([
        seller.call("DELETE", `/customers/${seller.customer_id}`),
        seller.call("POST", `/invoices/${draft.id}/mark-sent`)
      ])
      const outcomes = ["200 422 customer_deleted", "422 200 undefined"]
      expect(outcomes).toContain(`${removed.status} ${issued.status} ${issued.body.code}`)
    }
  })

  it("is not changed by credit notes when no send is unfinished", async () => {
    const seller = await sellerOf(app, await open())
    const { id: invoice_id, version } = await seller.issued()
    await seller.made("POST", "/credit-notes", { invoice_id, amount: 5, reason: "Returned" })
    expect((await seller.invoice(invoice_id)).version).toBe(version)
  })
})

const eventsOf = async ({ id }: Seller) =>
  (await app.run(verifiedAuditLog(id))).events.flatMap(({ data, type }) =>
    data.object === "invoice" ? [[type, data.previous?.status, data.attributes.status]] : []
  )
const send = (seller: Seller, { id }: Identified, recipient: string) =>
  seller.call("POST", `/invoices/${id}/send`, { recipients: [recipient], attach_pdf: false, resend: true })

describe("an invoice with nothing to pay", () => {
  const zero = { items: [line(100, { discount: 100 })] }
  it("is announced as paid once, although only its second send is accepted", async () => {
    const seller = await sellerOf(app, await open())
    const draft = await seller.draft(zero)
    expect((await send(seller, draft, "lost@beta.eu")).body.data).toMatchObject({ status: "paid", sent_at: null })
    await send(seller, draft, "lost@beta.eu")
    expect((await eventsOf(seller)).slice(1)).toEqual([
      ["invoice.updated", "draft", "paid"],
      ["invoice.paid", "draft", "paid"],
      ["invoice.sent", "paid", "paid"]
    ])
  })

  it("is announced as paid only by the send that reaches somebody, as a refused one makes it a draft again", async () => {
    const seller = await sellerOf(app, await open())
    const draft = await seller.draft(zero)
    expect((await send(seller, draft, "unknown@beta.eu")).body.code).toBe("delivery_failed")
    await send(seller, draft, "a@beta.eu")
    expect((await eventsOf(seller)).slice(1)).toEqual([
      ["invoice.updated", "draft", "paid"],
      ["invoice.updated", "paid", "draft"],
      ["invoice.updated", "draft", "paid"],
      ["invoice.sent", "draft", "paid"],
      ["invoice.paid", "draft", "paid"]
    ])
  })
  it("is announced as paid if it stays issued although its mail is refused", async () => {
    const seller = await sellerOf(app, await open())
    const draft = await seller.draft(zero)
    const sending = send(seller, draft, "held-unknown@beta.eu")
    await until("the number", async () => (await seller.invoice(draft.id)).number ?? undefined)
    await seller.issued()
    mails.release()
    expect((await sending).body.details).toEqual({ status: "paid", number: "INV-2026-0001" })
    const { events } = await app.run(verifiedAuditLog(seller.id))
    expect(events.flatMap(({ data, type }) => (data.id === draft.id ? [type] : []))).toEqual([
      "invoice.created",
      "invoice.updated",
      "invoice.paid"
    ])
  })
})
