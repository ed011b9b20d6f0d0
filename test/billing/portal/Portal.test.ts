import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { Portal } from "../../../src/billing/portal/Portal.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { requestDuring } from "../../support/service/Meanwhile.ts"
import { type Books, race, statuses, useBilling } from "../../support/Billing.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
afterAll(() => mails.received.splice(0))

const link = async (books: Books, path: string) => {
  await books.made("POST", `${path}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
  return new URL(mails.received.at(-1)?.link ?? "").pathname
}
const sentInvoice = async (books: Books, changes: object = {}) => {
  const { id } = await books.draft(changes)
  return { id, path: await link(books, `/invoices/${id}`) }
}
const sentQuote = async (books: Books, changes: object = {}) => {
  const { due_date: _, ...body } = books.body(changes)
  const { id } = await books.made("POST", "/quotes", { valid_until: "2999-03-31", ...body })
  return { id, path: await link(books, `/quotes/${id}`) }
}
const sql = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, (client) => Effect.orDie(statement(client))))
const eventsOf = async ({ id }: Books) => (await app.run(verifiedAuditLog(id))).events.map(({ type }) => type)

const post = (path: string, fields: Record<string, string>) =>
  fetch(app.url + path, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) })
const bytes = async (url: string, headers = {}) => Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
const versionIn = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? ""
const answer = async (path: string, given: "accept" | "decline", fields: Record<string, string> = {}) =>
  post(path, { answer: given, version: versionIn((await app.call("GET", path)).text), ...fields })

describe("GET /d/{token}", () => {
  it("shows the invoice in the customer's language, and keeps it out of shared caches and search engines", async () => {
    const books = await open({ name: "Acme & Sons" })
    await books.made("PUT", `/customers/${books.customer_id}`, { language: "de", country: "DE" })
    const { path } = await sentInvoice(books, { notes: "<i>Danke</i>" })
    const page = await app.call("GET", path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<html lang="de">')
    expect(page.text).toContain("Rechnung INV-2026-0001")
    expect(page.text).toMatch(/121,00\s€/)
    expect(page.text).toContain("31. März 2999")
    expect(page.text).toContain("Acme &amp; Sons")
    expect(page.text).toContain("&lt;i&gt;Danke")
    expect(page.text).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<form|https?:/)
    expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow")
    expect(page.headers.get("cache-control")).toBe("no-store")
    const policy = page.headers.get("content-security-policy") ?? ""
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toContain("unsafe")
  })

  it("follows the invoice: once it is paid, it no longer requests a payment", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "payment_iban", value: "BE68539007547034" }]
    })
    const { id, path } = await sentInvoice(books)
    const before = await app.call("GET", path)
    expect(before.text).toContain("BE68 5390 0754 7034")
    expect(before.text).toContain("<svg")
    await books.pay(await books.invoice(id))
    const after = await app.call("GET", path)
    expect(after.text).not.toContain("BE68 5390 0754 7034")
    expect(after.text).toContain("€0.00")
  })

  it("gives the very PDF the API gives", async () => {
    const books = await open()
    const { id, path } = await sentInvoice(books)
    const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    const file = await fetch(`${app.url}${path}/pdf`)
    expect(file.headers.get("content-type")).toBe("application/pdf")
    expect(file.headers.get("content-disposition")).toBe('inline; filename="INV-2026-0001.pdf"')
    expect(file.headers.get("x-robots-tag")).toBe("noindex, nofollow")
    expect(await bytes(`${app.url}${path}/pdf`)).toEqual(await bytes(`${app.url}/api/v1/invoices/${id}/pdf`, headers))
  }, 200_000)

  it("answers 404 for a link that never was, in the language of the browser", async () => {
    for (const token of [`doc_${"A".repeat(43)}`, "nonsense", "1", "%00", `doc_${"A".repeat(5000)}`]) {
      for (const path of [`/d/${token}`, `/d/${token}/pdf`]) {
        const page = await app.call("GET", path, { headers: { "accept-language": "nl-BE,nl;q=0.9" } })
        expect(page.status).toBe(404)
      }
    }
    const page = await app.call("GET", `/d/doc_${"A".repeat(43)}`, { headers: { "accept-language": "nl" } })
    expect(page.text).toContain("Deze link is niet geldig.")
    expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow")
  })

  it.each([
    ["expires_at", "This link has expired."],
    ["revoked_at", "This link has been withdrawn."]
  ])("answers 410 when %s has passed, also for the PDF and for answers", async (column, words) => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const version = versionIn((await app.call("GET", path)).text)
    await sql((sql) => sql`update document_links set ${sql(column)} = now() where organization_id = ${books.id}`)
    const page = await app.call("GET", path)
    expect([page.status, page.text.includes(words), page.text.includes("QUO-")]).toEqual([410, true, false])
    expect((await app.call("GET", `${path}/pdf`)).status).toBe(410)
    expect((await post(path, { answer: "accept", version })).status).toBe(410)
    expect((await books.made("GET", `/quotes/${id}`)).status).toBe("sent")
  })

  it("shows no draft, though it has its number already", async () => {
    const books = await open({ settings: { invoice_number_on: "create" } })
    const [{ path }, draft] = [await sentInvoice(books), await books.draft()]
    await sql((sql) => sql`update document_links set document_id = ${draft.id} where organization_id = ${books.id}`)
    const page = await app.call("GET", path)
    expect(page.status).toBe(410)
    expect(page.text).not.toContain(draft.number)
    await books.send(draft)
    expect((await app.call("GET", path)).text).toContain(draft.number)
  })

  it("opens nothing once the administration has revoked the links of its document; a new link does", async () => {
    const books = await open()
    const { id, path } = await sentInvoice(books)
    const other = await sentInvoice(books)
    const revoke = Effect.flatMap(Portal, (portal) =>
      portal.revoke({ organization_id: OrganizationId.make(books.id), document: "invoice", document_id: id }, "admin")
    )
    expect(await app.run(revoke.pipe(Effect.provide(Portal.layer)))).toBe(1)
    expect(await app.run(revoke.pipe(Effect.provide(Portal.layer)))).toBe(0)
    expect((await app.call("GET", path)).status).toBe(410)
    expect((await app.call("GET", other.path)).status).toBe(200)
    expect((await app.call("GET", await link(books, `/invoices/${id}`))).status).toBe(200)
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.map(({ action }) => action)).toContain("document.links_revoked")
  })

  it("shows a credit note, once it is sent", async () => {
    const books = await open({ country: "IT" })
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", {
      invoice_id: invoice.id,
      amount: 50,
      reason: "Bottle broke"
    })
    const path = await link(books, `/credit-notes/${note.id}`)
    const page = await app.call("GET", path)
    expect(page.status).toBe(200)
    expect(page.text).toContain("Credit note CN-2026-0001")
    expect(page.text).toContain("Bottle broke")
    expect(page.text).toContain("€50.00")
    expect(page.text).not.toContain("<form")
    expect((await fetch(`${app.url}${path}/pdf`)).headers.get("content-disposition")).toContain("CN-2026-0001.pdf")
    expect((await post(path, { answer: "accept", version: "1" })).status).toBe(409)
  }, 200_000)

  it("answers 410 when the document no longer exists", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    await books.made("DELETE", `/quotes/${id}`)
    expect((await app.call("GET", path)).status).toBe(410)
    expect((await app.call("GET", `${path}/pdf`)).status).toBe(410)
  })
})

describe("POST /d/{token}", () => {
  it("accepts the quote once, however often the button is pressed", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const version = versionIn((await app.call("GET", path)).text)
    const answers = await race(6, () => post(path, { answer: "accept", version }))
    expect(statuses(answers)).toEqual({ 303: 6 })
    const quote = await books.made("GET", `/quotes/${id}`)
    expect(quote).toMatchObject({ status: "accepted", accepted_at: expect.any(String) })
    const page = await app.call("GET", path)
    expect(page.text).toContain("You have accepted this quote.")
    expect(page.text).not.toContain("<form")
    expect((await eventsOf(books)).filter((type) => type === "quote.accepted")).toHaveLength(1)
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)?.actor).toMatch(/^link:\d+$/)
  })

  it("declines the quote with the reason given", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const declined = await answer(path, "decline", { reason: " Zu teuer \n" })
    expect([declined.status, declined.headers.get("location")]).toEqual([303, path])
    expect(await books.made("GET", `/quotes/${id}`)).toMatchObject({
      status: "rejected",
      rejection_reason: "Zu teuer"
    })
    expect((await app.call("GET", path)).text).toContain("You have declined this quote.")
    expect((await post(path, { answer: "decline", version: "1" })).status).toBe(303)
    expect((await post(path, { answer: "accept", version: "1" })).status).toBe(409)
    expect(await eventsOf(books)).toContain("quote.rejected")
  })

  it.each([
    ["counts a line break as one character", "too dear\r\n".repeat(520), `${"too dear\n".repeat(519)}too dear`],
    ["keeps the line breaks of an office program", "Zu\u000bteuer\u0007", "Zu\nteuer"],
    ["cuts a text that is too long", `${"x".repeat(4_999)}\u{1f600}`, "x".repeat(4_999)]
  ])("%s in the reason", async (_, reason, rejection_reason) => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    expect((await answer(path, "decline", { reason })).status).toBe(303)
    expect(await books.made("GET", `/quotes/${id}`)).toMatchObject({ status: "rejected", rejection_reason })
  })

  it("accepts one of two opposite answers at the same time", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const version = versionIn((await app.call("GET", path)).text)
    await race(8, (index) => post(path, { answer: index % 2 === 0 ? "accept" : "decline", version }))
    const decided = (await eventsOf(books)).filter((type) => type === "quote.accepted" || type === "quote.rejected")
    expect(decided).toEqual([`quote.${(await books.made("GET", `/quotes/${id}`)).status}`])
  })

  it("accepts no answer to a quote that changed since it was shown", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const version = versionIn((await app.call("GET", path)).text)
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    await books.made("PUT", `/quotes/${id}`, { items: [{ description: "Dearer", unit_price: 900 }] })
    expect((await app.call("GET", path)).status).toBe(410)
    const renewed = await link(books, `/quotes/${id}`)
    const refused = await post(renewed, { answer: "accept", version })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain("Your answer could not be recorded")
    expect((await books.made("GET", `/quotes/${id}`)).status).toBe("sent")
    expect((await answer(renewed, "accept")).status).toBe(303)
  })

  it("accepts no answer to a quote that changes while the answer waits for it", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const version = versionIn((await app.call("GET", path)).text)
    for (const given of ["accept", "decline"]) {
      const changes = [`update quotes set version = version + 1 where id = ${id}`]
      const { status } = await requestDuring(app, changes, () => post(path, { answer: given, version }))
      await app.inDatabase(`update quotes set version = ${version} where id = ${id}`)
      expect([given, status, (await books.made("GET", `/quotes/${id}`)).status]).toEqual([given, 409, "sent"])
    }
  })

  it("accepts no answer to a quote that is no longer valid", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books, { issue_date: "2020-01-01", valid_until: "2020-01-31" })
    const page = await app.call("GET", path)
    expect(page.text).toContain("This quote is no longer valid.")
    expect(page.text).not.toContain("<form")
    const { version } = await books.made("GET", `/quotes/${id}`)
    expect((await post(path, { answer: "accept", version: String(version) })).status).toBe(409)
    expect((await books.made("GET", `/quotes/${id}`)).status).toBe("expired")
  })

  it("accepts no answer for an archived organization, and still shows the quote", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const { version } = await books.made("GET", `/quotes/${id}`)
    await sql((sql) => sql`update organizations set archived_at = now() where id = ${books.id}`)
    expect((await app.call("GET", path)).status).toBe(200)
    expect((await post(path, { answer: "accept", version: String(version) })).status).toBe(409)
    expect(await books.made("GET", `/quotes/${id}`)).toMatchObject({ status: "sent", version })
  })

  it("accepts no answer to an invoice, no other answer, and no endless one", async () => {
    const books = await open()
    const invoice = await sentInvoice(books)
    const before = await books.invoice(invoice.id)
    expect((await post(invoice.path, { answer: "accept", version: String(before.version) })).status).toBe(409)
    expect(await books.invoice(invoice.id)).toEqual(before)
    const quote = await sentQuote(books)
    expect((await answer(quote.path, "decline", { answer: "maybe" })).status).toBe(422)
    expect((await answer(quote.path, "decline", { reason: "x".repeat(200_000) })).status).toBe(413)
    expect((await books.made("GET", `/quotes/${quote.id}`)).status).toBe("sent")
  })
})
