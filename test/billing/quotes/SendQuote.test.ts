import { beforeAll, describe, expect, it } from "vitest"
import { statuses } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { type QuoteBooks, useQuotes } from "./QuoteBooks.ts"

const mail = await smtp()
const { app, eventsOf, expire, open } = useQuotes(mail.settings)
let books: QuoteBooks

beforeAll(async () => {
  books = await open()
})

const refused = (number: number) => ({ [`recipients.${number}`]: [expect.stringMatching(/^unknown.*: .*550/)] })

describe("POST /api/v1/quotes/{id}/send", () => {
  it("answers 200 with the quote sent under its number, and what became of each message", async () => {
    const own = await open()
    const draft = await own.quoted()
    const recipients = "ok@beta.example, unknown@beta.example"
    const { body, headers, status } = await own.act(draft, "send", { recipients, message: "Gladly" })
    expect([status, headers.get("etag")]).toEqual([200, '"v3"'])
    const { deliveries, ...quote } = body.data
    expect(quote).toMatchObject({ status: "sent", number: "QUO-2026-0001", sent_at: expect.any(String) })
    expect(deliveries).toEqual([
      { recipient: "ok@beta.example", status: "accepted" },
      { recipient: "unknown@beta.example", status: "refused", code: "mailbox_unknown", error: "550 mailbox unknown" }
    ])
    expect(await own.quote(draft.id)).toEqual(quote)
    const [message] = mail.received
    expect([message?.to, mail.received.length]).toEqual(["ok@beta.example", 1])
    for (const words of ["QUO-2026-0001", "Gladly"]) expect(message?.text).toContain(words)
    expect(message?.raw).toContain("QUO-2026-0001.pdf")
    expect((await eventsOf(own.id, draft.id)).map(({ type }) => type)).toEqual([
      "quote.created",
      "quote.updated",
      "quote.sent"
    ])
  })

  it("stays sent when its invoice is deleted, although the mail server did not confirm the message", async () => {
    const own = await open()
    const draft = await own.quoted()
    const { deliveries } = await own.done(draft, "send", { recipients: ["lost@beta.example"] })
    expect(deliveries).toMatchObject([{ status: "unknown" }])
    const sent = await own.quote(draft.id)
    expect(sent).toMatchObject({ status: "sent", sent_at: null })
    const invoice = await own.done(draft, "convert-to-invoice")
    await own.made("DELETE", `/invoices/${invoice.id}`)
    expect(await own.quote(draft.id)).toMatchObject({ status: "sent", invoice_id: null, converted_at: null })
  })

  it("goes to the customer by default, without the PDF on request, again in the state it is in", async () => {
    const accepted = await books.inState("accepted", expire)
    mail.received.length = 0
    const { deliveries, ...again } = await books.done(accepted, "send", { attach_pdf: "false" })
    expect([deliveries, again]).toEqual([[{ recipient: "ap@beta.example", status: "accepted" }], accepted])
    expect(mail.received.map(({ to }) => to)).toEqual(["ap@beta.example"])
    expect(mail.received[0]?.raw).not.toContain(".pdf")
  })

  it("answers 422 when there is no recipient, and leaves a draft without a number", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Silent" })
    const draft = await own.quoted({ customer_id })
    const nobody = await own.act(draft, "send")
    expect([nobody.status, nobody.body.code]).toEqual([422, "no_recipient"])
    expect(await own.quote(draft.id)).toEqual(draft)
    const failed = await own.act(draft, "send", { recipients: ["unknown@beta.example"] })
    expect([failed.status, failed.body.code, failed.body.errors, failed.body.details]).toEqual([
      422,
      "delivery_failed",
      refused(0),
      undefined
    ])
    const { updated_at: _, version: __, ...unchanged } = draft
    expect(await own.quote(draft.id)).toMatchObject(unchanged)
    expect(mail.received).toEqual([])
    expect((await own.offered()).number).toBe("QUO-2026-0001")
  })

  it("stays a draft with its number when a later one was taken while delivery failed", async () => {
    const own = await open()
    const draft = await own.quoted()
    const failing = own.act(draft, "send", { recipients: "held-unknown@beta.example" })
    await until("the number", async () => (await own.quote(draft.id)).number ?? undefined)
    const later = await own.done(await own.quoted(), "mark-accepted")
    mail.release()
    const { body, status } = await failing
    expect([status, body.message, body.details]).toEqual([
      422,
      "The quote could not be delivered to any recipient. It is a draft, and keeps the number QUO-2026-0001.",
      { status: "draft", number: "QUO-2026-0001" }
    ])
    expect(await own.quote(draft.id)).toMatchObject({ status: "draft", number: "QUO-2026-0001", sent_at: null })
    expect(later.number).toBe("QUO-2026-0002")
    expect((await own.done(draft, "send")).number).toBe("QUO-2026-0001")
    expect((await own.offered()).number).toBe("QUO-2026-0003")
  })

  it("keeps the customer's answer that came while it was being delivered in vain", async () => {
    const own = await open()
    const draft = await own.quoted()
    const failing = own.act(draft, "send", { recipients: "held-unknown@beta.example" })
    await until("the number", async () => (await own.quote(draft.id)).number ?? undefined)
    const accepted = await own.done(draft, "mark-accepted")
    mail.release()
    const { body, status } = await failing
    expect([status, body.details]).toEqual([422, { status: "accepted", number: accepted.number }])
    expect(await own.quote(draft.id)).toEqual(accepted)
  })

  it("sends no mail about a rejected quote", async () => {
    const rejected = await books.inState("rejected", expire)
    mail.received.length = 0
    const { body, status } = await books.act(rejected, "send")
    expect([status, body.code, mail.received]).toEqual([422, "quote_decided", []])
    expect(await books.quote(rejected.id)).toEqual(rejected)
  })

  it("sends no mail about a quote that became an invoice, until that invoice is deleted", async () => {
    const draft = await books.quoted()
    const invoice = await books.done(draft, "convert-to-invoice")
    const converted = await books.quote(draft.id)
    mail.received.length = 0
    const { body, status } = await books.act(draft, "send")
    expect([status, body.code, mail.received]).toEqual([422, "quote_decided", []])
    expect(body.details).toEqual({ status: "converted", number: converted.number })
    expect(await books.quote(draft.id)).toEqual(converted)
    await books.made("DELETE", `/invoices/${invoice.id}`)
    expect(await books.done(draft, "send")).toMatchObject({ status: "sent", sent_at: expect.any(String) })
    expect(mail.received).toHaveLength(1)
  })

  it("sends once at a time", async () => {
    const { id } = await books.quoted()
    const answers = await mail.overtaken(4, () => books.act({ id }, "send", { recipients: "held@beta.example" }))
    expect(statuses(answers)).toEqual({ 200: 1, 409: 3 })
    expect(mail.received).toHaveLength(1)
  })
})

const pdf = async (id: number) => {
  const response = await fetch(`${app.url}/api/v1/quotes/${id}/pdf`, {
    headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe("GET /api/v1/quotes/{id}/pdf", () => {
  it("answers the printed quote under its number, the same bytes each time", async () => {
    const quote = await books.offered()
    const { bytes, response } = await pdf(quote.id)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(response.headers.get("content-disposition")).toBe(`inline; filename="${quote.number}.pdf"`)
    const text = await app.run(pdfText(bytes))
    for (const shown of [`Quote ${quote.number}`, "Valid until", "€121.00", "Name and signature", "Beta"]) {
      expect(text).toContain(shown)
    }
    expect(text).not.toMatch(/DRAFT|IBAN|Amount due/)
    expect((await pdf(quote.id)).bytes).toEqual(bytes)
  })

  it("prints the amount that is paid in advance, and what is left to pay", async () => {
    const text = await app.run(pdfText((await pdf((await books.quoted({ prepaid_amount: 21 })).id)).bytes))
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/Total €121\.00 Paid in advance [-−]€21\.00 Amount due €100\.00/)
  })

  it("marks a draft, and requests no signature on a decided quote", async () => {
    const draft = await books.quoted()
    expect(await app.run(pdfText((await pdf(draft.id)).bytes))).toMatch(/DRAFT(?!-)/)
    await books.done(draft, "mark-rejected")
    expect(await app.run(pdfText((await pdf(draft.id)).bytes))).not.toMatch(/DRAFT(?!-)|signature/)
    expect((await pdf(999_999)).response.status).toBe(404)
  })
})
