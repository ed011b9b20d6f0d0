import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { Portal } from "../../../src/billing/portal/Portal.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { pdfText } from "../../support/files/PdfText.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
afterAll(() => mails.received.splice(0))

const linkTo = async (books: Books, path: string, recipient = "a@beta.eu") => {
  await books.made("POST", `${path}/send`, { recipients: [recipient], attach_pdf: false })
  return new URL(mails.received.at(-1)?.link ?? "").pathname
}
const page = async (path: string) => (await app.call("GET", path)).text
const file = async (path: string) => {
  const answer = await fetch(app.url + path)
  return { status: answer.status, type: answer.headers.get("content-type"), bytes: await answer.arrayBuffer() }
}
const set = (books: Books, key: string, value: unknown) =>
  books.made("PUT", `/organizations/${books.id}`, { settings: [{ key, value }] })

describe("GET /d/{token} of an invoice", () => {
  it("says what remains and why after payments and a credit note", async () => {
    const books = await open()
    const invoice = await books.issued()
    const path = await linkTo(books, `/invoices/${invoice.id}`)
    expect(await page(path)).toMatch(/Open<[^]*Amount due<[^]*€121\.00[^]*Due date: <strong>31 March 2999/)
    await books.pay(invoice, 21)
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 10, reason: "Broke" })
    await linkTo(books, `/credit-notes/${note.id}`)
    const text = await page(path)
    expect(text).toContain("Partly paid")
    expect(text).toMatch(
      /Paid <span class="whole">· <bdi>\d+ \w+ \d{4}<[^]*−€21\.00[^]*Credited <span class="whole">· <bdi>CN-2026-0001<[^]*−€10\.00[^]*€90\.00/
    )
  })

  it.each([
    ["by a payment", { allow_overpayment: true }, 150, 0, "€29.00"],
    ["by a credit note of a part", {}, 121, 21, "€21.00"],
    ["by a credit note of the whole", {}, 121, 121, "€121.00"]
  ])("says what is to be refunded of an invoice that is overpaid %s, until it is refunded", async (...row) => {
    const [, settings, paid, credited, surplus] = row
    const books = await open({ settings })
    const invoice = await books.issued()
    const path = await linkTo(books, `/invoices/${invoice.id}`)
    const payment = await books.pay(invoice, paid)
    if (credited > 0) {
      const reason = "Broke"
      const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: credited, reason })
      await linkTo(books, `/credit-notes/${note.id}`)
    }
    const text = await page(path)
    expect(text).toContain("More was paid than is due. The difference is to be refunded.")
    expect(text).not.toContain("Nothing is due.")
    const rows = text.split("Overpaid, to be refunded<").slice(1)
    expect(rows.map((rest) => /<bdi>([^<]*)</.exec(rest)?.[1])).toEqual([surplus, surplus])
    await linkTo(books, `/invoices/${invoice.id}`)
    expect(mails.received.at(-1)?.text).toContain("More was paid than is due.")
    await books.made("POST", `/payments/${payment.id}/refund`, { amount: paid - 121 + credited })
    const refunded = await page(path)
    expect(refunded).toContain("Nothing is due.")
    expect(refunded).not.toContain("Overpaid")
  })

  it("offers a receipt once something is paid", async () => {
    const books = await open()
    const invoice = await books.issued()
    const path = await linkTo(books, `/invoices/${invoice.id}`)
    expect(await page(path)).not.toContain("/receipt")
    expect((await file(`${path}/receipt`)).status).toBe(404)
    await books.pay(invoice)
    expect(await page(path)).toMatch(/Paid<[^]*This invoice is paid in full\. Nothing is due\.[^]*\/receipt/)
    const receipt = await file(`${path}/receipt`)
    expect([receipt.status, receipt.type]).toEqual([200, "application/pdf"])
    const text = await app.run(pdfText(new Uint8Array(receipt.bytes)))
    expect(text).toMatch(/Receipt INV-2026-0001[^]*Total received[^]*€121\.00/)
  }, 200_000)

  it("lists every payment on the receipt, less refunds, and offers none once everything is refunded", async () => {
    const books = await open()
    const invoice = await books.issued({ items: [line(1_000)] })
    const path = await linkTo(books, `/invoices/${invoice.id}`)
    const { id: refunded } = await books.pay(invoice, 100)
    await books.made("POST", `/payments/${refunded}/refund`)
    expect(await page(path)).not.toContain("/receipt")
    expect((await file(`${path}/receipt`)).status).toBe(404)
    const payments = 101
    for (let index = 0; index < payments; index++) await books.pay(invoice, 1)
    const receipt = await file(`${path}/receipt`)
    const text = await app.run(pdfText(new Uint8Array(receipt.bytes)))
    expect(text).toMatch(/Total received[^]*€101\.00/)
    expect(text.split("€1.00")).toHaveLength(payments + 1)
    expect((await page(path)).split("−€1.00")).toHaveLength(payments + 1)
  }, 200_000)

  it("leads to the online payment, with the values of the invoice, until it is paid", async () => {
    const books = await open()
    await set(books, "payment_url", "https://pay.example/{number}?a={amount}&c={currency}&r={reference}")
    const { id } = await books.draft({ payment_reference: "a b&c" })
    const path = await linkTo(books, `/invoices/${id}`)
    const url = "https://pay.example/INV-2026-0001?a=121.00&amp;c=EUR&amp;r="
    expect(await page(path)).toContain(`href="${url}`)
    await books.pay(await books.invoice(id))
    expect(await page(path)).not.toContain("pay.example")
  })

  it.each([
    ["Pay by bank transfer", "BE71 0961 2345 6769", true, null],
    ["Payment", "Direct debit", false, { method: "direct_debit", mandate_reference: "MD-5" }],
    ["Payment", "Card", true, { method: "card", card_last_digits: "1234" }],
    ["Payment", "Cash", true, { method: "cash" }]
  ])("says how to pay, until nothing is due: %s, %s", async (title, row, isOnline, payment_means) => {
    const books = await open()
    const settings = [
      { key: "payment_iban", value: "BE71096123456769" },
      { key: "payment_url", value: "https://pay.example/{number}" }
    ]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    const { id } = await books.draft({ payment_means })
    const path = await linkTo(books, `/invoices/${id}`)
    const text = await page(path)
    expect(/<h2>(Pay[^<]*)<\/h2>/.exec(text)?.[1]).toBe(title)
    expect([text.includes(row), text.includes("pay.example")]).toEqual([true, isOnline])
    await books.pay(await books.invoice(id))
    const paid = await page(path)
    expect(paid).toContain("Nothing is due.")
    expect([/<h2>Pay/.test(paid), paid.includes(row), paid.includes("pay.example")]).toEqual([false, false, false])
  })

  it("gives the e-invoice as XML where there is one", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, {
      address_line1: "Gracht 1",
      postal_code: "9000",
      city: "Gent",
      tax_number: "BE0202239951"
    })
    const address = { address_line1: "Platz 1", postal_code: "10115", city: "Berlin", country: "DE" }
    await books.made("PUT", `/customers/${books.customer_id}`, address)
    const { id } = await books.draft()
    const path = await linkTo(books, `/invoices/${id}`)
    expect(await page(path)).toContain(`${path}/xml`)
    const xml = await file(`${path}/xml`)
    expect([xml.status, xml.type]).toEqual([200, "application/xml"])
    expect(Buffer.from(xml.bytes).toString()).toContain("CrossIndustryInvoice")
    await set(books, "pdf_format", "pdf")
    expect(await page(path)).not.toContain(`${path}/xml`)
    expect((await file(`${path}/xml`)).status).toBe(404)
  })

  it("names a person to write to", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, { contact_email: "office@acme.eu", contact_phone: "+32 9 5" })
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    expect(await page(path)).toMatch(/mailto:office@acme\.eu[^]*tel:\+3295/)
  })
})

describe("GET /d/{token}/{kind}/{id}", () => {
  it("shows the other open documents of the same customer, and lets a quote among them be answered", async () => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "A@beta.eu" })
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    const other = await books.issued({ due_date: "2026-04-01" })
    const { due_date: _, ...body } = books.body({ valid_until: "2999-03-31" })
    const quote = await books.made("POST", "/quotes", body)
    await linkTo(books, `/quotes/${quote.id}`)
    const text = await page(path)
    expect(text).toMatch(
      /Your other open documents[^]*Invoice <bdi[^>]*>INV-2026-0002[^]*Overdue[^]*Quote <bdi[^>]*>QUO-2026-0001/
    )
    expect(await page(`${path}/invoice/${other.id}`)).toContain(
      '<h1>Invoice <bdi class="whole">INV-2026-0002</bdi></h1>'
    )
    expect((await file(`${path}/invoice/${other.id}/pdf`)).type).toBe("application/pdf")
    const shown = await page(`${path}/quote/${quote.id}`)
    const version = /name="version" value="(\d+)"/.exec(shown)?.[1] ?? ""
    const fields = new URLSearchParams({ answer: "accept", version })
    const answer = await fetch(`${app.url}${path}/quote/${quote.id}`, {
      method: "POST",
      redirect: "manual",
      body: fields
    })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${path}/quote/${quote.id}`])
    expect(await page(`${path}/quote/${quote.id}`)).toContain("You have accepted this quote.")
  }, 200_000)

  it("shows those of many open documents whose deadlines are the earliest", async () => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    const urgent = await books.issued({ issue_date: "2026-01-01", due_date: "2026-01-15" })
    for (let index = 0; index < 50; index++) await books.issued()
    expect(await page(path)).toContain(urgent.number)
  }, 200_000)

  it("opens only the document of the link for an address that is not the customer's or a contact's", async () => {
    const books = await open()
    const other = await books.issued()
    const { id } = await books.draft()
    const path = await linkTo(books, `/invoices/${id}`, "someone@else.eu")
    expect(await page(path)).not.toContain("Your other open documents")
    expect((await app.call("GET", `${path}/invoice/${other.id}`)).status).toBe(404)
    await books.made("POST", "/contacts", { customer_id: books.customer_id, name: "Els", email: "someone@else.eu" })
    expect(await page(path)).toContain("Your other open documents")
    expect((await app.call("GET", `${path}/invoice/${other.id}`)).status).toBe(200)
  })

  it.each([
    ["valid", 0],
    ["partly expired", 1],
    ["all expired", 2]
  ])("hides a document whose links were revoked until it is sent again: %s", async (_, expired) => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
    const { id: document_id } = await books.draft()
    const expire = () =>
      app.inDatabase(`update document_links set expires_at = now()
        where organization_id = ${books.id} and document_id = ${document_id}`)
    for (const sent of [1, 2]) {
      await linkTo(books, `/invoices/${document_id}`)
      if (sent <= expired) await expire()
    }
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    const status = async () => (await app.call("GET", `${path}/invoice/${document_id}`)).status
    expect(await page(path)).toContain("Your other open documents")
    expect(await status()).toBe(200)
    const key = { organization_id: OrganizationId.make(books.id), document: "invoice" as const, document_id }
    await app.run(Effect.flatMap(Portal, ({ revoke }) => revoke(key, "admin")).pipe(Effect.provide(Portal.layer)))
    expect(await page(path)).not.toContain("Your other open documents")
    expect(await status()).toBe(404)
    await linkTo(books, `/invoices/${document_id}`)
    expect(await status()).toBe(200)
    await expire()
    expect(await status()).toBe(200)
  })

  it("hides a document of which an earlier version revoked only the links that had not expired", async () => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
    const { id: document_id } = await books.draft()
    const change = (change: string, condition: string) =>
      app.inDatabase(`update document_links set ${change}
        where organization_id = ${books.id} and document_id = ${document_id} and ${condition}`)
    await linkTo(books, `/invoices/${document_id}`)
    await change("expires_at = now()", "true")
    await linkTo(books, `/invoices/${document_id}`)
    await change("revoked_at = now()", "expires_at > now()")
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    expect((await app.call("GET", `${path}/invoice/${document_id}`)).status).toBe(404)
  })

  it("answers 404 for drafts, settled documents, other customers and other organizations", async () => {
    const [books, foreign] = [await open(), await open()]
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
    const path = await linkTo(books, `/invoices/${(await books.draft()).id}`)
    const customer = await books.made("POST", "/customers", { name: "Gamma" })
    const refused = [
      (await books.draft()).id,
      (await books.paid()).invoice.id,
      (await books.issued({ customer_id: customer.id })).id,
      (await foreign.issued()).id
    ].flatMap((id) => ["", "/pdf", "/xml", "/attachments/1"].map((form) => `${path}/invoice/${id}${form}`))
    const ids = ["invoice/x", "invoice/0", "invoice/-1", "quote/0/pdf", "credit_note/1e999", "order/1"]
    for (const url of [...refused, ...ids.map((id) => `${path}/${id}`)]) {
      expect([url, (await app.call("GET", url)).status]).toEqual([url, 404])
    }
  })
})
