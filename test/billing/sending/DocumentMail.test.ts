import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { readMail } from "../../../src/platform/mail/MailReading.ts"
import { labelsIn } from "../../../src/billing/printing/labels/Labels.ts"
import { type Books, small_logo, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { pdfText } from "../../support/files/PdfText.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

const sendTo = (books: Books, id: number, recipient: string, body: object = {}) =>
  books.made("POST", `/invoices/${id}/send`, { recipients: [recipient], attach_pdf: false, ...body })

const last = () => {
  const mail = mails.received.at(-1)
  if (mail === undefined) throw new Error("No message came.")
  return mail
}

const subjectOf = async (raw: string) => (await Effect.runPromise(readMail(Buffer.from(raw)))).subject

describe("The message that brings a document", () => {
  it("is written in the customer's language, with amounts and dates as they are written there", async () => {
    const books = await open({ name: "Atelier Lumière" })
    await books.made("PUT", `/customers/${books.customer_id}`, { language: "fr", country: "FR" })
    const { id } = await books.draft({ due_date: "2999-08-01" })
    await sendTo(books, id, "a@beta.eu", { message: "Merci beaucoup !\n\nÀ bientôt,\nAna <b>&" })
    const { header, html, text } = last()
    expect(header("Content-Language")).toBe("fr")
    expect(text).toMatch(/^Bonjour Beta,\s+Merci beaucoup !\s+À bientôt,\r\nAna <b>&/)
    expect(text).toContain("Notre facture INV-2026-0001 est à votre disposition.")
    expect(text).toMatch(/Total TTC\u00a0: 121,00\s€/)
    expect(text).toContain("À payer au plus tard le\u00a0: 1er août 2999")
    expect(html).toContain('<html lang="fr"')
    expect(html).toMatch(/white-space: nowrap">\s*<bdi>1er août 2999/)
    expect(html).toContain("Ana &lt;b&gt;&amp;")
    expect(html).not.toContain("<b>")
  })

  it("is in English where the customer's language is none of ours, as the document itself", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, { language: "fr" })
    await books.made("PUT", `/customers/${books.customer_id}`, { language: "ja", country: "JP" })
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu")
    const { header, link, text } = last()
    expect(header("Content-Language")).toBe("en")
    expect(text).toContain("Total: €121.00")
    expect(await (await fetch(link)).text()).toContain('<html lang="en"')
  })

  it("is in the organization's language for a customer without a language", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, { language: "fr" })
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu")
    expect(last().header("Content-Language")).toBe("fr")
  })

  it("comes from the organization's name, at the address of the service, and is answered to the organization", async () => {
    const books = await open({ name: "Müller & Söhne" })
    await books.made("PUT", `/organizations/${books.id}`, { contact_email: "office@mueller.de" })
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu")
    const { header, raw } = last()
    expect(header("From")).toMatch(/^=\?UTF-8\?.*<invoicing@example\.com>$/)
    expect(header("Reply-To")).toMatch(/<office@mueller\.de>$/)
    expect(header("To")).toBe("a@beta.eu")
    expect(raw.match(/^To: /gm)).toHaveLength(1)
  })

  it("cannot be given further headers or recipients by anything a client writes", async () => {
    const books = await open()
    const name = "Evil\r\nBcc: x@evil.eu\r\n\r\n<script>"
    await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update organizations set name = ${name} where id = ${books.id}`)
    )
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu", { message: "Hi\r\n.\r\nMAIL FROM:<x@evil.eu>" })
    expect(mails.received).toHaveLength(1)
    const { header, html, raw, text } = last()
    const [head = ""] = raw.split("\r\n\r\n", 1)
    expect(head).not.toMatch(/^Bcc:/im)
    expect(header("Subject")).toContain("Evil Bcc: x@evil.eu")
    expect(html).not.toContain("<script>")
    expect(text).toContain(".\r\nMAIL FROM:<x@evil.eu>")
  })

  it("contains a separate link for each recipient, stored only as a hash, for 90 days", async () => {
    const books = await open()
    const { id } = await books.draft()
    await books.made("POST", `/invoices/${id}/send`, { recipients: "a@beta.eu,b@beta.eu", attach_pdf: false })
    const links = mails.received.map(({ link }) => link)
    expect(new Set(links).size).toBe(2)
    const tokens = links.map((link) => link.split("/d/")[1] ?? "")
    for (const token of tokens) expect(token).toMatch(/^doc_[A-Za-z0-9_-]{43}$/)
    const rows = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ row: string; days: number }>`
          select l::text as row, extract(day from expires_at - created_at)::integer as days from document_links l
          where organization_id = ${books.id}`
      )
    )
    expect(rows.map(({ days }) => days)).toEqual([90, 90])
    for (const { row } of rows) for (const token of tokens) expect(row).not.toContain(token.slice(4))
  })

  it("has the same number as the invoice, the list, its file and its page, also after a change of year", async () => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "ap@beta.eu" })
    const drafts = []
    for (const issue_date of ["2026-12-30", "2027-01-02", "2026-12-31"]) drafts.push(await books.draft({ issue_date }))
    for (const { id } of drafts) await books.made("POST", `/invoices/${id}/send`)
    const listed = (await books.call("GET", "/invoices")).body.data.map(({ number }: { number: string }) => number)
    expect(listed).toEqual(["INV-2027-0001", "INV-2026-0002", "INV-2026-0001"])
    for (const [index, number] of ["INV-2026-0001", "INV-2027-0001", "INV-2026-0002"].entries()) {
      const message = mails.received[index]
      expect((await books.invoice(drafts[index].id)).number).toBe(number)
      expect(message?.header("Subject")).toBe(`Invoice ${number} from Acme`)
      expect(message?.raw).toContain(`filename=${number}.pdf`)
      const page = await (await fetch(message?.link ?? "")).text()
      expect(page).toContain(`<h1>Invoice <bdi class="whole">${number}</bdi></h1>`)
      const file = await fetch(`${message?.link}/pdf`)
      expect(await app.run(pdfText(new Uint8Array(await file.arrayBuffer())))).toContain(`Invoice ${number}`)
    }
  })

  it("states the balance due after a payment, and that nothing is due on a paid invoice", async () => {
    const books = await open()
    const invoice = await books.issued()
    await books.pay(invoice, 21)
    await sendTo(books, invoice.id, "a@beta.eu")
    expect(last().text).toMatch(/Total: €121\.00\s+Amount due: €100\.00\s+Payable by: 31 March 2999/)
    await books.pay(await books.invoice(invoice.id))
    await sendTo(books, invoice.id, "a@beta.eu", { resend: true })
    expect(last().text).toContain("This invoice is paid in full. Nothing is due.")
    expect(last().text).toContain("Amount due: €0.00")
    expect(last().text).not.toContain("Payable by")
  })

  it("has one greeting, that of a sender who writes one", async () => {
    const books = await open()
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu", { message: "Dear Ms Beta,\n\nAs agreed." })
    expect(last().text).toMatch(/^Dear Ms Beta,\s+As agreed\.\s+Our invoice/)
  })

  it("asks out-of-office programs not to answer", async () => {
    const books = await open()
    await sendTo(books, (await books.draft()).id, "a@beta.eu")
    expect(last().header("Auto-Submitted")).toBe("auto-generated")
  })

  it.each([
    ["Atelier Lumière", "Facture INV-2026-0001 d’Atelier Lumière"],
    ["Boulangerie Nord", "Facture INV-2026-0001 de Boulangerie Nord"]
  ])("elides the French article where %s needs it", async (name, subject) => {
    const books = await open({ name })
    await books.made("PUT", `/customers/${books.customer_id}`, { language: "fr" })
    await sendTo(books, (await books.draft()).id, "a@beta.eu")
    expect(await subjectOf(last().raw)).toBe(subject)
  })

  it("carries the organization's logo, colour, footer and own words, and the sender's", async () => {
    const books = await open()
    const invoice = { subject: "{number}: {amount_due} by {date}", text: "Hello {customer},\n\n{message}\n\n{total}" }
    await books.made("PUT", `/organizations/${books.id}`, {
      logo: small_logo,
      settings: [
        { key: "brand_color", value: "#ffd400" },
        { key: "document_footer", value: "Since 1871" },
        { key: "mail_texts", value: { en: { invoice } } }
      ]
    })
    await sendTo(books, (await books.draft()).id, "a@beta.eu", { message: "As agreed." })
    const { html, raw, text } = last()
    expect(await subjectOf(raw)).toBe("INV-2026-0001: €121.00 by 31 March 2999")
    expect(text).toMatch(/^Hello Beta,\s+As agreed\.\s+€121\.00\s+Total: €121\.00/)
    expect(text).toMatch(/Kind regards,\s+Acme\s+Since 1871/)
    expect(html).toContain('src="cid:logo"')
    expect(html).toContain("background: #ffd400; color: #000000")
    expect(raw).toMatch(/Content-Type: image\/png; name=logo\.png[\s\S]*Content-Id: <logo>/i)
    expect(raw).toContain("multipart/related")
  })

  it.each(Object.entries(labelsIn))("calls each document what the document calls itself, in %s", (_, labels) => {
    const { credit_note, document, mail, quote } = labels
    expect(mail.invoice.subject).toMatch(new RegExp(`^${document.invoice} `))
    expect(mail.quote.subject).toMatch(new RegExp(`^${quote.quote} `))
    expect(mail.credit_note.subject).toMatch(new RegExp(`^${credit_note.credit_note} `))
  })

  it("says that the amount of a credit note is credited", async () => {
    const books = await open()
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 50, reason: "Broken" })
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
    expect(last().text).toContain("Amount credited: €50.00")
  })

  it.each(["en", "nl", "de", "es", "it", "pt", "pl", "ar", "ja"])("has words in %s", async (language) => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { language })
    const { id } = await books.draft()
    await sendTo(books, id, "a@beta.eu")
    const { header, text } = last()
    expect(header("Content-Language")).toBe(language === "ja" ? "en" : language)
    expect(await subjectOf(last().raw)).toContain("INV-2026-0001")
    expect(text).not.toMatch(/[{}]|undefined|null/)
  })
})

const preview = (books: Books, body: object) => books.call("POST", `/organizations/${books.id}/mail-preview`, body)

describe("POST /api/v1/organizations/{id}/mail-preview", () => {
  it("shows the message with texts that are not stored yet, and stores and sends nothing", async () => {
    const books = await open({ name: "Atelier Lumière" })
    const settings = [{ key: "brand_color", value: "#ffd400" }]
    const before = await books.made("PUT", `/organizations/${books.id}`, { logo: small_logo, settings })
    const mail_texts = {
      fr: { quote: { subject: "Devis {number} de {organization}", text: "Salut {customer}\n\n{message}" } }
    }
    const { body, status } = await preview(books, { kind: "quote", language: "fr", mail_texts, message: "Merci <b>" })
    expect([status, body.data.subject]).toEqual([200, "Devis 2026-0001 d’Atelier Lumière"])
    expect(body.data.text).toMatch(/^Salut Novalux\s+Merci <b>\s+Total TTC\u00a0: 121,00\s€/)
    expect(body.data.html).toContain('<html lang="fr"')
    expect(body.data.html).toContain('src="data:image/png;base64,')
    expect(body.data.html).toContain("background: #ffd400")
    expect(mails.received).toEqual([])
    expect(await books.made("GET", `/organizations/${books.id}`)).toEqual(before)
    expect((await books.made("GET", "/quotes")).length).toBe(0)
  })

  it("writes a number from left to right in Arabic, and on one line", async () => {
    const books = await open()
    const { data } = (await preview(books, { kind: "quote", language: "ar" })).body
    // In a right-to-left text, the number would be shown as 0001-2026 without direction marks around it (Unicode UAX 9,
    // W2).
    for (const text of [data.subject, data.text]) expect(text).toContain("\u20662026-0001\u2069")
    const whole = '<bdi dir="ltr" style="display: inline-block; max-width: 100%">2026-0001</bdi>'
    expect(data.html).toContain(whole)
    const english = (await preview(books, { kind: "quote", language: "en" })).body.data
    expect(english.html).toContain(whole)
    expect(JSON.stringify(english)).not.toMatch(/[\u2066-\u2069]/)
  })

  it("calls a credit note of a Spanish seller a corrective invoice, as its PDF does", async () => {
    const [spanish, other] = [await open({ country: "ES" }), await open()]
    const note = { kind: "credit_note", language: "es", attach_pdf: false }
    const { data } = (await preview(spanish, note)).body
    expect(data.subject).toMatch(/^Factura rectificativa 2026-0001 de/)
    expect(JSON.stringify(data)).not.toMatch(/nota de crédito/i)
    expect((await preview(other, note)).body.data.subject).toMatch(/^Nota de crédito 2026-0001 de/)
  })

  it("shows the stored texts, or the standard ones, that a send would use", async () => {
    const books = await open()
    const usual = await preview(books, { kind: "invoice", language: "en", attach_pdf: false })
    expect(usual.body.data.text).toContain("Our invoice 2026-0001 is ready for you.")
    const value = { en: { invoice: { text: "As always." } } }
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "mail_texts", value }] })
    const own = await preview(books, { kind: "invoice", language: "en" })
    expect(own.body.data.text).toMatch(/^As always\./)
  })

  it("shows the sender's message once, also with a stored text that an older version accepted", async () => {
    const books = await open()
    const stored = { en: { invoice: { subject: "Paid {message}", text: "{message}|".repeat(500) } } }
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          update organizations set settings = settings || jsonb_build_object('mail_texts', ${JSON.stringify(stored)}::jsonb)
          where id = ${books.id}`
      )
    )
    const message = "{number}\n".repeat(500)
    const { data } = (await preview(books, { kind: "invoice", language: "en", message })).body
    expect(data.subject.trim()).toBe("Paid")
    expect(data.text.match(/^\{number\}$/gm)?.length).toBe(500)
    expect(data.html.length).toBeLessThan(200_000)
  })

  it("answers 422 for an unknown kind, language or placeholder, and 404 to another organization", async () => {
    const [books, theirs] = [await open(), await open()]
    const mail_texts = { en: { invoice: { subject: "{password}" } } }
    expect((await preview(books, { kind: "letter", language: "ja" })).body.errors).toMatchObject({
      kind: [expect.stringContaining("must be")],
      language: [expect.stringContaining("must be")]
    })
    expect((await preview(books, { kind: "invoice", language: "en", mail_texts })).status).toBe(422)
    const { status } = await preview({ ...theirs, id: books.id }, { kind: "invoice", language: "en" })
    expect(status).toBe(404)
  })
})
