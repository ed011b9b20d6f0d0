import { beforeAll, describe, expect, it } from "vitest"
import { line, small_logo, statuses, useBilling } from "../support/Billing.ts"
import { large_id, useLargeIds } from "../support/LargeIds.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { receiver } from "../support/counterparts/Receiver.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"
import { authorizePath, browser, client, codeFor, newVerifier, person, tokensFor } from "../identity/Visitor.ts"
import { archive_settings, walkArchive } from "./walks/ArchiveWalk.ts"
import { endpoints } from "./Endpoints.ts"
import { walkNetwork } from "./walks/NetworkWalks.ts"
import { document, operations } from "./document/OpenApi.ts"
import { walkBanking } from "./walks/BankingWalk.ts"
import { walkReports } from "./walks/ReportsWalk.ts"
import { elsewhere, examples, outlined, refusalsShown, saveExamples, sortedRefusals } from "./walks/Recorder.ts"
import { walk } from "./walks/Walk.ts"
import * as walks from "./walks/Walks.ts"

const mails = await smtp()
const hooks = await receiver()
const { app, open } = useBilling({ ...mails.settings, ...hooks.settings(), archive: archive_settings })

const { call, caller, note, oauth, seen, exchanges, refusals, undeclared } = walk(app)

// Makes all new ids so large that they do not fit into a 32-bit integer.
beforeAll(() => app.run(useLargeIds))

describe("every answer is one that the document declares", () => {
  it("to clients that request a token, and to its holder", async () => {
    const ana = await person(app)
    const mobile = await client(app)
    await call("GET", "/.well-known/oauth-authorization-server")
    const request = await codeFor(app, mobile, ana.email)
    const issued = await oauth("token", request)
    expect(issued.status).toBe(200)
    await oauth("token", request)
    await oauth("token", { grant_type: "refresh_token", client_id: mobile.id })
    await oauth("token", { grant_type: "client_credentials", client_id: mobile.id })
    await oauth("token", { ...request, client_id: "0b5d5f2e-6a57-4d6e-9a55-0b6b6b6b6b6b" })
    await oauth("token", { grant_type: "password", client_id: mobile.id, username: ana.email, password: "wrong" })
    const { access_token, refresh_token } = await tokensFor(app, mobile, ana.email)
    await oauth("token", { grant_type: "refresh_token", client_id: mobile.id, refresh_token, scope: "webhooks:write" })
    await oauth("revoke", { client_id: mobile.id, token: access_token })
    await oauth("revoke", {})

    const third = await client(app, { first_party: false })
    const visitor = browser(app)
    const login = await visitor.get(authorizePath(third, newVerifier()))
    await visitor.logIn(ana.email, login.location)
    for (const path of [authorizePath(third, newVerifier()), authorizePath(mobile, newVerifier())]) {
      const { headers, status, text } = await visitor.get(path)
      note("GET", path, { status, headers, text, body: text })
    }
    await call("GET", authorizePath({ ...mobile, redirect_uris: ["https://evil.example/"] }, newVerifier()))

    const again = await tokensFor(app, mobile, ana.email)
    await caller(again.access_token)(200, "GET /user")
    await caller(again.access_token)(200, "POST /logout")
    await caller(again.access_token)(401, "POST /logout")
    const last = await tokensFor(app, mobile, ana.email)
    await caller(last.access_token)(200, "POST /logout-all")
    const others = ["ocs_a_client", await app.run(seedOrganizationToken((await open()).id))]
    for (const token of others) await caller(token)(400, "POST /logout")
  })

  it("to the members of an organization", async () => {
    const { id, owner } = await open()
    const ask = caller(owner.token, id)
    const admin = await app.run(seedMember(id, "admin"))
    await ask(200, "GET /organizations?per_page=1")
    await ask(200, `GET /organizations/${id}`)
    await ask(200, `PUT /organizations/${id}`, { logo: small_logo, settings: [{ key: "payment_bic", value: null }] })
    await ask(200, `GET /organizations/${id}/logo`)
    const mail_texts = { nl: { invoice: { subject: "Factuur {number} van {organization}" } } }
    await ask(200, `POST /organizations/${id}/mail-preview`, { kind: "invoice", language: "nl", mail_texts })
    const items = [line(95, { quantity: 0 })]
    await ask(422, "POST /invoices", { issue_date: "2026-03-01", due_date: "2026-03-31", currency: "EUR", items })
    await ask(422, `POST /organizations/${id}/mail-preview`, { kind: "letter", language: "ja" })
    await ask(422, `PUT /organizations/${id}`, { country: "FR", name: "" })
    await ask(412, `PUT /organizations/${id}`, {}, { headers: { "if-match": '"v99"' } })
    await ask(200, `GET /organizations/${id}/statistics`)
    await ask(200, `GET /organizations/${id}/users`)
    await ask(201, `POST /organizations/${id}/users/invite`, { email: "els@example.com", role: "viewer" })
    await ask(422, `POST /organizations/${id}/users/invite`, { email: admin.email, role: "viewer" })
    await caller(admin.token)(403, `POST /organizations/${id}/users/invite`, { email: "x@example.com", role: "owner" })
    await ask(200, `PUT /organizations/${id}/users/${admin.id}`, { role: "accountant" })
    await ask(400, `PUT /organizations/${id}/users/${owner.id}`, { role: "viewer" })
    await ask(400, `DELETE /organizations/${id}/users/${owner.id}`)
    await ask(200, `DELETE /organizations/${id}/users/${admin.id}`)
    await ask(404, `DELETE /organizations/${id}/users/${admin.id}`)
  })

  it("about customers and contacts", async () => {
    const { id, owner } = await open()
    const ask = caller(owner.token, id)
    const draft = { name: "Gamma", email: "ap@gamma.example", country: "BE", currency: "EUR", language: "nl" }
    const customer = await ask(201, "POST /customers", draft)
    expect(Math.min(id, owner.id, customer.id)).toBeGreaterThanOrEqual(large_id)
    await ask(422, "POST /customers", { name: "", country: "XX" })
    await ask(400, "POST /customers", "{")
    await ask(200, "GET /customers?search=gamma&per_page=1")
    await ask(200, "GET /customers?deleted=true")
    await ask(422, "GET /customers?colour=red")
    await ask(200, `GET /customers/${customer.id}`)
    await ask(200, `PUT /customers/${customer.id}`, { notes: "late payer" })
    await ask(412, `DELETE /customers/${customer.id}`, undefined, { headers: { "if-match": '"v99"' } })
    await walks.walkContacts(ask, customer.id)
    await ask(200, `DELETE /customers/${customer.id}`)
  })

  it("about invoices", async () => {
    const books = await open({ settings: { invoice_chronology_enforced: true } })
    const { body, customer_id, id, owner } = books
    const ask = caller(owner.token, id)
    const invoice = await ask(
      201,
      "POST /invoices",
      body({ notes: "thanks", items: [line(100), line(5, { tax_exempt: true })] })
    )
    await ask(422, "POST /invoices", body({ items: [] }))
    const [rate] = await ask(200, "GET /tax-rates?archived=false")
    await ask(422, "GET /tax-rates?category=none")
    await ask(200, `GET /tax-rates/${rate.id}`)
    await ask(404, "GET /tax-rates/999999999")
    await ask(200, "GET /invoices?status=draft&per_page=1")
    await ask(422, "GET /invoices?status=lost")
    await ask(200, `GET /invoices/${invoice.id}`)
    await ask(200, `PUT /invoices/${invoice.id}`, { terms: "30 days" })
    await ask(200, `GET /invoices/${invoice.id}/pdf`)
    await ask(200, `POST /invoices/${invoice.id}/mark-sent`)
    await ask(422, `PUT /invoices/${invoice.id}`, { terms: "60 days" })
    await ask(422, `DELETE /invoices/${invoice.id}`)
    const copy = await ask(201, `POST /invoices/${invoice.id}/duplicate`)
    await ask(200, `DELETE /invoices/${copy.id}`)
    const early = await books.draft({ issue_date: "2026-01-01" })
    await ask(422, `POST /invoices/${early.id}/mark-sent`)
    await ask(200, `GET /invoices/${invoice.id}/payments/summary`)
    await ask(200, `POST /invoices/${invoice.id}/mark-paid`, { payment_date: "2026-03-02" })
    await ask(422, `POST /invoices/${invoice.id}/mark-paid`)
    await ask(422, `DELETE /customers/${customer_id}`)
    await ask(422, `PUT /organizations/${id}`, { currency: "USD" })
    await ask(200, `GET /customers/${customer_id}/invoices`)
    await ask(200, `GET /customers/${customer_id}/statistics`)
    await ask(200, `GET /customers/${customer_id}/statement?start_date=2026-01-01&end_date=2026-12-31`)
    await ask(422, `GET /customers/${customer_id}/statement?start_date=2026-12-31&end_date=2026-01-01`)
    const gone = await ask(201, "POST /customers", { name: "Gone" })
    const orphan = await books.draft({ customer_id: gone.id, issue_date: "2026-03-03" })
    await ask(200, `DELETE /customers/${gone.id}`)
    await ask(422, `POST /invoices/${orphan.id}/mark-sent`)
  })

  it("about a number that is taken", async () => {
    const books = await open({ settings: { invoice_number_format: "{PREFIX}-{YY}-{SEQ}" } })
    await books.issued({ issue_date: "1926-03-01" })
    const draft = await books.draft({ issue_date: "2026-03-01" })
    await caller(books.owner.token, books.id)(422, `POST /invoices/${draft.id}/mark-sent`)
  })

  it("about the sending of an invoice", async () => {
    const { draft, id, owner } = await open()
    const ask = caller(owner.token, id)
    const send = `POST /invoices/${(await draft()).id}/send`
    await ask(422, send)
    const body = { recipients: "held-unknown@beta.eu", attach_pdf: false }
    const [method = "", path = ""] = send.split(" ")
    const both = await mails.overtaken(2, () =>
      call(method, `/api/v1${path}`, { token: owner.token, organization: id, body })
    )
    expect(statuses(both)).toEqual({ 409: 1, 422: 1 })
    await ask(200, send, { recipients: ["ap@beta.eu", "unknown@beta.eu"] })
  })

  it("about attachments", async () => {
    const { draft, id, owner } = await open()
    const ask = caller(owner.token, id)
    await walks.walkAttachments(ask, `/invoices/${(await draft()).id}/attachments`)
  })

  it("about quotes", async () => {
    const books = await open()
    await walks.walkQuotes(books, caller(books.owner.token, books.id))
  })

  it("about credit notes", async () => {
    const { draft, id, issued, owner } = await open()
    const ask = caller(owner.token, id)
    const invoice = await issued()
    const credit = { invoice_id: invoice.id, amount: 21, reason: "Returned goods" }
    await ask(422, "POST /credit-notes", { ...credit, invoice_id: (await draft()).id })
    await ask(422, "POST /credit-notes", { ...credit, amount: 5000 })
    await ask(422, "POST /credit-notes", { ...credit, reason: "" })
    const note = await ask(201, "POST /credit-notes", credit)
    await ask(200, "GET /credit-notes?status=draft&per_page=1")
    await ask(200, `GET /credit-notes/${note.id}`)
    await ask(200, `PUT /credit-notes/${note.id}`, { items: [{ invoice_item_id: invoice.items[0].id, quantity: 0.1 }] })
    await ask(412, `PUT /credit-notes/${note.id}`, {}, { headers: { "if-match": '"v99"' } })
    await ask(422, `POST /credit-notes/${note.id}/send`)
    await ask(422, `POST /credit-notes/${note.id}/send`, { recipients: "unknown@beta.eu" })
    await ask(200, `POST /credit-notes/${note.id}/send`, { recipients: "ap@beta.eu" })
    await ask(409, `POST /credit-notes/${note.id}/send`)
    await ask(200, `GET /credit-notes/${note.id}/pdf`)
    await ask(422, `DELETE /credit-notes/${note.id}`)
    await ask(422, `PUT /credit-notes/${note.id}`, { reason: "Late" })
    const other = await ask(201, "POST /credit-notes", credit)
    await ask(200, `DELETE /credit-notes/${other.id}`)
  })

  it("about batches, expenses and reports", async () => {
    const books = await open()
    await walks.walkBatches(books, caller(books.owner.token, books.id))
    await walks.walkExpenses(books, caller(books.owner.token, books.id))
    await walkReports(caller(books.owner.token, books.id))
  })

  it("about receipts", async () => {
    const { id, owner } = await open({ settings: { stored_bytes_quota: 100 } })
    const ask = caller(owner.token, id)
    await walks.walkReceipts(ask, () => app.run(walks.readingDone(id)))
  })

  it("about templates", async () => {
    const { id, owner } = await open()
    const ask = caller(owner.token, id)
    await call("GET", "/api/v1/templates")
    for (const route of ["GET /templates", "POST /templates", "POST /templates/1/create-invoice"]) await ask(501, route)
  })

  it("about payments", async () => {
    const books = await open()
    await walks.walkPayments(books, caller(books.owner.token, books.id))
  })

  it("about bank accounts, rules and lines", async () => {
    const books = await open({ settings: { invoice_chronology_enforced: true } })
    await walkBanking(app, books, caller(books.owner.token, books.id))
  })

  it("about webhooks and events", async () => {
    const { id, owner } = await open()
    await walks.walkWebhooks(caller(owner.token, id), hooks.url)
  })

  it("about the archive", async () => {
    const books = await open({ plan: "business" })
    await walkArchive(app, books, caller(books.owner.token, books.id))
  })

  it("about the e-invoicing network", async () => {
    await walkNetwork(app, open, caller)
  })

  it("to a caller without permission", async () => {
    const { id, owner } = await open()
    const ask = caller(owner.token, id)
    const viewer = await app.run(seedMember(id, "viewer"))
    const narrow = await app.run(seedMember(id, "owner", ["contacts:read"]))
    await call("GET", "/api/v1/customers")
    await caller(owner.token)(400, "GET /customers")
    await caller(owner.token, 999_999_999)(403, "GET /customers")
    await caller(viewer.token, id)(403, "POST /customers", { name: "Beta" })
    await caller(narrow.token, id)(403, "GET /customers")
    await ask(415, "POST /customers", "name: Beta", { headers: { "content-type": "text/plain" } })
    await ask(413, "POST /customers", JSON.stringify({ name: "x".repeat(6_000_000) }))
    await app.inDatabase(`update organizations set archived_at = now() where id = ${id}`)
    await ask(403, "POST /customers", { name: "Beta" })
  })
})

/** The three endpoints of templates answer 501 (rules/conventions.md, Errors). */
const refusing = 3

describe("the walk above", () => {
  it("has seen every success of every endpoint", () => {
    const successes = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses).flatMap((status) => (/^[23]/.test(status) ? [`${operationId} ${status}`] : []))
    )
    expect(successes.length).toBeGreaterThanOrEqual(endpoints.length - refusing)
    expect(successes.filter((answer) => !seen.has(answer))).toEqual([])
  })

  it("has caused only events that the document declares", async () => expect(await undeclared()).toEqual([]))

  it("has sent every example of the document, and got an answer like the one that it shows", () => {
    expect(exchanges.size).toBe(endpoints.length - refusing)
    if (process.env["RECORD_EXAMPLES"] === "true") return saveExamples(exchanges, refusals)
    const message = "after an intended change run npm run contract"
    expect(outlined(Object.fromEntries(exchanges)), message).toEqual(outlined(examples))
    expect(sortedRefusals(refusals).map(outlined), message).toEqual(refusalsShown.map(outlined))
    console.log(`${exchanges.size} examples were sent and answered as the document shows`)
  })

  it("has seen every refusal that a client can cause", () => {
    const codes = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, schema]) =>
        name === "code" || name === "error" ? (schema.enum ?? []) : []
      )
    )
    expect(codes.length).toBeGreaterThan(20)
    expect(new Set(codes.filter((code) => !seen.has(code)))).toEqual(new Set(elsewhere))
  })
})
